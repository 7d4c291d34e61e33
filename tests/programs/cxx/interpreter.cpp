// switch, goto, do-while, conditional operators, comma, init statements, nested loops with break and return.
#include "check.hpp"

enum class Op : char { push = 'p', add = 'a', mul = 'm', end = 'e' };

static int eval(const Op *ops, const int *args)
{
    int stack[16], top = 0, a = 0;
    for (;; ++ops) {
        switch (*ops) {
        case Op::push:
            stack[top++] = args[a++];
            break;
        case Op::add: {
            int x = stack[--top];
            stack[top - 1] += x;
            break;
        }
        case Op::mul:
            --top;
            stack[top - 1] *= stack[top];
            break;
        case Op::end:
            return stack[0];
        default:
            return -1;
        }
    }
}

int main()
{
    const Op prog[] = {Op::push, Op::push, Op::add, Op::push, Op::mul, Op::end};
    int args[60], out[20], col[20];
    for (int i = 0; i < 60; i++)
        args[i] = i;
#pragma omp target teams distribute parallel for map(to : prog, args) map(from : out, col)
    for (int i = 0; i < 20; i++) {
        out[i] = eval(prog, args + 3 * i);
        int n = 27 + i, steps = 0;
        do {
            n = n % 2 ? 3 * n + 1 : n / 2;
            ++steps;
            if (steps > 1000)
                goto done;
        } while (n != 1);
    done:
        if (int k = steps; k > 100)
            col[i] = k;
        else if (k == 0)
            col[i] = -1;
        else
            col[i] = (k += 1000, k);
    }
    for (int i = 0; i < 20; i++) {
        check("eval", out[i], (3 * i + 3 * i + 1) * (3 * i + 2));
        int n = 27 + i, steps = 0;
        while (n != 1)
            n = n % 2 ? 3 * n + 1 : n / 2, ++steps;
        check("collatz", col[i], steps > 100 ? steps : steps + 1000);
    }
    return report();
}

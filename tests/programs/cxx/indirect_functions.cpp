// Functions that the device calls by addresses of the host (declare target indirect): of namespaces, static methods,
// overloads and instantiations, by pointers in arrays, objects, closures and templates. Also constant tables of functions.
// cflags: -std=c++17
// reference: -O1
#include "check.hpp"

#ifdef _OPENMP
#include <omp.h>
#else
static int omp_is_initial_device() { return 0; }
#endif

#pragma omp begin declare target
int calls = 0;
#pragma omp end declare target

namespace ops {
struct State {
    double x, y;
};
using Handler = void (*)(State &, int);
#pragma omp begin declare target indirect(true)
void push(State &s, int n)
{
    s.x += n + 1000 * omp_is_initial_device();
#pragma omp atomic
    ++calls;
}
static void pull(State &s, int n) { s.y -= n; }
inline void both(State &s, int n)
{
    push(s, n);
    pull(s, 2 * n);
}
template <int N> void scaled(State &s, int n) { s.x += N * n; }
Handler pick(int k) { return k % 2 ? pull : push; }
namespace {
void hidden(State &s, int n) { s.y += 10 * n; }
}  // namespace
#pragma omp end declare target

static const Handler by_two = scaled<2>, by_five = scaled<5>;
struct Entry {
    const char *name;
    Handler run;
    int arg;
};
class Machine {
    Entry table[6];
    int n = 6;

public:
    Machine()
        : table{{"push", push, 1}, {"pull", pull, 2}, {"both", both, 3}, {"2", by_two, 4}, {"5", by_five, 5},
                {"hidden", hidden, 6}}
    {
    }
    State run(int rounds)
    {
        State s{1, 2};
#pragma omp target map(tofrom : s)
        for (int r = 0; r < rounds; ++r)
            for (int i = 0; i < n; ++i)
                table[i].run(s, table[i].arg);
        return s;
    }
    State parallel(int m)
    {
        State *all = new State[m]();
        const Entry *e = table;
        int k = n;
#pragma omp target teams distribute parallel for map(tofrom : all[0:m]) map(to : e[0:k])
        for (int i = 0; i < m; ++i) {
            e[i % k].run(all[i], i);
            Handler h = e[(i + 1) % k].run;
            h(all[i], 1);
        }
        State sum{0, 0};
        for (int i = 0; i < m; ++i)
            sum.x += all[i].x, sum.y += all[i].y;
        delete[] all;
        return sum;
    }
};
}  // namespace ops

#pragma omp begin declare target indirect
struct Kind {
    static int next(int x) { return x + 1; }
    int plain(int x) const { return x; }
};
template <class T> T half(T x) { return x / 2; }
int over(int x) { return x + 100; }
double over(double x) { return x + 0.5; }
int thrice(int x) noexcept { return 3 * x; }
#pragma omp end declare target
static int never(int x) { return -x; }
#pragma omp declare target enter(never) indirect(false)

using Op = int (*)(int);
static const Op constants[] = {never, thrice};
constexpr Op more[] = {thrice, never};

int apply(Op f, int x) { return f(x); }
template <class F> int call(F f, int x) { return f(x); }
template <class F> struct Holder {
    F f;
    int go(int x) const { return f(x) + (*this).f(x); }
};
template <class F> int each(F f, int n)
{
    int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; ++i)
        s += f(i);
    return s;
}

int main()
{
    ops::Machine machine;
    auto one = machine.run(3), all = machine.parallel(50);
#pragma omp target update from(calls)
    check("a table of handlers", one.x == 112 && one.y == 158, true);
    check("in parallel", all.x == 1857 && all.y == 1540, true);
    check("calls on the device", calls > 0, true);

    auto pick = ops::pick;
    ops::State s{0, 0};
    auto closure = [pick](int i, ops::State &to) { pick(i)(to, i); };
#pragma omp target map(tofrom : s)
    {
        pick(0)(s, 5);
        ops::Handler own[2] = {pick(1), ops::both};
        for (auto h : own)
            h(s, 1);
        for (int i = 0; i < 4; ++i)
            closure(i, s);
    }
    check("functions that give functions", s.x == 8 && s.y == -7, true);

    Op table[] = {&Kind::next, half<int>, over, thrice}, first = half<int>;
    double (*d)(double) = over, (*h)(double) = half<double>;
    int sum = 0, fixed = 0;
    double real = 0;
#pragma omp target map(to : table) map(tofrom : sum, fixed, real)
    {
        for (int i = 0; i < 4; ++i)
            sum += table[i](i + 2) + apply(table[i], 1) + (*table[i])(3);
        auto own = [](int x) { return x + 7; };
        Holder<Op> holder{first};
        sum += call(first, 9) + call(own, 1) + holder.go(8) + (first ? 1 : 0);
        real = d(1) + h(3);
        for (int i = 0; i < 2; ++i)
            fixed = 10 * fixed + constants[i](2) + more[i](3);
    }
    check("pointers", sum, 367);
    check("overloads", real, 3.0);
    check("constant tables", fixed, 73);
    check("arguments of templates", each(first, 10) + each(&Kind::next, 5), 35);
    return report();
}

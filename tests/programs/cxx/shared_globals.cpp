// requires unified_shared_memory: variables of declare target, and those that functions on the device use, are the host's.
// guard: off
// device: cpu
// reference: -Wno-unknown-pragmas -fno-openmp
#include "check.hpp"
#pragma omp requires unified_shared_memory

struct Pair {
    int first, second;
    int sum() const { return first + second; }
};

#pragma omp declare target
int counter = 5;
double table[4] = {1, 2, 3, 4};
Pair pair = {1, 2};
int *chosen = nullptr;
const int offset = 3;
static struct Both {
    int value;
    int next() { return ++value; }
} both = {6};
#pragma omp end declare target

namespace app {
int reached = 1;
static long rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
namespace {
int hidden = 7;
}
int all() { return reached + hidden++ + static_cast<int>(::app::rows[1][2]); }
}

namespace app {
class Counted {
public:
    static int made;
    static double sums[2];
    explicit Counted(int n) : n(n) { ++made; }
    ~Counted() { this->sums[1] += n + sums[0]; }

private:
    int n;
};
int Counted::made = 1;
double Counted::sums[2] = {0.5, 0};
struct Level : Counted {
    using Counted::Counted;
    static void raise(Counted &one) { one.made += 10 * Level::made; }
};
}

template <class T> T scaled(T x) { return x * counter + app::reached; }

int main()
{
    int n = 4, found = 0, from_template = 0, from_closure = 0;
    double sum = 0;
    counter = 9;
    table[2] = 30;
    app::reached = 10;
    app::rows[1][2] = 60;
    chosen = &counter;
    pair.second = 20;
    const auto twice = [](int x) { return 2 * x + counter; };
#pragma omp target map(tofrom : sum, found, from_template, from_closure)
    {
        for (int i = 0; i < n; ++i) {
            sum += table[i] * counter + offset;
        }
        found = app::all() + pair.sum() + *chosen;
        from_template = scaled(2);
        from_closure = twice(1);
        counter = 4;
        pair.first = 100;
        both.next();
    }
    check("an array", sum, (1 + 2 + 30 + 4) * 9 + 12.0);
    check("variables of namespaces, an object, a pointer", found, 77 + 21 + 9);
    check("a variable in a template", from_template, 28);
    check("a variable in a closure", from_closure, 11);
    check("what the device has changed", counter + pair.first + app::hidden, 4 + 100 + 8);

    check("one that is declared with its class", both.value, 7);

    app::Counted::made = 2;
    app::Counted::sums[0] = 1.5;
#pragma omp target
    {
        app::Level one(3), two(4);
        app::Level::raise(two);
    }
    check("static members", app::Counted::made, 44);
    check("an array that is one", app::Counted::sums[1], 10.0);

    long total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total) map(to : table)
    for (int i = 0; i < counter; ++i) {
        total += static_cast<long>(table[i]);
#pragma omp atomic
        app::rows[0][0] += 1;
    }
    check("in loops and bounds", total, 37L);
    check("an atomic update", app::rows[0][0], 5L);
    return report();
}

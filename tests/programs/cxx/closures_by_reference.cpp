// Closures that capture by reference: what they refer to is mapped, or read from the host, with the region.
// reference: -O1
#include "check.hpp"
#include <array>
#include <vector>

struct Weights {
    double scale, shift;
};

template <class F> void for_each(int n, F f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        f(i);
}

template <class F, class G> void both(int n, const F &f, G g)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        f(i);
        g(i);
    }
}

static double total(const std::vector<double> &v)
{
    double sum = 0;
    for (double d : v)
        sum += d;
    return sum;
}

static void pointers(int n)
{
    std::vector<double> storage(n, 1.0);
    double *x = storage.data();
    double a = 3;
    Weights w{2, 1};
#pragma omp target data map(tofrom: x[0:n])
    {
        for_each(n, [&](int i) { x[i] += a * i; });
        for_each(n, [&, a](int i) { x[i] = w.scale * x[i] + w.shift + a; });
        for_each(n, [=, &w](int i) { x[i] += w.shift * a; });
        for_each(n, [&y = x, k = 2 * a](int i) { y[i] += k; });
        both(n, [&](int i) { x[i] += 1; }, [x, &a](int i) { x[i] += a; });
    }
    check("pointers and scalars", total(storage), n * (2.0 + 1 + 3 + 3 + 6 + 4) + 2 * 3 * (n * (n - 1) / 2));
}

static void objects()
{
    const int n = 64;
    double table[n] = {};
    std::array<int, 4> counts{};
    int found = 0;
    auto fill = [&](int i) {
        table[i] = i;
#pragma omp atomic
        counts[i % 4] += 1;
#pragma omp atomic
        found += i % 3 == 0;
    };
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        fill(i);
    check("an array", table[63], 63.0);
    check("an object", counts[3], 16);
    check("a scalar that is changed", found, 22);
#pragma omp target data map(tofrom: table, found)
    {
        for_each(n, [&](int i) { table[i] += 1; });
        for_each(n, [&](int i) {
            if (table[i] > 60) {
#pragma omp atomic
                ++found;
            }
        });
    }
    check("mapped before", table[5], 6.0);
    check("mapped before, and changed", found, 22 + 4);
}

static void constants()
{
    double factors[3] = {1, 2, 4};
    const Weights w{3, 1};
    const double &second = factors[1];
    const int n = 10;
    double r[n];
    auto get = [&](int i) { return w.scale * i + w.shift + second + n; };
#pragma omp target teams distribute parallel for map(from: r)
    for (int i = 0; i < n; ++i)
        r[i] = get(i);
    check("constants", r[9], 27.0 + 1 + 2 + 10);
    auto outer = [get](int i) { return get(i) + 1; };
#pragma omp target teams distribute parallel for map(from: r)
    for (int i = 0; i < n; ++i)
        r[i] = outer(i);
    check("a closure in a closure", r[1], 3.0 + 1 + 2 + 10 + 1);
}

int main()
{
    pointers(40);
    objects();
    constants();
    return report();
}

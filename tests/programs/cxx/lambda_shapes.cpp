// Heads of lambda expressions in every shape: no parameters, results, noexcept, default arguments, attributes.
// reference: -O1
#include "check.hpp"

template <class F>
double call(F f)
{
    double r = 0;
#pragma omp target map(tofrom: r)
    r = f();
    return r;
}

template <class F, class G>
int both(int n, F f, G g)
{
    int s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += f(i) ? g(i) : -g(i, 2);
    return s;
}

// A method that only a generic lambda expression calls, by an argument of its own.
template <class T> struct Cells {
    T *p;
    int columns;
    T &operator()(int i, int j) const { return p[i * columns + j]; }
    T first() const { return p[0]; }
};
template <class F> void on_cells(int *p, F f)
{
#pragma omp target teams distribute parallel for map(tofrom : p[0 : 12])
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j) {
            Cells<int> cells{p, 4};
            f(cells, i, j);
        }
}

int main()
{
    const double a = 1.5;
    double table[3] = {1, 2, 4};
    bool flag = true;
    char letter = 'c';
    check("no parameters", call([a] { return a; }), 1.5);
    check("a result", call([=]() -> double { return flag ? 2 : 0.5; }), 2.0);
    check("noexcept", call([letter]() noexcept { return letter - 'a'; }), 2.0);
    check("an array", call([table] { return table[0] + table[2]; }), 5.0);
    check("calculated", call([b = a * 2, c = flag] { return c ? b : 0; }), 3.0);
    check("two", both(6, [](int i) { return i % 2 == 0; }, [](int i, int by = 1) { return i * by; }), 6 - 18);
    check("nested", call([=] {
        auto inner = [](double x) { return x * x; };
        double s = 0;
        for (double t : table)
            s += inner(t) + a;
        return s;
    }), 25.5);
    int cells[12] = {};
    on_cells(cells, [](auto c, int i, int j) { c(i, j) = 10 * i + j; });
    on_cells(cells, [](const auto &c, auto... at) { c(at...) += c.first(); });
    check("methods by generic ones", cells[11], 23);
    return report();
}

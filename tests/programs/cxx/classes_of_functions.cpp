// Classes of functions, and private ones, as arguments of templates with regions.
#include "check.hpp"

template <class Op> int fold(const int *p, int n, Op op)
{
    int s = op.init();
#pragma omp target map(to: p[0:n]) map(tofrom: s)
    for (int i = 0; i < n; ++i)
        s = op(s, p[i]);
    return s;
}

template <class Op, int N> struct Folded {
    Op op;
    int run(const int *p) const
    {
        int s = op.init();
        const Op own = op;
#pragma omp target map(to: p[0:N]) map(tofrom: s)
        for (int i = 0; i < N; ++i)
            s = own(s, p[i]);
        return s;
    }
};

template <class T> struct Wrapped {
    T in;
    int init() const { return in.init(); }
    int operator()(int a, int b) const { return in(a, b); }
};

namespace app {
int products(const int *p)
{
    enum { once = 1 };
    const int start = 2 * once;
    struct Factor {
        int by;
        Factor(int by) : by(by) {}
        int of(int v) const { return v * by; }
    };
    struct Mul {
        int init() const { return start; }
        int operator()(int a, int b) const { return Factor(b).of(a); }
    };
    return fold(p, 4, Mul{}) + Folded<Mul, 2>{Mul()}.run(p) * 1000;
}
}

class Model {
    struct Coefficient {
        double a, b;
        double at(double x) const { return a * x + b; }
    };
    enum class Mode { line, square };
    class Own {
        int k;

    public:
        explicit Own(int k) : k(k) {}
        int init() const { return k; }
        int operator()(int a, int b) const { return a + k * b; }
    };
    Coefficient c{2, 3};

public:
    Coefficient coefficient() const { return c; }
    Mode mode() const { return Mode::square; }
    int folded(const int *p)
    {
        class Sub {
            int by;

        public:
            Sub(int by) : by(by) {}
            int init() const { return 100; }
            int operator()(int a, int b) const { return a - by * b; }
        };
        return fold(p, 4, Own(2)) + fold(p, 4, Wrapped<Own>{Own(3)}) + 1000 * fold(p, 4, Sub(2));
    }
};

int main()
{
    const int p[4] = {3, 1, 4, 1};
    check("products", app::products(p), 6024);
    struct Max {
        int floor;
        int init() const { return floor; }
        int operator()(int a, int b) const { return a < b ? b : a; }
    };
    check("max", fold(p, 4, Max{2}), 4);
    check("wrapped", fold(p, 4, Wrapped<Max>{Max{5}}), 5);
    Model m;
    check("private", m.folded(p), 82050);
    auto c = m.coefficient();
    auto mode = m.mode();
    double r = 0;
#pragma omp target map(tofrom: r)
    r = c.at(2) + static_cast<int>(mode);
    check("auto", r, 8.0);
    return report();
}

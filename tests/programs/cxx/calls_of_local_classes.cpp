// Functions that classes of functions call, where regions name these classes, or templates get objects of them.
#include "check.hpp"

static double helper(double v)
{
    return v + 1;
}

struct Used {
    double w = 3;
    double twice(double v) const { return helper(v) * w; }
};

template <class F> double run(F f, double x)
{
    double r = 0;
#pragma omp target map(tofrom: r)
    r = f(x);
    return r;
}

int main()
{
    double r = 0;
    struct Here {
        double k;
        double call(double v) const { return helper(v * k) + Used{}.twice(v); }
    };
#pragma omp target map(tofrom: r)
    {
        Here here{2};
        r = here.call(3);
    }
    check("in the function", r, 19.0);

    struct Inner {
        Used u;
        double get() const { return u.twice(2); }
    };
    struct Given {
        double k;
        Inner in;
        double operator()(double v) const { return helper(v * k) + Used{}.twice(v) + in.get() + more(v); }
        static double more(double v)
        {
            auto doubled = [](double w) { return helper(w) * 2; };
            return doubled(v);
        }
    };
    check("in a template", run(Given{2, {}}, 3.0), 36.0);
    return report();
}

// Closures that hold an object of the class whose method makes them, and closures that a method returns; arguments of
// specialisations without the namespace around them; members that order constructs.
#include <cstdio>

namespace app {
struct Host;
struct Device;
template <class Place> struct Runner;

template <> struct Runner<Device> {
    template <class F> static void run(int n, F f)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i) {
            F own = f;
            own(i);
        }
    }
};
}

class Spring {
public:
    Spring(double k, double rest) : k(k), rest(rest) {}

    void add_to(double *out, int n) const
    {
        app::Runner<app::Device>::run(n, [out, sum = 0.0, self = *this](int i) mutable {
            for (int j = 0; j <= i % 5; ++j)
                sum += self.force(j);
            out[i] += sum;
        });
    }
    void soften(double by) { k = by; }

private:
    double force(double x) const { return -k * (x - rest); }
    double k, rest;
};

template <class Derived> struct Step {
    char done = 0;

    double go(double *p, int n)
    {
        auto f = static_cast<const Derived &>(*this).kernel();
        double sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: p[0:n], sum) reduction(+ : sum) depend(inout: this->done)
        for (int i = 0; i < n; ++i) {
            p[i] = f(p[i]);
            sum += p[i];
        }
        return sum;
    }
};

namespace {
struct Scaled : Step<Scaled> {
    double factor = 1.5;
    auto kernel() const { return [factor = factor](double x) { return x * factor; }; }
};
struct Moved : Step<Moved> {
    int by = 4;
    auto kernel() const { return [by = by](double x) { return x + by; }; }
};
}

int main()
{
    double out[40] = {};
    Spring spring(2, 0.5);
#pragma omp target data map(tofrom: out)
    {
        spring.add_to(out, 40);
        spring.soften(0.25);
        spring.add_to(out, 40);
    }
    Scaled scaled;
    Moved moved;
    std::printf("%g\n", scaled.go(out, 40));
    std::printf("%g\n", moved.go(out, 40));
}

// Pointers to members and to functions inside of regions.
#include "check.hpp"

struct Particle {
    double mass, charge;
    double weight() const { return 2 * mass; }
};

static double twice(double x) { return 2 * x; }
static double half(double x) { return x / 2; }

template <double Particle::*Member>
double total(const Particle *p, int n)
{
    double sum = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += p[i].*Member;
    return sum;
}

template <double (*F)(double)>
double applied(int n)
{
    double sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += F(i);
    return sum;
}

int main()
{
    Particle p[4] = {{1, 10}, {2, 20}, {3, 30}, {4, 40}};
    check("mass", total<&Particle::mass>(p, 4), 10.0);
    check("charge", total<&Particle::charge>(p, 4), 100.0);
    check("twice", applied<twice>(4), 12.0);
    check("half", applied<half>(4), 3.0);
    double sum = 0;
#pragma omp target map(to: p) map(tofrom: sum)
    {
        double Particle::*member = &Particle::charge;
        double (Particle::*method)() const = &Particle::weight;
        for (int i = 0; i < 4; ++i)
            sum += p[i].*member + (p[i].*method)();
    }
    check("inside", sum, 120.0);
    return report();
}

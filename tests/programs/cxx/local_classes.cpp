// Classes, constants, aliases and enumerations of a function in its regions.
#include "check.hpp"

template <class T>
T counted(int n)
{
    enum { parts = 4, more };
    T sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += parts + more;
    return sum;
}

template <class T>
T named_by_typedef(T *values, int n)
{
    typedef struct {
        T first, second;
    } Pair;
    typedef struct Step {
        int width;
        int twice() const { return 2 * width; }
    } Stride;
    typedef enum { low = 1, high } Level;
#pragma omp target teams distribute parallel for map(tofrom: values[0:n])
    for (int i = 0; i < n; ++i) {
        const Pair pair = {values[i], T(i)};
        const Stride stride = {3};
        const Step step = {4};
        const Level level = i < 2 ? low : high;
        values[i] = pair.first + pair.second + stride.twice() + step.width + level;
    }
    return values[0] + values[n - 1];
}

int main()
{
    int values[4] = {1, 2, 3, 4};
    check("types that a typedef declares and names", named_by_typedef(values, 4), 12 + 19);
    enum { twice = 2 };
    int doubled = 0;
#pragma omp target map(from : doubled)
    doubled = 21 * twice;
    check("an enumeration without a name", doubled, 42);
    check("in a template", counted<double>(10), 90.0);
    struct Particle {
        double x, v;
        void move(double dt) { x += v * dt; }
    };
    struct Box {
        struct Side {
            int length;
            int twice() const { return 2 * length; }
        } side;
    };
    int around = 0;
#pragma omp target map(from : around)
    around = 2 * Box{{4}}.side.twice();
    check("a class in a local class", around, 16);
    const int six = 6;
#pragma omp target map(from : around)
    {
        const int *address = &six;
        around = *address + six;
    }
    check("the address of a constant", around, 12);
    enum Kind { still, moving = 3 };
    using Real = double;
    typedef int Count;
    constexpr int n = 12, half = n / 2;
    static const Count limit = 4;
    Particle particles[n];
    for (Count i = 0; i < n; ++i)
        particles[i] = Particle{Real(i), 1};
    const Real dt = 0.5;
#pragma omp target teams distribute parallel for map(tofrom: particles)
    for (Count i = 0; i < n; ++i) {
        if (i < half)
            particles[i].move(dt);
        const Kind kind = i < limit ? still : moving;
        particles[i].v = kind + Real(half);
    }
    check("moved", particles[3].x, 3.5);
    check("not moved", particles[7].x, 7.0);
    check("still", particles[3].v, 6.0);
    check("moving", particles[4].v, 9.0);
    return report();
}

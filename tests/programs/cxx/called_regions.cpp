// Parallel regions in functions that the sequential part of a team calls: all threads of the team run them. Functions
// that others call, too, that call themselves, or whose regions use references, have one thread in each region.
#include "check.hpp"
#include <omp.h>

struct Grid {
    double *values;
    int size;
    void scale(double factor)
    {
#pragma omp parallel for
        for (int i = 0; i < size; i++)
            values[i] *= factor;
    }
    double sum() const
    {
        double total = 0;
#pragma omp parallel for reduction(+ : total)
        for (int i = 0; i < size; i++)
            total += values[i];
        return total;
    }
    double doubled()
    {
        scale(2.0);
        return sum();
    }
};

// One text of two instantiations, with barriers in its region and a variable that its threads share.
template <typename T> static int fill(T *to, int count, T first)
{
    int threads = 0, seen[4] = {};
#pragma omp parallel
    {
#pragma omp single
        threads = omp_get_num_threads();
#pragma omp for
        for (int i = 0; i < count; i++)
            to[i] = first + i;
#pragma omp atomic
        seen[omp_get_thread_num() % 4]++;
    }
    return seen[0] + seen[1] + seen[2] + seen[3] == threads ? threads : -1;
}

// A variable of a function between, which the region of another one changes.
static void raise(int *to, int by)
{
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < 90; i++) {
#pragma omp atomic
        *to += by;
    }
}

static int between(int by)
{
    int raised = 1;
    raise(&raised, by);
    return raised;
}

// Both a team and single threads call it.
static void shared(int *to, int count)
{
#pragma omp parallel for
    for (int i = 0; i < count; i++)
        to[i] += 1;
}

static void refers(double &total, const double *from, int count)
{
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < count; i++)
        total += from[i];
}

static int recursive(int *to, int count, int depth)
{
    if (depth == 0)
        return 0;
#pragma omp parallel for
    for (int i = 0; i < count; i++)
        to[i] += depth;
    return 1 + recursive(to, count, depth - 1);
}

static void inside(int *to, int by)
{
#pragma omp parallel for
    for (int i = 0; i < 10; i++)
        to[i] += by;
}

int main()
{
    double a[300];
    for (int i = 0; i < 300; i++)
        a[i] = i;
    Grid grid{a, 300};
    double sum = 0;
#pragma omp target map(tofrom : a, sum) map(to : grid) map(grid.values[0 : 300])
    sum = grid.doubled();
    check("a method that calls methods", sum, 300.0 * 299);
    check("a method", a[299], 598.0);

    int b[300] = {}, threads[3] = {};
    float c[100] = {};
#pragma omp target teams distribute map(tofrom : b, c, threads)
    for (int k = 0; k < 3; k++)
        threads[k] = k == 1 ? fill(c, 100, 0.5f) : fill(b + k * 100, 100, 3 + k);
    check("a template, the first team", b[99], 102);
    check("a template, the last team", b[299], 104);
    check("another instantiation", c[99], 99.5f);
    check("the teams of a template", threads[0] > 0 && threads[1] > 0 && threads[2] > 0, true);

    int raised = 0;
#pragma omp target map(from : raised)
    raised = between(2);
    check("a variable of the function between", raised, 181);

    int d[300] = {};
#pragma omp target map(tofrom : d)
    shared(d, 300);
#pragma omp target teams distribute parallel for map(tofrom : d)
    for (int k = 0; k < 10; k++)
        shared(d + k * 30, 30);
    check("a function that all call", d[0] == 2 && d[299] == 2, true);

    double total = 1;
#pragma omp target map(tofrom : total) map(to : a)
    refers(total, a, 300);
    check("a reference", total, 300.0 * 299 + 1);

    int depth = 0;
#pragma omp target map(tofrom : d, depth)
    depth = recursive(d, 300, 4);
    check("a recursive function", depth == 4 && d[0] == 12 && d[299] == 12, true);

    // Called in a parallel region of a team.
    int e[40] = {};
#pragma omp target map(tofrom : e)
    {
        raise(e, 1);
#pragma omp parallel num_threads(3)
        inside(e + 2 + 10 * omp_get_thread_num(), 5);
    }
    check("beside a parallel region", e[0], 90);
    check("in a parallel region", e[2] == 5 && e[11] == 5, true);
    return report();
}

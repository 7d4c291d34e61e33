// map(obj.p[0:n]) with objects, references to objects and pointers to objects.
// reference: -Wno-unknown-pragmas
#include "check.hpp"
#include <vector>

struct Block
{
    double *p;
    float *q;
    int n;
};

static void twice(Block &b)
{
#pragma omp target teams distribute parallel for map(to : b) map(tofrom : b.p[0 : b.n]) map(to : b.q[0 : b.n])
    for (int i = 0; i < b.n; i++)
        b.p[i] = 2 * b.p[i] + b.q[i];
}

static void add(Block *b, double v)
{
#pragma omp target parallel for map(to : b[0 : 1]) map(b->p[0 : b->n])
    for (int i = 0; i < b->n; i++)
        b->p[i] += v;
}

int main()
{
    std::vector<double> p(100, 1.5);
    std::vector<float> q(100, 0.25f);
    Block b{p.data(), q.data(), 100};
    twice(b);
    add(&b, 10.0);
    Block local{p.data(), nullptr, 50};
#pragma omp target map(local.p[10 : 5])
    for (int i = 10; i < 15; i++)
        local.p[i] = -1;
    for (int i = 0; i < 100; i++)
        check("p", p[i], i >= 10 && i < 15 ? -1.0 : 13.25);
    return report();
}

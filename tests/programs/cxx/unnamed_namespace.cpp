// Functions, classes, variables and regions in unnamed namespaces.
#include "check.hpp"

namespace {
struct Local {
    int x;
    int twice() const { return 2 * x; }
};
constexpr int step = 3;
int add(int a, int b) { return a + b + step; }
template <class T>
void run(T *p, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; ++i)
        p[i].x = add(p[i].twice(), i);
}
class Worker {
    int bias = 2;

public:
    int work(int n)
    {
        int r = 0;
#pragma omp target map(from: r)
        r = add(n, bias);
        return r;
    }
};
}

int main()
{
    Local l[5];
    for (int i = 0; i < 5; ++i)
        l[i].x = i;
    run(l, 5);
    check("run", l[4].x, 15);
    check("work", Worker().work(5), 10);
    return report();
}

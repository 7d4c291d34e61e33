// Names in clauses: of bases' static members, and of namespaces that using-directives open in every place.
#include "check.hpp"

namespace field {
int weight[4] = {1, 2, 3, 4};
namespace deep {
int shift[2] = {10, 20};
}
using namespace deep;
} // namespace field

namespace app {
using namespace field;
int sum()
{
    int s = 0;
#pragma omp target map(to : weight[0 : 4], shift[0 : 2]) map(tofrom : s)
    for (int i = 0; i < 4; i++)
        s += weight[i] + shift[i % 2];
    return s;
}
} // namespace app

int local()
{
    using namespace field;
    int s = 0;
#pragma omp target map(to : weight[0 : 4]) map(tofrom : s)
    for (int i = 0; i < 4; i++)
        s += weight[i];
    return s;
}

struct Base {
    static int weight[4];
};
int Base::weight[4] = {5, 6, 7, 8};
struct Between : Base {};
struct Derived : Between {
    int sum()
    {
        int s = 0;
#pragma omp target map(to : weight[0 : 4]) map(tofrom : s)
        for (int i = 0; i < 4; i++)
            s += weight[i];
        return s;
    }
};

int main()
{
    Derived d;
    check("namespace", app::sum(), 10 + 60);
    check("function", local(), 10);
    check("base", d.sum(), 26);
    return report();
}

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

// A name in a directive outside of functions means what it means there, and no variable of that name elsewhere.
int level = 1, mark = 2;
#pragma omp declare target(level)
#pragma omp threadprivate(mark)
namespace other {
int level = 10, mark = 20;
int step(int by)
{
#pragma omp target map(always, tofrom : ::level)
    ::level += by;
    return ::level;
}
int own()
{
    level = 30;
    int r = 0;
#pragma omp target map(from : r)
    r = level + mark;
    return r;
}
} // namespace other

// Names that using-declarations bring.
namespace brought {
int first = 3, second[2] = {4, 5};
}
using brought::first;
int second[2] = {0, 0};

// An alias of a namespace, an inline one, and functions that are named by these.
namespace long_name {
inline namespace version {
int third = 6;
int next(int v) { return v + 1; }
} // namespace version
} // namespace long_name
namespace alias = long_name;
#pragma omp declare target(alias::next)
#pragma omp declare target(long_name::next)
int with_brought()
{
    using brought::second;
#pragma omp target map(tofrom : first) map(to : second[0 : 2])
    first += second[0] + second[1];
#pragma omp target map(tofrom : alias::third, first)
    first += alias::next(alias::third++);
    return first + long_name::third;
}

int main()
{
    Derived d;
    check("namespace", app::sum(), 10 + 60);
    check("function", local(), 10);
    check("base", d.sum(), 26);
    check("global", other::step(4), 5);
    check("of a namespace", other::own(), 50);
    check("brought", with_brought(), 26);
    return report();
}

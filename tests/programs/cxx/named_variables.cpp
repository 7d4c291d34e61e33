// Variables of the host that declarations beside regions name: in types, in using declarations, in templates.
#include <cstdio>

namespace marks {
struct Last {
    int operator-(int back) const { return 100 - back; }
};
static const Last last;
Last other;
int counter = 3, limits[2] = {4, 5};
double *nowhere;
static const auto before = last - 1;

template <class T> auto behind(T n) -> decltype(marks::last - n)
{
    return last - n;
}
template <class T> struct Guard {
    decltype(other) own;
    decltype(marks::limits) both;
    int seen() const { return counter + limits[0] + both[1]; }
};
} // namespace marks

using marks::counter;
namespace shorter {
using marks::before;
using marks::limits;
using marks::nowhere;
} // namespace shorter

struct Plain {
    int counter, n;
};
int n = 12;

int main()
{
    Plain plain{n, 2};
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i)
        sum += i * plain.n + plain.counter;
    marks::Guard<int> guard{marks::other, {1, 2}};
    std::printf("%d %d %d %d %d\n", sum, marks::behind(7), guard.seen(), counter, shorter::before);
    return shorter::nowhere != nullptr;
}

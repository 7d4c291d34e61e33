// Names in namespaces, unnamed and inline ones, aliases and using declarations, in regions.
#include "check.hpp"

namespace outer {
inline namespace v2 {
inline int step(int x) { return x + 2; }
}  // namespace v2
namespace v1 {
inline int step(int x) { return x + 1; }
}  // namespace v1
namespace deep::deeper {
struct Pair {
    int a, b;
    int sum() const { return a + b; }
};
template <class T>
T middle(T a, T b)
{
    return (a + b) / 2;
}
}  // namespace deep::deeper
}  // namespace outer

namespace {
int secret(int x) { return 3 * x; }
template <class T>
T doubled(T x)
{
    return 2 * x;
}
struct Local {
    int v;
    int get() const { return v; }
};
const int table[3] = {1, 2, 3};
template <class F>
int run(int n, F f)
{
    int s = 0;
#pragma omp target teams distribute parallel for reduction(+: s) map(to: f)
    for (int i = 0; i < n; ++i)
        s += f(i);
    return s;
}
struct Add {
    int k;
    int operator()(int x) const { return x + k; }
};
}  // namespace

namespace alias = outer::deep::deeper;
using outer::v1::step;

int main()
{
    int out[6];
    Local local{5};
#pragma omp target teams distribute parallel for map(from: out)
    for (int i = 0; i < 6; ++i) {
        using namespace outer::deep;
        alias::Pair pair{i, 1};
        deeper::Pair other{i, 2};
        out[i] = outer::step(i) + step(i) + pair.sum() + other.sum() + alias::middle(2, 4) + secret(i) + doubled(i)
            + local.get() + table[i % 3];
    }
    check("names", out[4], 6 + 5 + 5 + 6 + 3 + 12 + 8 + 5 + 2);
    check("a template with a type of an unnamed namespace", run(4, Add{1}), 10);
    return report();
}

// References to variables, elements, members and arrays, as captures and inside of regions.
// reference: -O1
#include "check.hpp"
#include <utility>

struct Node {
    double value;
    int count;
};

static void bump(Node &node) { ++node.count; }
static double &value_of(Node &node) { return node.value; }
static int take(int &&x) { return x + 1; }

static void scale(double (&a)[6], const double &by, int &done)
{
#pragma omp target teams distribute parallel for map(tofrom: a) reduction(+: done)
    for (int i = 0; i < 6; ++i) {
        a[i] *= by;
        done += 1;
    }
}

template <class T, int N>
T sum(const T (&a)[N])
{
    T s = T();
#pragma omp target teams distribute parallel for map(to: a) reduction(+: s)
    for (int i = 0; i < N; ++i)
        s += a[i];
    return s;
}

int main()
{
    double a[6] = {1, 2, 3, 4, 5, 6};
    int done = 0;
    scale(a, 2, done);
    check("scaled", a[5], 12.0);
    check("done", done, 6);
    check("sum", sum(a), 42.0);
    Node node{1.5, 0};
    Node &same = node;
    int &count = node.count;
#pragma omp target map(tofrom: same)
    {
        bump(same);
        value_of(same) += 1;
        Node &inner = same;
        inner.count += take(4);
    }
    check("count", count, 6);
    check("value", node.value, 2.5);
    auto &&forward = std::move(node);
    double v = 0;
#pragma omp target map(to: forward) map(from: v)
    v = forward.value;
    check("an rvalue reference", v, 2.5);
    return report();
}

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

struct Mass {
    float x, weight;
};

/* Names of elements, of rows that all threads read. */
template <class T>
double pull(const T *masses, const Mass *others, int n)
{
    double most = 0, all = 0;
#pragma omp target teams distribute parallel for map(to: masses[0:n], others[0:n]) reduction(max: most) reduction(+: all)
    for (int i = 0; i < n; ++i) {
        const auto &at = masses[i];
        double force = 0;
        for (int j = 0; j < n; ++j) {
            const T &by = masses[j];
            const Mass *other = &others[j];
            force += (by.x - at.x) * by.weight + other->weight;
        }
        most = force > most ? force : most;
        all += force;
    }
    return most * 2 + all;
}

static double pull_here(int n)
{
    static Mass masses[70];
    for (int i = 0; i < n; ++i)
        masses[i] = {(float)(i % 7), (float)(i % 3)};
    double most = 0, all = 0;
    for (int i = 0; i < n; ++i) {
        double force = 0;
        for (int j = 0; j < n; ++j)
            force += (masses[j].x - masses[i].x) * masses[j].weight + masses[j].weight;
        most = force > most ? force : most;
        all += force;
    }
    return pull(masses, masses, n) - most * 2 - all;
}

int main()
{
    double a[6] = {1, 2, 3, 4, 5, 6};
    int done = 0;
    scale(a, 2, done);
    check("scaled", a[5], 12.0);
    check("done", done, 6);
    check("sum", sum(a), 42.0);
    for (int n : {0, 1, 7, 64, 67})
        check("pull", pull_here(n), 0.0);
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

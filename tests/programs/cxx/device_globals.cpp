// Sections through pointers that live on the device: mapping them there makes the device's pointers lead to the storage.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

struct Node {
    int n;
    double *a;
    double w;
};

#pragma omp begin declare target
double *table;
int *numbers;
namespace app {
Node *node;
Node whole;
static float *scratch;
} // namespace app
struct Config {
    static double *values;
};
double *Config::values;
double at(int i) { return table[i]; }
#pragma omp end declare target
double *plain; // only a function that regions call uses it
double of_plain(int i) { return plain[i]; }

template <class T>
T sum_of(int n, T *extra)
{
    T s = 0;
#pragma omp target teams distribute parallel for map(to: extra[0:n], numbers[0:n]) reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += extra[i] * numbers[i];
    return s;
}

int main()
{
    double t[4] = {1, 2, 3, 4}, b[3] = {5, 6, 7}, c[2] = {8, 9}, d[2] = {10, 11};
    int i4[4] = {1, 1, 2, 2};
    float f[2] = {0, 0};
    double r = 0, q = 0;
    table = t;
    numbers = i4;
#pragma omp target map(to: table[0:4]) map(tofrom: r)
    r = table[1] + at(3);
    check("section", r, 6);
    check("template", sum_of(4, t), 1 + 2 + 6 + 8);

    Node one{3, b, 0.5};
    app::node = &one;
    app::whole = Node{2, c, 2};
    app::scratch = f;
#pragma omp target update to(app::whole)
#pragma omp target map(tofrom: r, q) map(to: app::node->n, app::node->a[0:3], app::node->w) map(to: app::whole.a[0:2]) \
    map(from: app::scratch[0:2])
    {
        r = app::node->a[2] * app::node->w + app::node->n;
        q = app::whole.a[1] * app::whole.w;
        app::scratch[0] = 1;
        app::scratch[1] = 2;
    }
    check("members", r, 6.5);
    check("object", q, 18);
    check("from", f[0] + f[1], 3);

    Config::values = d;
    plain = t;
#pragma omp target enter data map(to: Config::values[0:2], plain[0:4], table[1:2])
#pragma omp target map(tofrom: r)
    r = Config::values[1] + of_plain(3) + at(2);
    check("enter data", r, 18);
    t[2] = 30;
#pragma omp target update to(table[2:1])
#pragma omp target map(tofrom: r)
    r = at(2);
    check("update", r, 30);
#pragma omp target exit data map(release: Config::values[0:2], plain[0:4], table[1:2])
#pragma omp target data map(tofrom: numbers[0:4])
    {
#pragma omp target
        numbers[3] += 5;
    }
    check("target data", i4[3], 7);
    return report();
}

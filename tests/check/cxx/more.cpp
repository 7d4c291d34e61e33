// More wrong functions, with other types and directives.
#include <cmath>
#include <cstdlib>
#include <vector>
#include <algorithm>
constexpr int N = 64;

double average(const std::vector<double> &v)
{
    const double *p = v.data();
    const int n = static_cast<int>(v.size());
    double mean = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n])
    for (int i = 0; i < n; ++i)
        mean += p[i] / n; // rex-expect: reduction // rex-expect: lost-result
    return mean;
}

float largest(const float *x, int n)
{
    float m = -1;
#pragma omp target parallel for map(to: x[0:n]) map(tofrom: m)
    for (int i = 0; i < n; ++i)
        m = std::max(m, x[i]); // rex-expect: race
    return m;
}

void shift(std::vector<int> &v)
{
    int *x = v.data();
    const int n = v.size();
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n - 1; ++i)
        x[i] = x[i + 1]; // rex-expect: dependence
}

struct Counter {
    int hits = 0;
    int total(const int *x, int n)
    {
        int local = 0;
#pragma omp target teams loop map(to: x[0:n]) map(tofrom: local)
        for (int i = 0; i < n; ++i)
            local += x[i]; // rex-expect: reduction
        return hits = local;
    }
};

int scalar_of_serial_region(const double *x)
{
    int best = 0;
    double top = x[0];
#pragma omp target map(to: x[0:N])
    for (int i = 1; i < N; ++i)
        if (x[i] > top) {
            top = x[i];
            best = i; // rex-expect: lost-result
        }
    return best;
}

double alloc_result()
{
    double result;
#pragma omp target map(alloc: result)
    result = 4; // rex-expect: lost-result
    return result;
}

void up_to_and_with(int n)
{
    int *a = new int[n + 1];
#pragma omp target teams distribute parallel for map(from: a[0:n])
    for (int i = 0; i <= n; ++i)
        a[i] = i; // rex-expect: bounds
    delete[] a;
}

int from_but_read(int n)
{
    int *flags = new int[n]();
#pragma omp target teams distribute parallel for map(from: flags[0:n])
    for (int i = 0; i < n; ++i)
        flags[i] |= 1; // rex-expect: unset
    const int f = flags[0];
    delete[] flags;
    return f;
}

struct Body { double x, y, *forces; int count; };
double partial()
{
    Body body{};
    body.count = 3;
    body.forces = new double[3];
    double s = 0;
#pragma omp target map(to: body.forces[0:3], body.count) map(tofrom: s)
    s = body.x + body.count; // rex-expect: partial-map
    return s;
}

int never_mapped()
{
    int *table = static_cast<int *>(std::calloc(N, sizeof(int)));
    int s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < N; ++i)
        s += table[i]; // rex-expect: unmapped-pointer
    std::free(table);
    return s;
}

double stale_loop()
{
    double x[N] = {}, sum = 0;
#pragma omp target data map(tofrom: x)
    for (int step = 0; step < 3; ++step) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            x[i] += step;
        for (int i = 0; i < N; ++i)
            sum += x[i]; // rex-expect: stale
    }
    return sum;
}

int parameter_changed()
{
    int limit[1] = {1}, r = 0;
#pragma omp target data map(to: limit)
    {
        for (int k = 0; k < 3; ++k) {
            limit[0] = k;
#pragma omp target map(tofrom: r)
            r += limit[0]; // rex-expect: stale
        }
    }
    return r;
}

double not_waited(int n)
{
    double *x = new double[n];
#pragma omp target teams distribute parallel for map(from: x[0:n]) nowait
    for (int i = 0; i < n; ++i)
        x[i] = i;
    const double r = x[n - 1]; // rex-expect: nowait
    delete[] x; // rex-expect: nowait
    return r;
}

void private_seed(int *x)
{
    unsigned seed = 7;
#pragma omp target teams distribute parallel for map(from: x[0:N]) private(seed)
    for (int i = 0; i < N; ++i) {
        seed = seed * 1103515245u + 12345u; // rex-expect: unset
        x[i] = seed >> 16;
    }
}

double minimum(const double *x, int n)
{
    double low = 1e30;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: low)
    for (int i = 0; i < n; ++i)
        if (x[i] < low)
            low = x[i]; // rex-expect: race
    return low;
}

int histogram(const int *x, int n)
{
    int zeros = 0, ones = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: zeros, ones)
    for (int i = 0; i < n; ++i) {
        if (x[i] > 0)
            ++ones; // rex-expect: reduction (likely)
        else
            ++zeros; // rex-expect: reduction (likely)
    }
    return zeros - ones;
}

void enter_only(double *field, int n)
{
#pragma omp target enter data map(to: field[0:n]) // rex-expect: leak (likely)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        field[i] *= 2;
}

double inner_counter(double *x)
{
    int j;
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i)
        for (j = 0; j < 3; ++j) // rex-expect: race
            x[i] += j;
    return x[0];
}

// Members that methods read, and those of a base class and of what a reference leads to, of which only others are mapped.
struct Held {
    double *p;
    int n;
};
struct Factored : Held {
    double k;
    Factored(double *q, int m, double factor) : Held{q, m}, k(factor) {}
    double at(int i) const { return p[i] * k; } // rex-expect: partial-map
};

double by_method(double *d)
{
    Factored c(d, 25, 3);
    double s = 0;
#pragma omp target teams distribute parallel for map(to: c.p[0:25]) reduction(+ : s)
    for (int i = 0; i < 25; ++i)
        s += c.at(i);
    return s;
}

double of_base(double *d)
{
    Factored c(d, 25, 3);
    double s = 0;
#pragma omp target map(to: c.p[0:25]) map(tofrom: s)
    s = c.p[c.n - 1]; // rex-expect: partial-map
    return s;
}

double by_reference(double *d)
{
    Held c{d, 25};
    Held &r = c;
    double s = 0;
#pragma omp target map(to: r.p[0:25]) map(tofrom: s)
    s = r.p[r.n - 1]; // rex-expect: partial-map
    return s;
}

double whole_by_reference(double *d)
{
    Held c{d, 25};
    Held &r = c;
    double s = 0;
#pragma omp target map(to: r, r.p[0:25]) map(tofrom: s)
    s = r.p[r.n - 1];
    return s;
}

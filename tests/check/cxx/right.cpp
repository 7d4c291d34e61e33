// Right functions with the idioms of applications: nothing is found in them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <omp.h>
#include <vector>
#define CHECKED(call) do { if (!(call)) std::abort(); } while (0)
constexpr int N = 128;
#pragma omp declare target
static double scale = 2;
static double scaled(double x) { return scale * x; }
static void accumulate(double &into, double x) { into += x; }
#pragma omp end declare target

static void fill(std::vector<double> &v) { for (auto &x : v) x = 1; }

#pragma omp declare target
double shared_with_units[N];
#pragma omp end declare target
void another_unit_updates();

void updates_by_another_unit()
{
    for (int i = 0; i < N; ++i)
        shared_with_units[i] = i;
    another_unit_updates();
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        shared_with_units[i] *= 2;
    another_unit_updates();
}

double pointers_of_vectors(std::vector<double> &v)
{
    double *p = v.data();
    int n = static_cast<int>(v.size());
#pragma omp target enter data map(to: p[0:n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        p[i] = scaled(p[i]);
#pragma omp target update from(p[0:n])
    double s = 0;
    for (double x : v)
        s += x;
    fill(v);
#pragma omp target update to(p[0:n])
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += p[i];
#pragma omp target exit data map(delete: p[0:n])
    return s;
}

struct Grid {
    double *a, *b;
    int n, m;
    Grid(int n_, int m_) : a(new double[n_ * m_]), b(new double[n_ * m_]), n(n_), m(m_) { enter(); }
    ~Grid() { leave(); delete[] a; delete[] b; }
    void enter()
    {
#pragma omp target enter data map(to: this[0:1]) map(alloc: a[0:n * m], b[0:n * m])
    }
    void leave()
    {
#pragma omp target exit data map(delete: a[0:n * m], b[0:n * m]) map(delete: this[0:1])
    }
    void step()
    {
#pragma omp target teams distribute parallel for collapse(2)
        for (int i = 1; i < n - 1; ++i)
            for (int j = 1; j < m - 1; ++j)
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
        std::swap(a, b);
    }
    double norm() const
    {
        double s = 0;
        const double *x = a;
        const int k = n * m;
#pragma omp target teams distribute parallel for map(to: x[0:k]) reduction(+: s)
        for (int i = 0; i < k; ++i)
            s += x[i] * x[i];
        return std::sqrt(s);
    }
};

int early_exit(const int *x, int n, bool quick)
{
    int found = -1;
    if (quick && n < 10)
        return found;
    if (!quick) {
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(max: found)
        for (int i = 0; i < n; ++i)
            if (x[i] > 3)
                found = std::max(found, i);
        return found;
    }
    for (int i = 0; i < n; ++i)
        if (x[i] > 3)
            found = i;
    return found;
}

void pipeline(double *x, int n)
{
    const int blocks = 4, size = n / blocks;
#pragma omp target enter data map(alloc: x[0:n])
    for (int b = 0; b < blocks; ++b) {
        double *part = x + b * size;
#pragma omp target update to(part[0:size]) nowait depend(out: part[0])
#pragma omp target teams distribute parallel for nowait depend(inout: part[0])
        for (int i = 0; i < size; ++i)
            part[i] *= 2;
#pragma omp target update from(part[0:size]) nowait depend(in: part[0])
    }
#pragma omp taskwait
#pragma omp target exit data map(release: x[0:n])
}

int counts_by_bucket(const int *x, int n, int *out)
{
    int buckets[8] = {0}, used = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: buckets)
    for (int i = 0; i < n; ++i) {
        const int b = x[i] & 7;
#pragma omp atomic
        buckets[b]++;
    }
    for (int i = 0; i < 8; ++i) {
        out[i] = buckets[i];
        used += buckets[i] > 0;
    }
    return used;
}

void scratch_memory(const double *x, double *y, int n)
{
    double *tmp = static_cast<double *>(std::malloc(n * sizeof(double)));
#pragma omp target data map(to: x[0:n]) map(from: y[0:n]) map(alloc: tmp[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            tmp[i] = x[i] * x[i];
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            y[i] = tmp[i] + 1;
    }
    std::free(tmp);
}

double time_of(double *x, int n)
{
    double begin = 0, end = 0, total = 0;
    int iterations = 0;
#pragma omp target data map(tofrom: x[0:n])
    {
        begin = omp_get_wtime();
        do {
#pragma omp target teams distribute parallel for
            for (int i = 0; i < n; ++i)
                x[i] += 1;
            ++iterations;
        } while (iterations < 4);
        end = omp_get_wtime();
    }
    for (int i = 0; i < n; ++i)
        total += x[i];
    return total + (end - begin) * 0;
}

double converging(double *x, int n)
{
    double residual = 1;
#pragma omp target data map(tofrom: x[0:n])
    while (residual > 1e-3) {
        residual = 0;
#pragma omp target teams distribute parallel for reduction(+: residual) map(tofrom: residual)
        for (int i = 0; i < n; ++i) {
            const double old = x[i];
            x[i] = 0.5 * old;
            residual += std::fabs(x[i] - old);
        }
    }
    return residual;
}

void own_device_memory(int n)
{
    const int device = omp_get_default_device();
    auto *d = static_cast<double *>(omp_target_alloc(n * sizeof(double), device));
    double *h = new double[n];
#pragma omp target teams distribute parallel for is_device_ptr(d)
    for (int i = 0; i < n; ++i)
        d[i] = i;
    CHECKED(omp_target_memcpy(h, d, n * sizeof(double), 0, 0, omp_get_initial_device(), device) == 0);
    omp_target_free(d, device);
    std::printf("%g\n", h[0]);
    delete[] h;
}

static void pull(int *x)
{
#pragma omp target update from(x[0:N])
}

int updated_in_a_helper()
{
    int *x = new int[N]();
    int r = 0;
#pragma omp target data map(to: x[0:N])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            x[i] = i;
        pull(x);
        r = x[3];
    }
    r += x[4];
    delete[] x;
    return r;
}

static void put(int *x)
{
#pragma omp target enter data map(to: x[0:N])
}
static void take(int *x)
{
#pragma omp target exit data map(from: x[0:N])
}

int mapped_in_a_helper()
{
    int *x = new int[N]();
    put(x);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        x[i] = i;
    take(x);
    const int r = x[3];
    delete[] x;
    return r;
}

double sum_in_function(const double *x, int n)
{
    double s = 0;
#pragma omp target map(to: x[0:n]) map(tofrom: s)
    for (int i = 0; i < n; ++i)
        accumulate(s, x[i]);
    return s;
}

int flag_for_host(int n, int *x)
{
    int error = 0;
    const bool offload = n > 100;
#pragma omp target teams distribute parallel for if(target: offload) map(tofrom: x[0:n], error)
    for (int i = 0; i < n; ++i)
        if (x[i] < 0) {
#pragma omp atomic write
            error = 1;
        }
    return error;
}

void two_arrays_swapped(int *a, int *b, int n)
{
#pragma omp target data map(tofrom: a[0:n]) map(alloc: b[0:n])
    for (int step = 0; step < 10; ++step) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            b[i] = a[i] + 1;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            a[i] = b[i];
    }
}

double unique(int n)
{
    auto owner = std::make_unique<double[]>(n);
    double *p = owner.get(), s = 0;
#pragma omp target teams distribute parallel for map(from: p[0:n])
    for (int i = 0; i < n; ++i)
        p[i] = i;
    for (int i = 0; i < n; ++i)
        s += owner[i];
    return s;
}

void triangle(double *a, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n * n])
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) {
            double t = a[i * n + j];
            a[i * n + j] = a[j * n + i];
            a[j * n + i] = t;
        }
}

int host_first(int n)
{
    int x[N];
    int s = 0;
    for (int i = 0; i < N; ++i)
        x[i] = i;
#pragma omp target teams distribute parallel for map(to: x) reduction(+: s) firstprivate(n)
    for (int i = 0; i < N; ++i)
        if (i < n)
            s += x[i];
    return s + n;
}

int team_only(int *x)
{
    int teams = 0;
#pragma omp target teams num_teams(1) map(tofrom: teams, x[0:N])
    {
        teams = omp_get_num_teams();
#pragma omp distribute parallel for
        for (int i = 0; i < N; ++i)
            x[i] += 1;
    }
    return teams;
}

bool in_lambda(int n)
{
    int hits = 0;
    auto work = [&](int *x) {
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: hits) reduction(+: hits)
        for (int i = 0; i < n; ++i)
            hits += x[i];
    };
    std::vector<int> v(n);
    work(v.data());
    return hits == 0;
}

void guarded_stencil(double *y, const double *x, int n)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(from: y[0:n])
    for (int i = 0; i < n; ++i) {
        const double left = i > 0 ? x[i - 1] : 0;
        const double right = i < n - 1 ? x[i + 1] : 0;
        y[i] = 0.5 * (left + right);
    }
}

void guarded_by_continue(double *y, const double *x, int n)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(from: y[0:n])
    for (int i = 0; i < n; ++i) {
        if (i == n - 1) {
            y[i] = 0;
            continue;
        }
        y[i] = x[i + 1];
    }
}

void only_even(double *x, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i) {
        if (i % 2)
            continue;
        x[i] = x[i + 1];
    }
}

union Either {
    double d;
    long bits;
};

long through_a_union(double value)
{
    Either e{value};
    long bits = 0;
#pragma omp target map(to: e.d) map(from: bits)
    bits = e.bits;
    return bits;
}

template <class T>
T *allocated(int n)
{
    return new T[n];
}
template <class T>
void allocated_by_a_template(int n)
{
    T *x = allocated<T>(n);
#pragma omp target teams distribute parallel for map(from: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = i;
    delete[] x;
}
template void allocated_by_a_template<float>(int n);
int allocates()
{
    allocated_by_a_template<double>(64);
    return 0;
}

void values_of_a_reference(const double *x, double &sum, const int &n)
{
#pragma omp target defaultmap(tofrom: scalar) map(to: x[0:N])
    for (int i = 0; i < n; ++i)
        sum += x[i];
}
double calls_with_locals(const double *x)
{
    double total = 0;
    int count = 5;
    values_of_a_reference(x, total, count);
    return total;
}

namespace settings {
constexpr int area = 16;
}
int hidden_constant()
{
    int area = 0;
#pragma omp target map(from: area)
    area = settings::area;
    return area;
}

void another_index(const double *x, double *y)
{
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(tofrom: y[0:N])
    for (int i = 0; i < N; ++i) {
        y[i] = 1;
        {
            const int k = i, i = 0;
            y[k] += x[i + N - 1];
        }
    }
}

int perhaps_on_the_host(int n)
{
    int *x = new int[N]();
#pragma omp target teams distribute parallel for map(to: x[0:N]) if(target: n > 5)
    for (int i = 0; i < N; ++i)
        x[i] = i;
    const int r = n > 5 ? 0 : x[3];
    delete[] x;
    return r;
}

/* Two buffers that take turns: at the end nobody sees which pointer leads where, and both are unmapped. */
class Turns {
    std::vector<double> first, second;
    double *from, *to;

public:
    Turns() : first(N, 1), second(N), from(first.data()), to(second.data())
    {
#pragma omp target enter data map(to: from[0:N], to[0:N])
    }
    ~Turns()
    {
#pragma omp target exit data map(delete: from[0:N], to[0:N])
    }
    void step()
    {
#pragma omp target teams distribute parallel for
        for (int i = 1; i < N; ++i)
            to[i] = from[i - 1];
        std::swap(from, to);
    }
};

double turns(int steps)
{
    Turns buffers;
    for (int t = 0; t < steps; ++t)
        buffers.step();
    double *a = new double[N](), *b = new double[N]();
#pragma omp target enter data map(to: a[0:N], b[0:N])
    for (int t = 0; t < steps; ++t) {
#pragma omp target teams distribute parallel for
        for (int i = 1; i < N; ++i)
            b[i] = a[i - 1] + 1;
        std::swap(a, b);
    }
#pragma omp target exit data map(from: a[0:N]) map(delete: b[0:N])
    const double last = a[N - 1];
    delete[] a;
    delete[] b;
    return last;
}

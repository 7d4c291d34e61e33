// Wrong functions, each with its right twin behind it.
#include <cstdlib>
#include <vector>
constexpr int N = 100;

namespace reductions {

double sum(int n, const double *x)
{
    double s = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: s)
    for (int i = 0; i < n; ++i)
        s += x[i]; // rex-expect: reduction
    return s;
}

double sum_right(int n, const double *x)
{
    double s = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: s) reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += x[i];
    return s;
}

int count(const int *x)
{
    int hits = 0;
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(tofrom: hits)
    for (int i = 0; i < N; ++i)
        if (x[i] > 0)
            hits++; // rex-expect: reduction (likely)
    return hits;
}

int count_right(const int *x)
{
    int hits = 0;
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(tofrom: hits)
    for (int i = 0; i < N; ++i)
        if (x[i] > 0) {
#pragma omp atomic
            hits++;
        }
    return hits;
}

struct Solver {
    double product(const double *x)
    {
        double p = 1;
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(tofrom: p)
        for (int i = 0; i < N; ++i)
            p = p * x[i]; // rex-expect: reduction
        return p;
    }
    double product_right(const double *x)
    {
        double p = 1;
#pragma omp target teams distribute parallel for map(to: x[0:N]) reduction(*: p)
        for (int i = 0; i < N; ++i)
            p = p * x[i];
        return p;
    }
};

} // namespace reductions

namespace races {

void temporary(double *x)
{
    double t;
#pragma omp target teams distribute parallel for map(tofrom: x[0:N]) map(alloc: t)
    for (int i = 0; i < N; ++i) {
        t = x[i]; // rex-expect: race
        x[i] = t * t;
    }
}

void temporary_right(double *x)
{
    double t;
#pragma omp target teams distribute parallel for map(tofrom: x[0:N]) private(t)
    for (int i = 0; i < N; ++i) {
        t = x[i];
        x[i] = t * t;
    }
}

int last(const int *x)
{
    int found = -1;
#pragma omp target parallel for map(from: found) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        found = x[i]; // rex-expect: race
    return found;
}

int last_right(const int *x)
{
    int found = -1;
#pragma omp target parallel for map(tofrom: found) map(to: x[0:N]) lastprivate(found)
    for (int i = 0; i < N; ++i)
        found = x[i];
    return found;
}

int one_of_them(const int *x)
{
    int found = -1;
#pragma omp target teams distribute parallel for map(tofrom: found) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        if (i == 7)
            found = x[i];
    return found;
}

} // namespace races

namespace dependences {

void running(double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
    for (int i = 1; i < N; ++i)
        x[i] = x[i] + x[i - 1]; // rex-expect: dependence
}

void running_right(double *x, const double *old)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:N]) map(to: old[0:N])
    for (int i = 1; i < N; ++i)
        x[i] = old[i] + old[i - 1];
}

void two_apart(int *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N - 2; i += 2)
        x[i + 2] = x[i]; // rex-expect: dependence
}

void two_apart_right(int *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N - 2; i += 2)
        x[i + 1] = x[i];
}

} // namespace dependences

namespace lost {

int found(int n, const int *x)
{
    int any = 0;
#pragma omp target map(to: x[0:n])
    for (int i = 0; i < n; ++i)
        if (x[i] == 0)
            any = 1; // rex-expect: lost-result
    return any;
}

int found_right(int n, const int *x)
{
    int any = 0;
#pragma omp target map(to: x[0:n]) map(tofrom: any)
    for (int i = 0; i < n; ++i)
        if (x[i] == 0)
            any = 1;
    return any;
}

int written_before_it_is_read(const int *x)
{
    int any = 0;
#pragma omp target map(to: x[0:N])
    {
        any = x[0];
        any += 1;
    }
    any = 3;
    return any;
}

int on_another_way(bool gpu, const int *x)
{
    int first = 0;
    if (gpu) {
#pragma omp target map(to: x[0:N])
        first = x[0];
    } else {
        return first;
    }
    return 0;
}

double to_only()
{
    double *x = new double[N];
    double s = 0;
#pragma omp target teams distribute parallel for map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        x[i] = i; // rex-expect: lost-result
    for (int i = 0; i < N; ++i)
        s += x[i];
    delete[] x;
    return s;
}

double to_only_right()
{
    double *x = new double[N];
    double s = 0;
#pragma omp target teams distribute parallel for map(from: x[0:N])
    for (int i = 0; i < N; ++i)
        x[i] = i;
    for (int i = 0; i < N; ++i)
        s += x[i];
    delete[] x;
    return s;
}

int scalar_to()
{
    int n = 1;
#pragma omp target map(to: n)
    n = n + 1; // rex-expect: lost-result
    return n;
}

int parameter_to(int *x)
{
#pragma omp target map(to: x[0:N])
    x[0] = 1; // rex-expect: lost-result (likely)
    return x[0];
}

} // namespace lost

namespace unset {

double accumulated()
{
    double sum[16], s = 0;
#pragma omp target teams distribute parallel for map(from: sum)
    for (int i = 0; i < 16; ++i)
        sum[i] += i; // rex-expect: unset
    for (int i = 0; i < 16; ++i)
        s += sum[i];
    return s;
}

double accumulated_right()
{
    double sum[16], s = 0;
#pragma omp target teams distribute parallel for map(from: sum)
    for (int i = 0; i < 16; ++i) {
        sum[i] = 0;
        sum[i] += i;
    }
    for (int i = 0; i < 16; ++i)
        s += sum[i];
    return s;
}

int of_new_memory()
{
    int *x = new int[N]();
    int s = 0;
#pragma omp target map(alloc: x[0:N]) map(tofrom: s)
    s += x[1]; // rex-expect: unset
    delete[] x;
    return s;
}

int of_new_memory_right()
{
    int *x = new int[N]();
    int s = 0;
#pragma omp target map(to: x[0:N]) map(tofrom: s)
    s += x[1];
    delete[] x;
    return s;
}

void private_copy(int *x)
{
    int offset = 4;
#pragma omp target teams distribute parallel for map(from: x[0:N]) private(offset)
    for (int i = 0; i < N; ++i)
        x[i] = i + offset; // rex-expect: unset
}

void private_copy_right(int *x)
{
    int offset = 4;
#pragma omp target teams distribute parallel for map(from: x[0:N]) firstprivate(offset)
    for (int i = 0; i < N; ++i)
        x[i] = i + offset;
}

} // namespace unset

namespace bounds {

void one_short(int n)
{
    double *x = new double[n];
#pragma omp target teams distribute parallel for map(from: x[0:n - 1])
    for (int i = 0; i < n; ++i)
        x[i] = i; // rex-expect: bounds
    delete[] x;
}

void one_short_right(int n)
{
    double *x = new double[n];
#pragma omp target teams distribute parallel for map(from: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = i;
    delete[] x;
}

void behind()
{
    int *x = static_cast<int *>(std::calloc(101, sizeof(int)));
    int *y = new int[101];
#pragma omp target teams distribute parallel for map(to: x[0:100]) map(from: y[0:100])
    for (int i = 0; i < 100; i++)
        y[i] = x[i + 1]; // rex-expect: bounds
    std::free(x);
    delete[] y;
}

void behind_right()
{
    int *x = static_cast<int *>(std::calloc(101, sizeof(int)));
    int *y = new int[101];
#pragma omp target teams distribute parallel for map(to: x[0:101]) map(from: y[0:100])
    for (int i = 0; i < 100; i++)
        y[i] = x[i + 1];
    std::free(x);
    delete[] y;
}

} // namespace bounds

namespace partial {

struct Vector {
    double *x;
    int n;
};

void clear(const Vector &given)
{
    Vector v = given;
#pragma omp target map(tofrom: v.x[0:v.n])
    for (int i = 0; i < v.n; ++i) // rex-expect: partial-map
        v.x[i] = 0;
}

void clear_right(const Vector &given)
{
    Vector v = given;
#pragma omp target map(to: v.n) map(tofrom: v.x[0:v.n])
    for (int i = 0; i < v.n; ++i)
        v.x[i] = 0;
}

} // namespace partial

namespace unmapped {

void zeros(int n)
{
    double *x = new double[n];
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        x[i] = 0; // rex-expect: unmapped-pointer
    delete[] x;
}

void zeros_right(int n)
{
    double *x = new double[n];
#pragma omp target teams distribute parallel for map(from: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = 0;
    delete[] x;
}

} // namespace unmapped

namespace stale {

double read_within()
{
    double x[N] = {1}, first = 0;
#pragma omp target data map(tofrom: x)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            x[i] *= 0.5;
        first = x[0]; // rex-expect: stale
    }
    return first;
}

double read_within_right()
{
    double x[N] = {1}, first = 0;
#pragma omp target data map(tofrom: x)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            x[i] *= 0.5;
#pragma omp target update from(x)
        first = x[0];
    }
    return first;
}

int written_within()
{
    int n[1] = {1}, seen = 0;
#pragma omp target data map(to: n)
    {
        n[0] = 2;
#pragma omp target map(from: seen)
        seen = n[0]; // rex-expect: stale
    }
    return seen;
}

int written_within_right()
{
    int n[1] = {1}, seen = 0;
#pragma omp target data map(to: n)
    {
        n[0] = 2;
#pragma omp target update to(n)
#pragma omp target map(from: seen)
        seen = n[0];
    }
    return seen;
}

int scalar_within() // regions have copies of it
{
    int n = 1, seen = 0;
#pragma omp target data map(to: n)
    {
        n = 2;
#pragma omp target map(from: seen)
        seen = n;
    }
    return seen;
}

} // namespace stale

namespace deferred {

int answer()
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait
    n = 42;
    return n; // rex-expect: nowait
}

int answer_right()
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait
    n = 42;
#pragma omp taskwait
    return n;
}

void overwritten(int *x)
{
#pragma omp target map(tofrom: x[0:N]) nowait
    for (int i = 0; i < N; ++i)
        x[i] += 1;
    x[0] = 0; // rex-expect: nowait (likely)
}

void overwritten_right(int *x)
{
#pragma omp target map(tofrom: x[0:N]) nowait
    for (int i = 0; i < N; ++i)
        x[i] += 1;
#pragma omp taskwait
    x[0] = 0;
}

} // namespace deferred

namespace leaks {

struct Table {
    double *values, *others;
    void upload(int n)
    {
#pragma omp target enter data map(to: values[0:n]) // rex-expect: leak (likely)
#pragma omp target enter data map(to: others[0:n])
    }
    void drop(int n)
    {
#pragma omp target exit data map(release: others[0:n])
    }
};

} // namespace leaks

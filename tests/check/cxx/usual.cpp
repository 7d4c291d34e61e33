// Mistakes as people make them in C++, each with its right twin behind it.
#include <vector>

class Kept {
    double *p_;
    int n_;

public:
    explicit Kept(int n) : p_(new double[n]()), n_(n)
    {
#pragma omp target enter data map(to: p_[0:n_]) // rex-expect: leak
    }
    ~Kept() { delete[] p_; }
    void add(double x)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n_; ++i)
            p_[i] += x;
    }
};

class Released {
    double *r_;
    int n_;

public:
    explicit Released(int n) : r_(new double[n]()), n_(n)
    {
#pragma omp target enter data map(to: r_[0:n_])
    }
    ~Released()
    {
#pragma omp target exit data map(delete: r_[0:n_])
        delete[] r_;
    }
    void add(double x)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n_; ++i)
            r_[i] += x;
    }
};

void owners()
{
    Kept kept(20);
    kept.add(1);
    Released released(20);
    released.add(1);
}

struct Point {
    double x, y, z;
};

void turned(std::vector<Point> &points)
{
    Point *q = points.data();
    const int n = static_cast<int>(points.size());
    Point t;
#pragma omp target teams distribute parallel for map(tofrom: q[0:n]) map(alloc: t)
    for (int i = 0; i < n; ++i) {
        t = q[i]; // rex-expect: race
        q[i] = Point{t.y, t.z, t.x};
    }
}

void turned_right(std::vector<Point> &points)
{
    Point *q = points.data();
    const int n = static_cast<int>(points.size());
#pragma omp target teams distribute parallel for map(tofrom: q[0:n])
    for (int i = 0; i < n; ++i) {
        Point t = q[i];
        q[i] = Point{t.y, t.z, t.x};
    }
}

template <int Radius>
void blur(const double *in, double *out, int n)
{
#pragma omp target teams distribute parallel for map(to: in[0:n]) map(from: out[0:n])
    for (int i = 0; i < n; ++i) {
        double s = 0;
        for (int k = 0; k <= Radius; ++k)
            s += in[i + k]; // rex-expect: bounds (likely)
        out[i] = s;
    }
}
template void blur<4>(const double *, double *, int);

template <int Radius>
void blur_right(const double *in, double *out, int n)
{
#pragma omp target teams distribute parallel for map(to: in[0:n + Radius]) map(from: out[0:n])
    for (int i = 0; i < n; ++i) {
        double s = 0;
        for (int k = 0; k <= Radius; ++k)
            s += in[i + k];
        out[i] = s;
    }
}
template void blur_right<4>(const double *, double *, int);

void ordered(std::vector<int> &a, std::vector<int> &b)
{
    int *p = a.data(), *q = b.data();
    const int n = static_cast<int>(a.size());
#pragma omp target data map(tofrom: p[0:n], q[0:n])
    {
#pragma omp target teams distribute parallel for nowait depend(out: p[0])
        for (int i = 0; i < n; ++i)
            p[i] = i;
#pragma omp target teams distribute parallel for nowait depend(inout: q[0])
        for (int i = 0; i < n; ++i)
            q[i] = p[n - 1 - i]; // rex-expect: nowait (likely)
#pragma omp taskwait
    }
}

void ordered_right(std::vector<int> &a, std::vector<int> &b)
{
    int *p = a.data(), *q = b.data();
    const int n = static_cast<int>(a.size());
#pragma omp target data map(tofrom: p[0:n], q[0:n])
    {
#pragma omp target teams distribute parallel for nowait depend(out: p[0])
        for (int i = 0; i < n; ++i)
            p[i] = i;
#pragma omp target teams distribute parallel for nowait depend(in: p[0]) depend(inout: q[0])
        for (int i = 0; i < n; ++i)
            q[i] = p[n - 1 - i];
#pragma omp taskwait
    }
}

double partial(std::vector<double> &values)
{
    double *p = values.data();
    const int n = static_cast<int>(values.size());
    double *sums = new double[8];
#pragma omp target enter data map(to: p[0:n]) map(alloc: sums[0:8])
#pragma omp target teams distribute parallel for
    for (int k = 0; k < 8; ++k)
        for (int i = k; i < n; i += 8)
            sums[k] += p[i]; // rex-expect: unset
#pragma omp target exit data map(from: sums[0:8]) map(delete: p[0:n])
    const double first = sums[0];
    delete[] sums;
    return first;
}

double partial_right(std::vector<double> &values)
{
    double *p = values.data();
    const int n = static_cast<int>(values.size());
    double *sums = new double[8]();
#pragma omp target enter data map(to: p[0:n], sums[0:8])
#pragma omp target teams distribute parallel for
    for (int k = 0; k < 8; ++k)
        for (int i = k; i < n; i += 8)
            sums[k] += p[i];
#pragma omp target exit data map(from: sums[0:8]) map(delete: p[0:n])
    const double first = sums[0];
    delete[] sums;
    return first;
}

struct Pool {
    static int used;
};
int Pool::used = 0;

void counted(const int *p, int n)
{
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: Pool::used)
    for (int i = 0; i < n; ++i)
        Pool::used += p[i]; // rex-expect: reduction
}

void counted_right(const int *p, int n)
{
    int used = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: used)
    for (int i = 0; i < n; ++i)
        used += p[i];
    Pool::used += used;
}

void least(const int *p, int n, int &low, int &high)
{
    low = high = p[0];
#pragma omp target teams map(to: p[0:n]) map(tofrom: high)
#pragma omp distribute parallel for reduction(min: low) reduction(max: high)
    for (int i = 0; i < n; ++i) {
        low = p[i] < low ? p[i] : low; // rex-expect: lost-result
        high = p[i] > high ? p[i] : high;
    }
}

void copied_by_clause(int n, int &last)
{
    last = 0;
#pragma omp target firstprivate(last)
    for (int i = 0; i < n; ++i)
        last += i; // rex-expect: lost-result (likely)
}

void scratch_by_clause(int *p, int n, int &step)
{
#pragma omp target map(tofrom: p[0:n]) firstprivate(step)
    for (int i = 0; i < n; ++i) {
        p[i] += step;
        step = step * 3 + 1;
    }
}

int least_of(const std::vector<int> &values)
{
    int low, high, last, step = 2, *p = new int[8]();
    least(values.data(), static_cast<int>(values.size()), low, high);
    copied_by_clause(5, last);
    scratch_by_clause(p, 8, step);
    const int first = p[0];
    delete[] p;
    return low + high + last + step + first;
}

// What a closure holds by a reference is mapped with it, also where a reference leads to the closure.
template <class F> static void on_all(int n, const F &f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        f(i);
}
int by_closure()
{
    int values[8] = {}, by = 3;
    on_all(8, [&](int i) { values[i] = i * by; });
    return values[2];
}

// Objects that regions only read reach kernels by value, unless somebody can tell: one that is on the device, one that is
// changed, or one whose address is kept.
#include "check.hpp"

struct View { // private members, and a base
    View(double *data, int width) : data_(data), width_(width) {}
    double &operator()(int i, int j) const { return data_[i * width_ + j]; }
    int width() const { return width_; }

  private:
    double *data_;
    const int width_;
};
struct Shift {
    double by;
};
struct Scale : Shift {
    float factor;
    char kind;
    const double *table;
    double of(double x) const { return kind == 'm' ? x * factor + by : table[0]; }
};
struct Job {
    int n;
    double scale;
    const double *x;
    double *y;
};
struct Kept {
    int value;
    Kept *self;
    explicit Kept(int v) : value(v), self(this) {}
};
struct Registered {
    int value;
    explicit Registered(int v) : value(v)
    {
#pragma omp target enter data map(to: this[:1])
    }
    ~Registered()
    {
#pragma omp target exit data map(delete: this[:1])
    }
};
struct Pair {
    int a, b;
    int *first() { return &a; }
    Pair &same() { return *this; }
};

static double views(int n)
{
    double *a = new double[n * n];
    for (int i = 0; i < n * n; ++i)
        a[i] = i;
    double sum = 0;
#pragma omp target data map(tofrom: a[0:n * n]) use_device_ptr(a)
    {
        View v(a, n);
#pragma omp target teams distribute parallel for reduction(+: sum)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < v.width(); ++j)
                sum += v(i, j);
    }
    delete[] a;
    return sum;
}

static double job(Job j)
{
#pragma omp target teams distribute parallel for map(to: j, j.x[0:j.n]) map(from: j.y[0:j.n])
    for (int i = 0; i < j.n; ++i)
        j.y[i] = j.scale * j.x[i];
    return j.y[j.n - 1];
}

static double bases(int n)
{
    double s = 0;
    const double table[1] = {7};
    Scale k;
    k.by = 2, k.factor = 3, k.kind = 'm', k.table = table;
#pragma omp target teams distribute parallel for reduction(+: s) map(to: k, k.table[0:1])
    for (int i = 0; i < n; ++i)
        s += k.of(i);
    return s;
}

template <class F> static int apply(F f, int n)
{
    int s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += f(i);
    return s;
}
struct Twice {
    int operator()(int i) const { return 2 * i; }
};
struct Three {
    long a, b, c;
    int operator()(int i) const { return static_cast<int>(a + b * i + c); }
};

int main()
{
    const int n = 100;
    check("views", views(n), (n * n - 1.0) * n * n / 2);
    double x[n], y[n];
    for (int i = 0; i < n; ++i)
        x[i] = i, y[i] = -1;
    check("sections", job(Job{n, 2.0, x, y}), 2.0 * (n - 1));
    check("a base", bases(n), 3.0 * (n * (n - 1) / 2) + 2 * n);
    check("an empty object", apply(Twice{}, n), n * (n - 1));
    check("three words", apply(Three{1, 2, 3}, n), n * (n - 1) + 4 * n);
    int k = 5;
    check("a closure", apply([=](int i) { return i + k; }, n), n * (n - 1) / 2 + k * n);

    int separate = 1, got = 0; // whether the device has memory of its own
#pragma omp target map(to: separate)
    separate = 0; // rex-ignore: lost-result: that the host keeps its own is asked
    Pair present{1, 2};
#pragma omp target data map(to: present)
    {
        present.a = 3;
#pragma omp target map(from: got)
        got = present.a; // rex-ignore: stale: that the device keeps its own is asked
    }
    check("on the device", got, separate ? 1 : 3);
    Registered r(4);
    r.value = 5;
#pragma omp target map(from: got)
    got = r.value; // rex-ignore: stale: that the device keeps its own is asked
    check("mapped by its constructor", got, separate ? 4 : 5);
    Pair p{1, 2};
#pragma omp target
    *p.first() = 8; // rex-ignore: lost-result: it is mapped with the region
#pragma omp target
    p.same().b = 9;
    check("changed through a method", p.a * 10 + p.b, 89);
    Kept kept(6);
#pragma omp target map(from: got)
    got = kept.value;
    check("that knows its address", got, 6);
    return report();
}

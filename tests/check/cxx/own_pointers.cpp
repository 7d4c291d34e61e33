// Pointers in objects that a region has, and those that are null.
#include <string>
#include <utility>
#include <vector>

static double iterated(const std::vector<double> &v, int n)
{
    double s = 0;
    auto first = v.begin();
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < n; i++)
        s += first[i]; // rex-expect: unmapped-pointer
    const double *p = v.data();
#pragma omp target teams distribute parallel for reduction(+: s) map(to: p[0:n])
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}

template <typename F> void for_each(int n, F f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        f(i);
}

static int by_closure(int n)
{
    int *a = new int[n](), *b = new int[n]();
#pragma omp target data map(to: a[0:n])
    for_each(n, [=](int i) { b[i] = a[i]; }); // rex-expect: unmapped-pointer
#pragma omp target data map(to: a[0:n]) map(from: b[0:n])
    for_each(n, [=](int i) { b[i] = a[i]; });
    int found = b[0];
    delete[] a;
    delete[] b;
    return found;
}

static int in_strings(int n)
{
    std::string text;
    for (int i = 0; i < n; i++)
        text += 'a';
    int found = 0;
#pragma omp target teams distribute parallel for map(to: text) reduction(+: found)
    for (int i = 0; i < n; i++)
        found += text[i] == 'a'; // rex-expect: unmapped-pointer
    const char *s = text.c_str();
#pragma omp target teams distribute parallel for map(to: s[0:n]) reduction(+: found)
    for (int i = 0; i < n; i++)
        found += s[i] == 'a';
    return found;
}

static double in_elements(int n)
{
    std::vector<std::vector<double>> m(n, std::vector<double>(n, 1.0));
    std::vector<double> *p = m.data();
    double s = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: s)
    for (int i = 0; i < n; i++)
        s += p[i][0]; // rex-expect: unmapped-pointer
    return s;
}

struct Bin {
    int *counts;
    explicit Bin(int *c) : counts(c) {}
    void operator()(int v) const { counts[v & 15]++; } // rex-expect: reduction (likely)
    void once(int i) const { counts[i]++; }
};

static void counted(const int *v, int *c, int n)
{
#pragma omp target teams distribute parallel for map(to: v[0:n]) map(tofrom: c[0:16])
    for (int i = 0; i < n; i++) {
        Bin add(c);
        add(v[i]);
    }
#pragma omp target teams distribute parallel for map(tofrom: c[0:16])
    for (int i = 0; i < 16; i++) {
        Bin add(c);
        add.once(i);
    }
}

template <bool Leaves> struct Moved {
    int *p_ = nullptr;
    int n_ = 0;
    Moved() = default;
    explicit Moved(int n) : p_(new int[n]()), n_(n)
    {
#pragma omp target enter data map(to: p_[0:n_])
    }
    Moved(const Moved &) = delete;
    Moved &operator=(Moved &&other)
    {
        if (Leaves) {
#pragma omp target exit data map(delete: other.p_[0:other.n_])
        }
        p_ = std::exchange(other.p_, nullptr);
        n_ = std::exchange(other.n_, 0);
        return *this;
    }
    ~Moved()
    {
        if (p_) {
#pragma omp target exit data map(delete: p_[0:n_]) // rex-expect: double-release (likely)
        }
        delete[] p_;
    }
    int first() const
    {
        int s = 0;
        const int *p = p_;
#pragma omp target map(from: s)
        s = p[0]; // rex-expect: unmapped-pointer
        return s;
    }
};

struct Freed {
    float *data;
    int n;
    explicit Freed(int count) : data(new float[count]()), n(count)
    {
#pragma omp target enter data map(to: data[0:n]) // rex-expect: leak
    }
    ~Freed()
    {
        delete[] data;
#pragma omp target exit data map(release: data[0:n])
    }
};

int main()
{
    std::vector<double> v(50, 1.0);
    int counts[16] = {}, values[20] = {};
    Moved<false> kept;
    kept = Moved<false>(10);
    Moved<true> gone;
    gone = Moved<true>(10);
    Freed freed(256);
    float *p = freed.data;
#pragma omp target teams distribute parallel for map(tofrom: p[0:256])
    for (int i = 0; i < 256; i++)
        p[i] += 2;
    counted(values, counts, 20);
    return (int)iterated(v, 50) + by_closure(10) + in_strings(300) + (int)in_elements(5) + kept.first() + gone.first();
}

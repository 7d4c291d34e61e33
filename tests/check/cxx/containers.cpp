// Vectors, arrays and pointers of the standard library, with their sizes, and objects that have them.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <list>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

static int read_back(int n)
{
    std::vector<int> counts(n, 0);
    int *c = counts.data();
    const int size = static_cast<int>(counts.size());
#pragma omp target enter data map(to: c[0:size])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < size; ++i)
        c[i] += i;
    int total = std::accumulate(counts.begin(), counts.end(), 0); // rex-expect: stale (likely)
    for (int one : counts) // rex-expect: stale (likely)
        total += one;
#pragma omp target update from(c[0:size])
    for (int one : counts)
        total += one;
#pragma omp target exit data map(delete: c[0:counts.size()])
    return total;
}

static double sum_of_filled()
{
    std::array<double, 24> sums;
    double *s = sums.data();
#pragma omp target teams distribute parallel for map(from: s[0:24])
    for (int i = 0; i < 24; ++i)
        s[i] += 2 * i; // rex-expect: unset
    sums.fill(1);
#pragma omp target teams distribute parallel for map(tofrom: s[0:sums.size()])
    for (int i = 0; i < 24; ++i)
        s[i] += 2 * i;
    std::array<double, 8> small{};
    double *p = small.data();
#pragma omp target teams distribute parallel for map(tofrom: p[0:small.size()])
    for (int i = 0; i <= 8; ++i)
        p[i] = i; // rex-expect: bounds
    return sums[3];
}

static int sum_of_owned(int n)
{
    std::unique_ptr<int[]> owner(new int[n]);
    auto made = std::make_unique<int[]>(n);
    int *a = owner.get(), *b = made.get(), sum = 0;
    for (int i = 0; i < n; ++i)
        owner[i] = i;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += a[i]; // rex-expect: unmapped-pointer
#pragma omp target teams distribute parallel for reduction(+: sum) map(to: a[0:n], b[0:n])
    for (int i = 0; i < n; ++i)
        sum += a[i] + b[i];
    return sum;
}

class Queue {
    std::vector<int> items;

public:
    explicit Queue(int n) : items(n) {}
    void launch()
    {
        int *p = items.data();
        int n = items.size();
#pragma omp target teams distribute parallel for map(tofrom: p[0:n]) nowait
        for (int i = 0; i < n; ++i)
            p[i] = i * i;
    }
    int at(int i) const { return items[i]; } // rex-expect: nowait (likely)
    int first_after_all() const
    {
#pragma omp taskwait
        return items.front();
    }
};

static int wait_late(Queue *queue)
{
    Queue own(25);
    own.launch();
    int one = own.at(3);
    one += own.first_after_all();
    queue->launch();
    return one + queue->first_after_all();
}

struct Points {
    double x, y;
};

template <int Count>
static void rotate(std::vector<Points> &points, const double *in)
{
    Points *p = points.data(), old;
    const int n = points.size();
#pragma omp target teams distribute parallel for map(tofrom: p[0:n]) map(alloc: old)
    for (int i = 0; i < n; ++i) {
        old = p[i]; // rex-expect: race
        p[i].x = -old.y;
    }
#pragma omp target teams distribute parallel for map(tofrom: p[0:n]) private(old) map(to: in[0:n])
    for (int i = 0; i < n; ++i) {
        old = p[i];
        p[i].x = -old.y;
        for (int k = 0; k < Count; ++k)
            p[i].y += in[i + k]; // rex-expect: bounds
    }
}

// An object that is derived from another, has one, and is made by new.
class Mapped {
public:
    std::vector<double> values;
    explicit Mapped(int n) : values(n)
    {
        double *p = values.data();
#pragma omp target enter data map(to: p[0:n])
    }
    ~Mapped()
    {
        double *p = values.data();
#pragma omp target exit data map(delete: p[0:values.size()])
    }
};
class Derived : public Mapped {
public:
    Mapped other;
    explicit Derived(int n) : Mapped(n), other(2 * n) {}
    double sum(int first = 0)
    {
        double s = 0, *p = values.data(), *q = other.values.data();
        int n = values.size();
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = first; i < n; ++i)
            s += p[i] + q[i];
        values[0] = s;
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = 0; i < n; ++i)
            s += p[i]; // rex-expect: stale
        return s;
    }
};

// Vectors that grow, are swapped, or keep their memory.
static double grows_while_mapped(int n)
{
    std::vector<double> values(n, 1.0), others(n);
    double *v = values.data();
#pragma omp target enter data map(to: v[0:n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        v[i] *= 2;
    values.push_back(3); // rex-expect: leak (likely)
    others.push_back(4);
#pragma omp target exit data map(from: v[0:n])
    return values[0] + others[0];
}

struct Steps {
    double *p_;
    int n_;
    Steps(double *p, int n) : p_(p), n_(n)
    {
#pragma omp target enter data map(to: p_[0:n_])
    }
    ~Steps()
    {
#pragma omp target exit data map(delete: p_[0:n_])
    }
    void twice()
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n_; ++i)
            p_[i] *= 2;
    }
    double sum() const { return std::accumulate(p_, p_ + n_, 0.0); } // rex-expect: stale (likely)
};

static double sum_of_old(double *p)
{
    Steps steps(p, 10);
    steps.twice();
    return steps.sum();
}

static double grown(int n)
{
    std::vector<double> now, next, kept(n);
    now.resize(n);
    for (int i = 0; i < n; ++i)
        next.push_back(i);
    std::swap(now, next);
    double *p = now.data(), *q = next.data(), *k = kept.data();
#pragma omp target enter data map(to: k[0:n])
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: q[0:n])
    for (int i = 0; i < n; ++i)
        q[i] = p[i];
    kept.assign(n, 1.0);
    double *again = kept.data();
#pragma omp target update to(again[0:n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        again[i] += 1;
#pragma omp target exit data map(from: k[0:n])
    return kept[0] + next.back();
}

// What the library is given to print or to compute with, and a guard that is a template.
template <class T, int Count>
struct Guard {
    T *p;
    T *buffer = new T[Count];
    explicit Guard(std::vector<T> &owner) : p(owner.data())
    {
#pragma omp target enter data map(to: p[0:Count])
    }
    ~Guard()
    {
#pragma omp target exit data map(release: p[0:Count]) // rex-expect: double-release (likely)
        delete[] buffer;
    }
};

static void print(std::vector<double> &values)
{
    double *p = values.data();
    auto start = std::chrono::steady_clock::now();
    Guard<double, 10> guard(values);
    std::cout << "begins\n";
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 10; ++i)
        p[i] += i;
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::cout << time.count() << " s: " << values[3] << std::endl; // rex-expect: stale
#pragma omp target update from(p[0:10])
    std::cout << values[3] << std::endl;
#pragma omp target exit data map(from: p[0:10])
}

static int left_on_the_device(int i)
{
    std::vector<int> numbers(10);
    int *n = numbers.data();
#pragma omp target enter data map(to: n[0:10]) // rex-expect: leak
    return n[i];
}

// What is given back, or thrown past, while it is mapped.
double larger_while_mapped()
{
    std::vector<double> values(20, 1.0), as_before(20, 1.0);
    double *v = values.data(), *k = as_before.data();
#pragma omp target enter data map(to: v[0:20], k[0:20])
    values.resize(4000); // rex-expect: leak (likely)
    as_before.resize(20);
#pragma omp target exit data map(delete: v[0:20], k[0:20])
    return values[0] + as_before[0];
}

void reset_while_mapped(int n)
{
    std::unique_ptr<double[]> mapped(new double[n]), removed(new double[n]), null(new double[n]);
    double *p = mapped.get(), *q = removed.get(), *r = null.get();
#pragma omp target enter data map(alloc: p[0:n]) // rex-expect: leak
#pragma omp target enter data map(alloc: q[0:n])
#pragma omp target enter data map(alloc: r[0:n]) // rex-expect: leak
    mapped.reset();
#pragma omp target exit data map(delete: q[0:n])
    removed.reset(new double[2 * n]);
    null = nullptr;
}

double thrown_past(const std::vector<double> &v, int n)
{
    const double *past = v.data();
    if (n < 0)
        throw n;
#pragma omp target enter data map(to: past[0:n]) // rex-expect: leak (likely)
    if (v[0] < 0)
        throw v[0];
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += past[i];
#pragma omp target exit data map(delete: past[0:n])
    return s;
}

double caught_at_once(const std::vector<double> &v, int n)
{
    const double *kept = v.data();
    double s = 0;
#pragma omp target enter data map(to: kept[0:n])
    try {
        if (v[0] < 0)
            throw v[0];
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = 0; i < n; ++i)
            s += kept[i];
    } catch (double) {
        s = -1;
    }
#pragma omp target exit data map(delete: kept[0:n])
    return s;
}

struct View {
    double *data;
    int n;
    double &operator[](int i) const { return data[i]; }
};

static void fill(View w, double value)
{
#pragma omp target teams distribute parallel for map(to: w)
    for (int i = 0; i < w.n; ++i)
        w[i] = value; // rex-expect: unmapped-pointer
}

double thrown_past_and_in_braces()
{
    std::vector<double> v(31, 1.0);
    fill({v.data(), 31}, 4);
    return thrown_past(v, 31) + caught_at_once(v, 31);
}

int main()
{
    std::vector<int> until_the_end(10);
    int *u = until_the_end.data();
#pragma omp target enter data map(to: u[0:10]) // rex-expect: leak (likely)
    std::vector<Points> points(10);
    std::vector<double> in(10, 1.0);
    rotate<3>(points, in.data());
    print(in);
    Queue queue(4);
    auto *derived = new Derived(12);
    double sum = derived->sum();
    delete derived;
    auto owned = std::make_unique<Derived>(12);
    double plain[10] = {1};
    sum += sum_of_old(plain);
    std::printf("%d %g %d %d %g %g\n", read_back(10), sum_of_filled(), sum_of_owned(8), wait_late(&queue), sum, grown(9) + grows_while_mapped(9));
    return owned->sum() + left_on_the_device(1) > 0;
}

// What one method maps, another removes by another name.
class Resized {
public:
    void resize(int n)
    {
        int *q = new int[n]();
        drop();
        p_ = q;
        n_ = n;
#pragma omp target enter data map(to: q[0:n])
        int *forgotten = new int[n]();
#pragma omp target enter data map(to: forgotten[0:n]) // rex-expect: leak (likely)
    }
    void drop()
    {
        int *p = p_;
        if (p) {
#pragma omp target exit data map(delete: p[0:n_])
        }
        delete[] p_;
        p_ = nullptr;
    }

private:
    int n_ = 0, *p_ = nullptr;
};

static void enters(double *entered)
{
#pragma omp target enter data map(to: entered[0:8])
}

static void leaves(double *left)
{
#pragma omp target exit data map(delete: left[0:8])
}

void enters_and_leaves()
{
    Resized r;
    r.resize(3);
    r.drop();
    double x[8];
    enters(x);
    leaves(x);
}

// Iterators, and pointers that move, lead to elements.
long walked(int n)
{
    std::vector<int> v(60, 1);
    int x[4] = {1};
    long sum = 0;
#pragma omp target map(tofrom: sum)
    for (auto it = v.begin(); it != v.end(); ++it)
        sum += *it; // rex-expect: unmapped-pointer
#pragma omp target map(tofrom: sum)
    for (auto p = v.data(); p < v.data() + 60; p += 2) {
        sum += p[0]; // rex-expect: unmapped-pointer
        int *q = x;
        q++;
        sum += *q;
    }
    const int *first = v.data();
#pragma omp target map(to: first[0:60]) map(tofrom: sum)
    for (const int *p = first; p < first + 60; ++p)
        sum += *p;
    return sum + n;
}

// What has grown is memory of the host.
long grown_by_and_by(int n)
{
    std::vector<int> v;
    for (int i = 0; i < n; ++i)
        v.push_back(i);
    long sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += v[i]; // rex-expect: unmapped-pointer
    const int *p = v.data();
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += p[i];
    return sum;
}

// Nobody can map what a container leads to by its own pointer: also not who hands it to a function.
struct Weights
{
    std::vector<float> w;
    int n;
    void clear()
    {
#pragma omp target teams distribute parallel for map(tofrom: w)
        for (int i = 0; i < n; ++i)
            w[i] = 0; // rex-expect: unmapped-pointer
    }
};

int given(std::vector<int> &v, const std::string &text, const Weights &of, std::list<int> &list)
{
    int sum = 0, *p = v.data();
    const int n = v.size();
#pragma omp target data map(tofrom: p[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            v[i] = i; // rex-expect: unmapped-pointer
#pragma omp target teams distribute parallel for
        for (int i = 0; i < v.size(); ++i)
            p[i] += i;
    }
#pragma omp target map(to: v) map(tofrom: sum)
    for (int one : v) // rex-expect: unmapped-pointer
        sum += one;
#pragma omp target map(tofrom: sum)
    sum += text[0]; // rex-expect: unmapped-pointer
#pragma omp target map(to: of) map(tofrom: sum)
    sum += of.w.at(of.n); // rex-expect: unmapped-pointer
#pragma omp target map(tofrom: v)
    v.push_back(1); // rex-expect: unmapped-pointer
#pragma omp target map(to: list) map(tofrom: sum) // rex-expect: unmapped-pointer
    for (int one : list)
        sum += list.size() + one;
    return sum;
}

template <class T> struct Managed
{
    using value_type = T;
    T *allocate(std::size_t n);
    void deallocate(T *, std::size_t);
};

void managed(std::vector<int, Managed<int>> &v, std::unique_ptr<int[], void (*)(int *)> &p, int n, int *q)
{
#pragma omp target teams distribute parallel for map(tofrom: q[0:n])
    for (int i = 0; i < n; ++i) {
        std::vector<int> own(3);
        own[1] = i;
        v[i] = p[i];
        q[i] = own[1];
    }
}

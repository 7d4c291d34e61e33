/* Mistakes in C++: in methods, templates, closures, references, members, and containers of the standard library. */
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

constexpr int N = 50;
static volatile int seen;

template <class T>
struct Vec {
    T *data;
    int n;
    explicit Vec(int count) : data(new T[count]()), n(count) {}
    Vec(const Vec &) = delete;
    ~Vec() { delete[] data; } // rex-expect: freed-while-mapped
    const T &operator[](int i) const { return data[i]; }
    void enter()
    {
        T *p = data;
        const int count = n;
#pragma omp target enter data map(to: p[0:count])
    }
    void exit()
    {
        T *p = data;
        const int count = n;
#pragma omp target exit data map(from: p[0:count]) // rex-expect: double-release
    }
    void scale(T factor)
    {
        T *p = data;
        const int count = n;
#pragma omp target teams distribute parallel for map(tofrom: p[0:count])
        for (int i = 0; i < count; ++i)
            p[i] *= factor;
    }
    T last()
    {
        T *p = data, result{};
        const int count = n;
#pragma omp target map(to: p[0:count - 1]) map(from: result)
        result = p[count - 1]; // rex-expect: outside-section
        return result;
    }
    T sum()
    {
        T *p = data, result{};
        const int count = n;
#pragma omp target teams distribute parallel for map(to: p[0:count]) map(tofrom: result)
        for (int i = 0; i < count; ++i)
            result += p[i]; // rex-expect: race
        return result;
    }
};

static void methods()
{
    Vec<int> v(N);
    Vec<double> w(N);
    seen = v.last() + static_cast<int>(w.sum());
}

static void read_while_mapped()
{
    Vec<int> v(N);
    v.enter();
    v.scale(2);
    seen = v.data[3]; // rex-expect: stale-read-on-host
    v.exit();
    seen = v.data[3];
}

static void never_unmapped()
{
    auto v = std::make_unique<Vec<int>>(N);
    v->enter();
}

static void unmapped_twice()
{
    Vec<int> v(N);
    v.enter();
    v.exit();
    v.exit();
}

static void operators()
{
    Vec<int> v(N);
    int *p = v.data;
#pragma omp target data map(to: p[0:N])
    {
#pragma omp target
        p[2] = 3;
    }
    seen = v[2]; // rex-expect: dropped-result
}

static void growing()
{
    std::vector<int> v(4, 1);
    int *p = v.data(), result = 0;
#pragma omp target is_device_ptr(p) map(from: result)
    result = p[3]; // rex-expect: unmapped-access
    seen = result;
#pragma omp target enter data map(to: p[0:4])
    v.push_back(3); // rex-expect: freed-while-mapped
}

static void captured(int *host)
{
    int result = 0;
    auto get = [host](int i) { return host[i]; }; // rex-expect: unmapped-access
#pragma omp target map(to: get) map(from: result)
    result = get(2);
    seen = result;
}

static void add(int &sum, int i)
{
    sum += i; // rex-expect: race
}

static void references()
{
    int sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: sum)
    for (int i = 0; i < N; ++i)
        add(sum, i);
    seen = sum;
}

struct Box {
    int low, high;
    int size() const { return high - low; } // rex-expect: stale-read-on-device
};

static void objects()
{
    Box box{1, 4};
    int result = 0;
#pragma omp target enter data map(to: box)
    box.high = 9;
#pragma omp target map(from: result)
    result = box.size();
#pragma omp target update to(box)
#pragma omp target map(from: result)
    result = box.size();
#pragma omp target exit data map(release: box)
    seen = result;
}

struct Holder {
    int *values;
    int second()
    {
        int result = 0;
#pragma omp target map(from: result)
        result = values[1]; // rex-expect: unmapped-access
        return result;
    }
};

template <class F>
static void each(int n, int *p, F f)
{
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; ++i)
        f(p, i, n);
}

struct Shift {
    void operator()(int *p, int i, int n) const
    {
        if (i + 1 < n)
            p[i] = p[i + 1]; // rex-expect: race
    }
};

struct Double {
    void operator()(int *p, int i, int) const { p[i] *= 2; }
};

static void arrays()
{
    std::array<int, 8> a;
#pragma omp target map(from: a)
    for (int i = 0; i < 7; ++i)
        a[i] = i;
    seen = a[6];
    seen = a[7]; // rex-expect: uninitialised-read
    double *p = new double[N], result = 0;
    p[0] = 1;
#pragma omp target map(to: p[0:N]) map(from: result)
    result = p[0] + p[9]; // rex-expect: uninitialised-read
    seen = static_cast<int>(result);
    delete[] p;
}

struct Limits {
    static int most;
};
#pragma omp declare target
int Limits::most = 4;
#pragma omp end declare target

static void static_members()
{
    int result = 0;
    Limits::most = 8;
#pragma omp target map(from: result)
    result = Limits::most; // rex-expect: stale-read-on-device
    seen = result;
}

static void device_memory()
{
    int *p = static_cast<int *>(omp_target_alloc(40, omp_get_default_device()));
    p[0] = 1; // rex-expect: device-memory-on-host
    omp_target_free(p, omp_get_default_device());
}

static int own_copy()
{
    int n = 3;
#pragma omp target
    n += 4;
    return n; // rex-expect: dropped-result
}

struct Sum {
    long value;
};

static void members()
{
    Sum sum{0};
#pragma omp target teams distribute parallel for map(tofrom: sum)
    for (int i = 0; i < N; ++i)
        sum.value += i; // rex-expect: race
    seen = static_cast<int>(sum.value);
}

static void deferred(int *p)
{
#pragma omp target nowait map(tofrom: p[0:N])
    p[0] = 4;
    seen = *std::max_element(p, p + N); // rex-expect: nowait
#pragma omp taskwait
    seen = *std::max_element(p, p + N);
}

static void lists(const int *p)
{
    int result = 0;
#pragma omp target map(to: p[0:10]) map(tofrom: result)
    for (int i : {1, 5, 10})
        result += p[i]; // rex-expect: outside-section
    seen = result;
}

static void threads()
{
    std::vector<int> v(N);
    int *p = v.data();
#pragma omp parallel num_threads(3)
    {
#pragma omp target map(tofrom: p[0:N])
        p[0] += 1; // rex-expect: race
    }
}

struct Point {
    double x, y, z;
};

static void copies()
{
    Point a[4], b[4];
#pragma omp target map(alloc: a) map(from: b)
    for (int i = 0; i < 4; ++i)
        b[i] = a[i]; // rex-expect: uninitialised-read
    seen = static_cast<int>(b[0].x);
}

struct Span {
    int *first;
    int n;
    int *begin() const { return first; }
    int *end() const { return first + n; }
};

static void spans(int *p)
{
    const Span span{p, N};
    int result = 0;
#pragma omp target data map(to: p[0:N])
    {
        for (int &x : span)
            x = 5;
#pragma omp target update to(p[0:N - 1])
#pragma omp target map(from: result)
        result = p[0] + p[N - 1]; // rex-expect: stale-read-on-device
        seen = result;
    }
}

// What a clause says of the object is said of its members.
struct Counter {
    int hits = 0, misses = 0;
    void count()
    {
#pragma omp target map(to : this[0:1])
        hits = misses + 1;
    }
    void count_back()
    {
#pragma omp target map(tofrom : this[0:1])
        misses = hits + 1;
    }
};

static void listed_objects()
{
    Counter lost, kept;
    lost.count();
    seen = lost.hits; // rex-expect: dropped-result
    kept.count_back();
    seen = kept.misses;
}

int main()
{
    int *host = static_cast<int *>(calloc(N, sizeof(int)));
    methods();
    read_while_mapped();
    never_unmapped();
    unmapped_twice();
    operators();
    growing();
    captured(host);
    references();
    objects();
    seen = Holder{host}.second();
    each(N, host, Shift{});
    each(N, host, Double{});
    arrays();
    static_members();
    device_memory();
    seen = own_copy();
    members();
    deferred(host);
    lists(host);
    threads();
    copies();
    spans(host);
    listed_objects();
    free(host);
    return 0;
}

// What objects begin and end with is followed: base classes, members with values of their own, static members, memory that
// methods hand on, and destructors of templates.
#include <complex>
#include <vector>

struct Limits {
    static int most;
};
#pragma omp declare target
int Limits::most = 4;
#pragma omp end declare target

static int static_member()
{
    int result = 0;
    Limits::most = 8;
#pragma omp target map(from: result)
    result = Limits::most; // rex-expect: stale
#pragma omp target update to(Limits::most)
#pragma omp target map(tofrom: result)
    result += Limits::most;
    return result;
}

struct Owner {
    int *values = new int[10]();
    ~Owner() { delete[] values; }
};
template <class T>
struct Twice : Owner {
    T other = 2;
    T sum()
    {
        T s = 0;
#pragma omp target map(tofrom: s)
        s += values[1]; // rex-expect: unmapped-pointer
#pragma omp target map(tofrom: s) map(to: values[0:10])
        s += values[1] * other;
        return s;
    }
};

template <class T>
class Mapped {
    T *data;

public:
    explicit Mapped(int n) : data(new T[n]())
    {
#pragma omp target enter data map(to: data[0:n])
    }
    ~Mapped()
    {
#pragma omp target exit data map(delete: data[0:10])
        delete[] data;
    }
    void fill()
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < 10; ++i)
            data[i] = i;
    }
    T &first() { return data[0]; }
};

static double of_template()
{
    Mapped<double> mapped(10);
    mapped.fill();
    return mapped.first(); // rex-expect: stale
}

static int of_vector(int n)
{
    std::vector<int> numbers(n, 1);
    int *p = numbers.data();
#pragma omp target teams distribute parallel for map(to: p[0:n])
    for (int i = 0; i < n; ++i)
        p[i] += 1; // rex-expect: lost-result
    return numbers[0];
}

int main()
{
    Twice<long> twice;
    return static_member() + twice.sum() + of_template() + of_vector(10);
}

// What methods and functions do to members of an object that all threads share
struct Tally {
    int hits = 0, most = 0;
    void operator()(int) { hits++; }           // rex-expect: reduction
    void larger(int v)
    {
        if (v > 10)
            most += v; // rex-expect: reduction (likely)
    }
    void safely(int v)
    {
#pragma omp atomic
        hits += v;
    }
};

static void raise(Tally &t, int v) { t.most += v; } // rex-expect: reduction

int tallies(int n, const int *p)
{
    Tally called, conditional, given, safe;
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: called)
    for (int i = 0; i < n; ++i)
        called(p[i]);
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: conditional)
    for (int i = 0; i < n; ++i)
        conditional.larger(p[i]);
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: given)
    for (int i = 0; i < n; ++i)
        raise(given, p[i]);
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: safe)
    for (int i = 0; i < n; ++i) {
        Tally own;
        own(p[i]);
        own.larger(p[i]);
        safe.safely(own.hits + own.most);
    }
    return called.hits + conditional.most + given.most + safe.hits;
}

// Each thread has an element of its own
struct Sized {
    int size = 0;
    Sized() = default;
    explicit Sized(int n) : size(n) {}
    void grow(int n) { size += n; }
};

int elements(int n, const int *p)
{
    Sized all[64], inner[8][8];
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(from: all)
    for (int i = 0; i < 64; ++i)
        all[i] = Sized(p[i]);
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: all, inner)
    for (int i = 0; i < 8; ++i) {
        all[i].grow(p[i]);
        Sized &own = inner[i][2];
        own.grow(all[i].size);
    }
    std::complex<float> made[64], changed[64];
    const std::complex<double> wide(1.5, -2);
#pragma omp target teams distribute parallel for map(from: made) map(to: wide)
    for (int i = 0; i < 64; ++i)
        made[i] = std::complex<float>(wide);
#pragma omp target teams distribute parallel for map(from: changed)
    for (int i = 0; i < 64; ++i)
        changed[i] *= 2.0f; // rex-expect: unset
    return all[3].size + inner[1][2].size;
}

template <class F> static void for_each_index(int n, F f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        f(i);
}

void counted_in_a_copy(int n)
{
    int hits = 0;
    for_each_index(n, [=](int) mutable { hits += 1; }); // rex-expect: reduction
}

// What a region gives new values to needs nothing of what was copied there, wherever its pointer leads
double scratch_memory(int passes)
{
    std::vector<double> x(64), y(64);
    double *px = x.data(), *py = y.data();
#pragma omp target data map(tofrom: px[0:64]) map(alloc: py[0:64])
    for (int pass = 0; pass < passes; ++pass) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < 64; ++i)
            py[i] = (px[i] + px[(i + 1) % 64]) / 2;
        std::swap(px, py);
    }
    std::vector<double> z(64);
    double *pz = z.data();
#pragma omp target data map(alloc: pz[0:64])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < 64; ++i)
            pz[i] = i; // rex-expect: lost-result (likely)
    }
#pragma omp target teams distribute parallel for map(tofrom: py[0:64], pz[0:64])
    for (int i = 0; i < 64; ++i)
        py[i] = pz[i] = i;
    return y[3] + z[5];
}

// A pointer in a structure that is copied to the device as it is leads nowhere there, also if what it leads to is mapped
struct Lines {
    float *first;
    int n;
    void raise(int i, float v) const { first[i] += v; } // rex-expect: unmapped-pointer
};

float lines()
{
    float y[64] = {};
    const Lines s{y, 64};
#pragma omp target teams distribute parallel for map(tofrom: y)
    for (int i = 0; i < 64; ++i)
        s.raise(i, 1);
    return y[3];
}

// The same in a closure that a layer takes to its region, and where a variable of the member's name is mapped.
template <class Body> void layer(int n, Body body)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        body(i);
}

float views_in_closures()
{
    float y[64] = {};
    float *first = y;
    const Lines s{y, 64};
#pragma omp target data map(tofrom: first[0:64])
    {
        layer(64, [=](int i) { s.first[i] += 1; }); // rex-expect: unmapped-pointer
        layer(64, [=](int i) { first[i] += 1; });
        layer(64, [first = s.first](int i) { first[i] += 1; });
    }
    return y[3];
}

float view_that_nothing_maps()
{
    float y[64] = {};
    const Lines s{y, 64};
    layer(64, [=](int i) { s.first[i] += 1; }); // rex-expect: unmapped-pointer
    return y[3];
}

// A region that nothing instantiates does not hide what is wrong in others.
template <class T> void never(int n, T *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = 0;
}

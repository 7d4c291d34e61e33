// Regions in virtual methods of class templates, which nothing calls by name: instantiated explicitly, and by making objects.
// Also pointers to methods as template arguments, and arrays of objects with destructors in device code.
// reference: -O1
#include <cstdio>
#include <memory>
#include <vector>

template <class T>
class Stream {
public:
    virtual ~Stream() {}
    virtual void fill(T value) = 0;
    virtual void add(const T *x) = 0;
    virtual T sum() = 0;
};

template <class T>
class Field : public Stream<T> {
protected:
    int n;
    T *a;

public:
    explicit Field(int size);
    ~Field();
    virtual void fill(T value) override;
    virtual void add(const T *x) override
    {
        const int n = this->n;
        T *a = this->a;
        const auto twice = x[0] * 2;
#pragma omp target teams distribute parallel for map(to: x[0:n])
        for (int i = 0; i < n; ++i)
            a[i] += x[i] * twice;
    }
    virtual T sum() override;
};

template <class T>
Field<T>::Field(int size) : n(size), a(new T[size])
{
    T *a = this->a;
#pragma omp target enter data map(alloc: a[0:size])
}

template <class T>
Field<T>::~Field()
{
    T *a = this->a;
#pragma omp target exit data map(release: a[0:n])
    delete[] a;
}

template <class T>
void Field<T>::fill(T value)
{
    int n = this->n;
    T *a = this->a;
#pragma omp target teams distribute parallel for simd
    for (int i = 0; i < n; i++)
        a[i] = value + i;
}

template <class T>
T Field<T>::sum()
{
    T s{};
    int n = this->n;
    T *a = this->a;
#pragma omp target teams distribute parallel for simd reduction(+: s)
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
template class Field<float>; template class Field<double>;

template <class T, int N>
struct Step : Stream<T> { // nothing instantiates it explicitly
    T all[N] = {};
    void fill(T value) final
    {
        T v[N];
#pragma omp target teams distribute parallel for map(from: v)
        for (int i = 0; i < N; ++i)
            v[i] = value * i;
        for (int i = 0; i < N; ++i)
            all[i] = v[i];
    }
    void add(const T *) final {}
    T sum() final { return all[N - 1]; }
};

struct P {
    double x, y;
    double product() const { return x * y; }
};

template <class R, R (P::*M)() const>
R applied(const P *p, int n)
{
    R s = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += (p[i].*M)();
    return s;
}

struct Sum {
    double s;
    Sum() : s(0) {}
    void add(double x) { s += x; }
    ~Sum() {}
};

struct Counted {
    virtual ~Counted() {}
    virtual int sum(int n) const = 0;
};

template <class F>
struct Applied : Counted {
    F f;
    explicit Applied(F g) : f(g) {}
    int sum(int n) const override
    {
        int s = 0;
        F own = f;
#pragma omp target teams distribute parallel for reduction(+: s) firstprivate(own)
        for (int i = 0; i < n; ++i)
            s += own(i);
        return s;
    }
};

namespace hidden {
namespace {
struct Shifted {
    int by;
    int operator()(int i) const { return i + by; }
};
}
}

int main()
{
    const std::unique_ptr<Counted> shifted(new Applied<hidden::Shifted>(hidden::Shifted{3}));
    std::printf("%d\n", shifted->sum(5));
    const double x[4] = {1, 2, 3, 4};
    const float y[4] = {1, 2, 3, 4};
    std::vector<std::unique_ptr<Stream<double>>> doubles;
    doubles.emplace_back(new Field<double>(4));
    doubles.push_back(std::make_unique<Step<double, 5>>());
    for (auto &s : doubles) {
        s->fill(1.5);
        s->add(x);
        std::printf("%g ", s->sum());
    }
    std::unique_ptr<Stream<float>> f(new Field<float>(4));
    f->fill(2);
    f->add(y);
    const P p[2] = {{1, 2}, {3, 4}};
    double out[4];
#pragma omp target teams distribute parallel for map(to: x) map(from: out)
    for (int i = 0; i < 4; ++i) {
        Sum sums[2];
        for (int j = 0; j < 4; ++j)
            sums[j & 1].add(x[j] * i);
        out[i] = sums[0].s - sums[1].s;
    }
    std::printf("%g %g %g\n", f->sum(), applied<double, &P::product>(p, 2), out[3]);
}

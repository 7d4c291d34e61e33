// Closures that capture 'this' or '*this': members are those of the device's object.
// reference: -O1
#include "check.hpp"

template <class F> void for_each(int n, F f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        f(i);
}

class Field {
public:
    explicit Field(int n) : data(new double[n]()), n(n), scale(2)
    {
#pragma omp target enter data map(to: this[0:1]) map(to: data[0:n])
    }
    ~Field()
    {
#pragma omp target exit data map(delete: data[0:n]) map(delete: this[0:1])
        delete[] data;
    }
    void fill()
    {
        for_each(n, [=](int i) { data[i] = i * scale; });
    }
    void shift(double by)
    {
        for_each(n, [this, by](int i) { this->data[i] += by * weight(i); });
        for_each(n, [&](int i) { data[i] += by; });
    }
    double at(int i)
    {
#pragma omp target update from(data[0:n])
        return data[i];
    }
    int count(double above) const;

private:
    double weight(int i) const { return i % 2 ? scale : 0; }
    double *data;
    int n;
    double scale;
};

int Field::count(double above) const
{
    int found = 0;
    for_each(n, [&, this](int i) {
        if (data[i] > above) {
#pragma omp atomic
            ++found;
        }
    });
    return found;
}

class View {
public:
    View(double *data, int n) : data(data), n(n) {}
    void copies(const double *weights);

private:
    double weight(int i) const { return i % 2 ? scale : 0; }
    double *data;
    int n;
    double scale = 2;
};

void View::copies(const double *weights)
{
    for_each(n, [*this, weights](int i) { data[i] += scale + weight(i) + weights[i]; });
    auto both = [self = *this, this](int i) { return self.n + i - n; };
    double r[4];
#pragma omp target teams distribute parallel for map(from: r)
    for (int i = 0; i < 4; ++i)
        r[i] = both(i);
    check("a copy and the object", r[3], 3.0);
}

struct Counter {
    int count = 1;
    int run()
    {
        int r[3];
        auto next = [*this](int i) mutable { return count += i; };
#pragma omp target map(from: r)
        for (int i = 0; i < 3; ++i)
            r[i] = next(i);
        return r[2] * 10 + count;
    }
};

template <class T> struct Grid {
    T cells[32];
    T step;
    void advance(int times)
    {
        for (int t = 0; t < times; ++t)
            for_each(32, [=](int i) { cells[i] += step * static_cast<T>(t); });
    }
    T next(T v) const { return v + step; }
};


int main()
{
    {
        Field field(20);
        field.fill();
        field.shift(0.5);
        check("through this", field.at(3), 6 + 1 + 0.5);
        check("counted", field.count(20.0), 10);
    }
    double d[6] = {};
    const double weights[] = {1, 2, 3, 4, 5, 6};
    double *p = d;
    const double *q = weights;
#pragma omp target data map(tofrom: p[0:6]) map(to: q[0:6])
    View(p, 6).copies(q);
    check("a copy of the object", d[3], 2.0 + 2 + 4);
    check("a copy that changes", Counter().run(), 41);
    Grid<float> single{};
    Grid<long> whole{};
    single.step = 0.5F;
    whole.step = 2;
    single.advance(4);
    whole.advance(4);
    check("a class template", single.cells[31], 3.0F);
    check("its other instantiation", whole.cells[0], 12L);
    return report();
}

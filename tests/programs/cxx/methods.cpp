// Regions in methods, constructors and destructors: members by name and through this, private members and methods.
#include "check.hpp"

class Vector {
    int n_;
    double *data_;
    double scale_ = 2;
    double shift(double x) const { return x + scale_; }

public:
    explicit Vector(int n) : n_(n), data_(new double[n])
    {
        for (int i = 0; i < n; ++i)
            data_[i] = i;
#pragma omp target enter data map(to: this[0:1], data_[0:n_])
    }
    ~Vector()
    {
#pragma omp target exit data map(delete: data_[0:n_], this[0:1])
        delete[] data_;
    }
    void multiply(double factor)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n_; ++i)
            data_[i] *= factor * scale_;
    }
    double sum() const;
    void add_shifted();
    void fetch()
    {
#pragma omp target update from(data_[0:n_])
    }
    double operator[](int i) const { return data_[i]; }
};

double Vector::sum() const
{
    double total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total)
    for (int i = 0; i < n_; ++i)
        total += this->data_[i];
    return total;
}

void Vector::add_shifted()
{
    double *p = data_;
    int n = n_;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        p[i] = shift(p[i]);
}

struct Counter {
    int count = 0;
    int steps[3] = {1, 2, 3};
    static int limit;
    void run(int times)
    {
#pragma omp target
        {
            for (int i = 0; i < times && i < limit; ++i)
                count += steps[i % 3];
        }
    }
    static int doubled(int value)
    {
        int result = 0;
#pragma omp target map(from: result)
        result = value * 2;
        return result;
    }
};

int Counter::limit = 5;

struct Mesh {
    double *x;
    int n;
    void relax(double w)
    {
#pragma omp target teams distribute parallel for map(tofrom: this->x[0:n])
        for (int i = 0; i < this->n; ++i)
            this->x[i] *= w;
    }
};

int main()
{
    {
        Vector v(100);
        v.multiply(0.5);
        check("a method", v.sum(), 4950.0);
        v.add_shifted();
        v.fetch();
        check("a private method", v[10], 12.0);
    }
    Counter counter;
    counter.run(10);
    check("members by name", counter.count, 1 + 2 + 3 + 1 + 2);
    check("a static method", Counter::doubled(21), 42);
    double x[4] = {1, 2, 3, 4};
    Mesh mesh = {x, 4};
    mesh.relax(10);
    check("a section through this", x[3], 40.0);
    return report();
}

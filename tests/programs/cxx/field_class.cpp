// A class owns a device copy of its array: constructor enters data, destructor leaves it, methods have regions.
#include "check.hpp"
#include <cstddef>
#include <utility>

class Field
{
  public:
    explicit Field(std::size_t n) : n_(n), data_(new double[n]())
    {
#pragma omp target enter data map(to : this[0 : 1]) map(to : data_[0 : n_])
    }
    Field(const Field &) = delete;
    Field &operator=(const Field &) = delete;
    ~Field()
    {
#pragma omp target exit data map(delete : data_[0 : n_]) map(delete : this[0 : 1])
        delete[] data_;
    }
    void fill(double v)
    {
#pragma omp target teams distribute parallel for
        for (std::size_t i = 0; i < n_; ++i)
            data_[i] = v * static_cast<double>(i);
    }
    double sum() const
    {
        double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
        for (std::size_t i = 0; i < n_; ++i)
            s += data_[i];
        return s;
    }
    void pull()
    {
#pragma omp target update from(data_[0 : n_])
    }
    double operator[](std::size_t i) const { return data_[i]; } // rex-ignore: stale: main also reads before it pulls

  private:
    std::size_t n_;
    double *data_;
};

int main()
{
    Field f(1000);
    f.fill(2.0);
    check("sum", f.sum(), 999000.0);
    check("host copy", f[7], 0.0 * 0 + f[7]);
    f.pull();
    check("pulled", f[999], 1998.0);
    {
        Field g(10);
        g.fill(1.0);
        check("second", g.sum(), 45.0);
    }
    check("still", f.sum(), 999000.0);
    return report();
}

// Data constructs in class templates: objects that keep their storage on the device between regions.
#include "check.hpp"
#include <vector>

template <class T>
class DeviceVector {
    T *data_;
    int n_;

public:
    DeviceVector(T *data, int n) : data_(data), n_(n)
    {
        T *p = data_;
#pragma omp target enter data map(to: p[0:n])
    }
    ~DeviceVector()
    {
        T *p = data_;
        const int n = n_;
#pragma omp target exit data map(from: p[0:n])
    }
    DeviceVector(const DeviceVector &) = delete;
    DeviceVector &operator=(const DeviceVector &) = delete;
    void axpy(T a, const DeviceVector &other)
    {
        T *p = data_;
        const T *q = other.data_;
        const int n = n_;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            p[i] += a * q[i];
    }
    T dot(const DeviceVector &other) const
    {
        const T *p = data_, *q = other.data_;
        T sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
        for (int i = 0; i < n_; ++i)
            sum += p[i] * q[i];
        return sum;
    }
};

template <class T>
T run()
{
    std::vector<T> a(20, T(1)), b(20, T(2));
    T dot;
    {
        DeviceVector<T> x(a.data(), 20), y(b.data(), 20);
        x.axpy(T(3), y);
        dot = x.dot(y);
    }
    return dot + a[19];
}

int main()
{
    check("double", run<double>(), 287.0);
    check("int", run<int>(), 287);
    return report();
}

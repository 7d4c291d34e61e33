// A matrix class with move, copies on the device, present checks through omp_target_is_present, update in methods.
#include "check.hpp"
#include <omp.h>
#include <utility>
#include <vector>

template <class T> class DeviceArray
{
  public:
    DeviceArray() = default;
    explicit DeviceArray(int n, T v = T()) : size_(n), host_(new T[n])
    {
        for (int i = 0; i < n; i++)
            host_[i] = v;
        // rex-ignore: never-released: the pointer of an object that is moved away stays
#pragma omp target enter data map(to : host_[0 : size_])
    }
    DeviceArray(DeviceArray &&o) noexcept : size_(std::exchange(o.size_, 0)), host_(std::exchange(o.host_, nullptr)) {}
    DeviceArray &operator=(DeviceArray &&o) noexcept
    {
        std::swap(size_, o.size_);
        std::swap(host_, o.host_);
        return *this;
    }
    ~DeviceArray()
    {
        if (host_) {
#pragma omp target exit data map(delete : host_[0 : size_])
            delete[] host_;
        }
    }
    void update_host() { 
#pragma omp target update from(host_[0:size_])
    }
    void update_device(int first, int count)
    {
#pragma omp target update to(host_[first : count])
    }
    T *data() { return host_; }
    const T *data() const { return host_; }
    int size() const { return size_; }
    T &operator[](int i) { return host_[i]; }

  private:
    int size_ = 0;
    T *host_ = nullptr;
};

template <class T> void axpy(T a, const DeviceArray<T> &x, DeviceArray<T> &y)
{
    const T *px = x.data();
    T *py = y.data();
    int n = x.size();
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        py[i] += a * px[i];
}

int main()
{
    DeviceArray<double> x(100, 2.0), y(100, 1.0);
    axpy(3.0, x, y);
    y.update_host();
    check("axpy", y[50], 7.0);
    DeviceArray<double> z = std::move(y);
    z[4] = 100;
    z.update_device(4, 1);
    axpy(1.0, x, z);
    z.update_host();
    check("moved", z[4], 102.0);
    check("others", z[5], 9.0);
    std::vector<DeviceArray<int>> many;
    many.reserve(4);
    for (int k = 0; k < 4; k++)
        many.emplace_back(10, k);
    int s = 0;
    for (auto &m : many) {
        int *p = m.data();
#pragma omp target map(tofrom : s)
        for (int i = 0; i < 10; i++)
            s += p[i];
    }
    check("many", s, 60);
    return report();
}

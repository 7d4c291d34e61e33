// Functions of device code that throw, and templates that only the host can call: only what is called has to run there.
// cflags: -std=c++20
#include <omp.h>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

static int checked(const int *p, int n, int i)
{
    if (i < 0 || i >= n)
        throw std::out_of_range("index " + std::to_string(i));
    return p[i];
}

[[noreturn]] static void fail() noexcept { std::terminate(); }
static int expected(const int *p, int i) { return i >= 0 ? p[i] : (fail(), 0); }

template <class T>
struct View {
    T *p;
    int n;

    T &operator[](int i) const
    {
        switch (i < n) {
        case 0:
            throw i;
        default:
            return p[i];
        }
    }
};

namespace memory {
template <class T>
T *on_device(int n) { return static_cast<T *>(omp_target_alloc(n * sizeof(T), omp_get_default_device())); }
template <class T>
T *on_host(int n)
{
    T *p = static_cast<T *>(std::malloc(n * sizeof(T)));
    if (!p)
        std::exit(1);
    return p;
}
}

template <class T>
struct Sum {
    T value = 0;

    void take(int n, bool device) // of the host alone
    {
        T *p = device ? memory::on_device<T>(n) : memory::on_host<T>(n);
        value = p != nullptr;
        device ? omp_target_free(p, omp_get_default_device()) : std::free(p);
    }
    void take(T more) { value += more; }

    template <class From>
        requires
        requires(const From &from, Sum &to)
        {
            to.value = from[0];
        }
    Sum &operator=(const From &from)
    {
        value = from[0];
        return *this;
    }
};

template <class S, class T>
void give(S &sum, T more) { sum.take(more); }

int main()
{
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, s = 0;
    View<int> v{a, 8};
    Sum<int> host;
    host.take(4, false);
#pragma omp target teams distribute parallel for map(to: a, v, v.p[0:8]) reduction(+ : s)
    for (int i = 0; i < 8; ++i) {
        Sum<int> sum;
        sum = v;
        give(sum, checked(a, 8, i) + expected(a, i) - a[i]);
        s += sum.value + v[i];
    }
    std::printf("%d %d\n", s, host.value);
    return 0;
}

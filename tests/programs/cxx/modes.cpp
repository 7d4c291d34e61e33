// if constexpr, type traits, constexpr functions and static_assert within regions.
#include "check.hpp"
#include <type_traits>

enum class Mode { add, mul };

constexpr long ipow(long b, int e) { return e == 0 ? 1 : b * ipow(b, e - 1); }

template <Mode M, class T> void apply(T *v, int n)
{
    static_assert(std::is_arithmetic<T>::value, "numbers");
#pragma omp target teams distribute parallel for map(tofrom : v[0 : n])
    for (int i = 0; i < n; i++) {
        if constexpr (M == Mode::add) {
            v[i] += i;
        } else if constexpr (std::is_floating_point_v<T>) {
            v[i] *= T(0.5);
        } else {
            v[i] *= 3;
        }
        static_assert(ipow(2, 10) == 1024);
    }
}

int main()
{
    int a[10];
    double d[10];
    for (int i = 0; i < 10; i++)
        a[i] = d[i] = 2 * i;
    apply<Mode::add>(a, 10);
    apply<Mode::mul>(a, 10);
    apply<Mode::mul>(d, 10);
    check("a", a[9], 81);
    check("d", d[9], 9.0);
    Mode m = Mode::mul;
    long r[3];
#pragma omp target map(from : r) firstprivate(m)
    {
        switch (m) {
        case Mode::add: r[0] = 1; break;
        case Mode::mul: r[0] = 2; break;
        }
        r[1] = ipow(3, 4);
        constexpr long c = ipow(2, 20);
        r[2] = c;
    }
    check("r0", r[0], 2L);
    check("r1", r[1], 81L);
    check("r2", r[2], 1048576L);
    return report();
}

// Functions with variants for the device, for constructs and for the host, in namespaces and overloaded.
// reference: -fno-openmp
#include "check.hpp"
#include <type_traits>
#ifdef _OPENMP
#include <omp.h>
#endif

int plain(int x) { return x + 1; }
int on_device(int x) { return x + 2; }
int in_parallel(int x) { return x + 3; }
#pragma omp declare variant(on_device) match(construct = {target})
#pragma omp declare variant(in_parallel) match(construct = {parallel}, device = {kind(nohost)})
int of_constructs(int x);
int of_constructs(int x) { return plain(x); }

namespace app {
namespace detail {
double fast(double x) { return 2 * x; }
}
double other(double x) { return 3 * x; }
int other(int x) { return 4 * x; }
#pragma omp declare variant(detail::fast) match(device = {kind(nohost)})
inline double slow(double x) { return x; }
#pragma omp declare variant(other) match(device = {kind(nohost)})
inline int slow(int x) { return x; }
}

#ifdef _OPENMP
#pragma omp begin declare variant match(device = {kind(nohost)})
inline int delimited(int x)
{
    int sum = 0;
    for (int i = 0; i < 3; ++i) {
        sum += x;
    }
    return sum;
}
inline __attribute__((const)) long delimited(long x) noexcept { return 5 * x; }
#pragma omp end declare variant
#endif
inline int delimited(int x) { return x; }
inline long delimited(long x) { return x; }

#ifdef _OPENMP
#pragma omp begin declare variant match(device = {kind(host)})
inline int of_host(int x) { return -x; }
extern "C" {
int of_host_in_c(int x) { return -x; }
}
namespace app {
namespace detail {
inline int of_host(int x) { return -2 * x; }
}
}
#pragma omp end declare variant
#endif
inline int of_host(int x) { return x; }
extern "C" int of_host_in_c(int x) { return x; }
namespace app {
namespace detail {
inline int of_host(int x) { return 2 * x; }
}
}

// Functions that have no base, as portability layers write them: each is its own.
#ifdef _OPENMP
#pragma omp begin declare variant match(device = {kind(host)})
#endif
namespace app {
static constexpr bool on_host(bool is_host = true) { return is_host; }
template <class T, class = std::enable_if_t<!(sizeof(T) > sizeof(int)), T>>
T width(T x)
{
    for (int i = 0; i < 2; ++i)
        ++x;
    return x;
}
template <class T>
std::enable_if_t<(sizeof(T) > sizeof(int)), T> width(T x) { return x + 4; }
}
#ifdef _OPENMP
#pragma omp end declare variant
#pragma omp begin declare variant match(device = {kind(nohost)})
namespace app {
static constexpr bool on_host(bool is_host = false) { return is_host; }
template <class T, class = std::enable_if_t<!(sizeof(T) > sizeof(int)), T>>
T width(T x) { return x + 20; }
}
#pragma omp end declare variant
#endif
template <class T>
T by_place(T x)
{
    if constexpr (app::on_host())
        return x + 1;
    else
        return x + 10;
}

int calls_it(int x) { return delimited(x) + app::slow(x); }

template <class T>
T in_template(T x)
{
    T found = 0;
#pragma omp target map(tofrom: found)
    found = x + calls_it(1);
    return found;
}

struct Object {
    int value;
    int slow(int x) const { return value + x; }
    int inside() const
    {
        int found = 0;
#pragma omp target map(tofrom: found)
        found = slow(1) + app::slow(1);
        return found;
    }
};

int main()
{
    int found[8] = {}, several = 0, own[2] = {};
    bool is_device = false, has_openmp = false;
    double real = 0;
#pragma omp target map(tofrom: found, own, real, is_device, has_openmp)
    {
#ifdef _OPENMP
        is_device = !omp_is_initial_device();
        has_openmp = true;
#endif
        found[0] = of_constructs(10);
        found[1] = delimited(1);
        found[2] = static_cast<int>(delimited(2L));
        found[3] = of_host(4);
        found[4] = app::slow(2);
        real = app::slow(0.5);
        int (*const address)(int) = &plain;
        found[5] = address(1);
        found[6] = of_host_in_c(6);
        found[7] = app::detail::of_host(7);
        own[0] = by_place(1) + app::width(1);
        own[1] = static_cast<int>(app::width(1L));
    }
#pragma omp target teams distribute parallel for reduction(+: several)
    for (int i = 0; i < 10; ++i)
        several += of_constructs(0);
    check("on the host", of_constructs(10) == 11 && delimited(1) == 1 && app::slow(2) == 2 && calls_it(1) == 2, true);
    check("a variant of the host", of_host(4), has_openmp ? -4 : 4);
    check("variants in extern C and in a namespace", of_host_in_c(6) + app::detail::of_host(7), has_openmp ? -20 : 20);
    check("an address", found[5], 2);
    check("functions without a base", by_place(1) + app::width(1) + app::width(1L), 2 + 3 + 5L);
    check("one that has no other variant", own[1], 5);
    check("inside of target", found[0], has_openmp ? 12 : 11);
    if (is_device) {
        check("inside of parallel", several, 30);
        check("functions between directives", found[1] == 3 && found[2] == 10, true);
        check("not that of the host", found[3], 4);
        check("nor those in extern C and in a namespace", found[6] + found[7], 20);
        check("overloads in namespaces", found[4] == 8 && real == 1., true);
        check("functions that regions reach, in a template", in_template(1L), 1L + 3 + 4);
        check("those of the device", own[0], 11 + 21);
        check("a method of the same name", Object{5}.inside(), 6 + 4);
    }
    return report();
}

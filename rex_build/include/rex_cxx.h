/* What the host file and the device file of a C++ unit ask the C++ compiler.
 *
 * It is included in the user's translation unit, so it includes no headers and declares only names that begin with rex_.
 */
#ifndef REX_CXX_H
#define REX_CXX_H
#pragma GCC system_header

#ifdef __CUDACC__
#define REX_CXX_FN __host__ __device__ inline
/* nvcc compiles this builtin, but then it looks like the C library's function, which it takes for the host's. */
REX_CXX_FN constexpr int rex_ffs(unsigned long long value)
{
    return value ? __builtin_popcountll(value ^ (value - 1)) : 0;
}
#define __builtin_ffs(value) rex_ffs(value)
#define __builtin_ffsll(value) rex_ffs(value)
#else
#define REX_CXX_FN inline
#endif

/* Whether device code is for an instruction set, for context selectors. That of the host it never is. */
#ifndef __builtin_rex_isa
#define __builtin_rex_isa(sm, macro) rex_isa(sm)
#endif

/* The function that a call means which reaches different variants on the host and on the device. */
#ifdef REX_TEAM_SHARED
#define REX_VARIANT(host, device) device
/* What throws an exception ends the kernel, with a message that names the place: nothing could catch it. */
#define REX_THROWN() __assert_fail("no exception in device code", __FILE__, __LINE__, __func__)
#define REX_TERMINATED() __assert_fail("no std::terminate", __FILE__, __LINE__, __func__)
/* These types need no header in a device file: it includes those that declare other names. */
typedef decltype(sizeof 0) size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
namespace std {
using ::size_t;
using ::ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
}
#else
#define REX_VARIANT(host, device) host
#endif

/* The type of what a type may refer to: of F in `F &&f`. */
template <class T> struct rex_object { typedef T type; };
template <class T> struct rex_object<T &> { typedef T type; };
#if __cplusplus >= 201103L
/* The address of the function of a type, of several of one name. */
template <class F>
REX_CXX_FN constexpr F *rex_address(F *f)
{
    return f;
}
template <class T> struct rex_object<T &&> { typedef T type; };
#endif

#if __cplusplus >= 201103L
template <class... T> struct rex_types;
template <class T, T... Values> struct rex_values;
#if __cplusplus >= 201703L
template <auto... Values> struct rex_objects;
#endif
#endif

/* The type of what a pointer of the type P points to. */
template <class P> struct rex_pointee;
template <class T> struct rex_pointee<T *> { typedef T type; };

/* Names the type that `auto` is for a value: `decltype(rex_decayed(value))`. */
template <class T> T rex_decayed(T value);

/* How far two values of a loop variable are apart: a difference of pointers, or of integers modulo 2^64. */
template <class T, class U>
REX_CXX_FN unsigned long long rex_distance(T *low, U *high)
{
    return static_cast<unsigned long long>(high - low);
}

template <class T, bool Is_class = __is_class(T)>
struct rex_distances {
    template <class U>
    REX_CXX_FN static unsigned long long of(T low, U high)
    {
        if (sizeof(T) <= sizeof(int) && sizeof(U) <= sizeof(int))
            return static_cast<unsigned int>(high) - static_cast<unsigned int>(low);
        return static_cast<unsigned long long>(high) - static_cast<unsigned long long>(low);
    }
};
template <class T>
struct rex_distances<T, true> {
    template <class U>
    REX_CXX_FN static unsigned long long of(const T &low, const U &high)
    {
        return static_cast<unsigned long long>(high - low);
    }
};
template <class T, class U>
REX_CXX_FN unsigned long long rex_distance(T low, U high)
{
    return rex_distances<T>::of(low, high);
}

/* Nothing defines it: regions of templates that the unit does not instantiate call it. */
bool rex_instantiation_that_was_not_seen();

#if __cplusplus < 201103L
/* Until C++11 no template has an enumeration without a name, whose enumerators are numbers to this. */
inline unsigned long long rex_distance(long long low, long long high)
{
    return static_cast<unsigned long long>(high) - static_cast<unsigned long long>(low);
}
#endif

/* What a loop is bounded by: the least whole number that is no smaller than a bound of a floating type, or the largest that
 * is no larger. */
template <class B>
REX_CXX_FN B rex_above(B bound) { return bound; }
template <class B>
REX_CXX_FN B rex_below(B bound) { return bound; }
template <class B>
REX_CXX_FN long long rex_ceil(B bound)
{
    const long long whole = static_cast<long long>(bound);
    return whole + (static_cast<B>(whole) < bound);
}
template <class B>
REX_CXX_FN long long rex_floor(B bound)
{
    const long long whole = static_cast<long long>(bound);
    return whole - (static_cast<B>(whole) > bound);
}
REX_CXX_FN long long rex_above(float bound) { return rex_ceil(bound); }
REX_CXX_FN long long rex_above(double bound) { return rex_ceil(bound); }
REX_CXX_FN long long rex_below(float bound) { return rex_floor(bound); }
REX_CXX_FN long long rex_below(double bound) { return rex_floor(bound); }
#if __cplusplus < 201103L
#define REX_WHOLE(type)                                                                                                        \
    inline type rex_above(type bound) { return bound; }                                                                        \
    inline type rex_below(type bound) { return bound; }
REX_WHOLE(int)
REX_WHOLE(unsigned int)
REX_WHOLE(long)
REX_WHOLE(unsigned long)
#undef REX_WHOLE
#endif

/* How many steps a loop makes whose variable, of the type V, begins at `low` and goes up or down to the bound (OpenMP 5.2,
 * section 4.4.2). The step is the distance of two iterations in the loop's direction. */
template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_to(L low, B given, S step)
{
    V first = static_cast<V>(low);
    __typeof__(rex_above(given)) bound = rex_above(given);
    return first < bound ? static_cast<long long>((rex_distance(first, bound) - 1) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_through(L low, B given, S step)
{
    V first = static_cast<V>(low);
    __typeof__(rex_below(given)) bound = rex_below(given);
    return first <= bound ? static_cast<long long>(rex_distance(first, bound) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_down_to(L low, B given, S step)
{
    V first = static_cast<V>(low);
    __typeof__(rex_below(given)) bound = rex_below(given);
    return first > bound ? static_cast<long long>((rex_distance(bound, first) - 1) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_down_through(L low, B given, S step)
{
    V first = static_cast<V>(low);
    __typeof__(rex_above(given)) bound = rex_above(given);
    return first >= bound ? static_cast<long long>(rex_distance(bound, first) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_until(L low, B bound, S step)
{
    V first = static_cast<V>(low);
    return static_cast<long long>(rex_distance(first, bound) / static_cast<unsigned long long>(step));
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_down_until(L low, B bound, S step)
{
    V first = static_cast<V>(low);
    return static_cast<long long>(rex_distance(bound, first) / static_cast<unsigned long long>(step));
}

#if __cplusplus < 201103L
/* For enumerations without names, too. */
#define REX_STEPS_OF_NUMBERS(steps) \
    template <class V> \
    inline long long steps(long long low, long long bound, long long step) \
    { \
        return steps<V, long long, long long, long long>(low, bound, step); \
    }
REX_STEPS_OF_NUMBERS(rex_steps_to)
REX_STEPS_OF_NUMBERS(rex_steps_through)
REX_STEPS_OF_NUMBERS(rex_steps_down_to)
REX_STEPS_OF_NUMBERS(rex_steps_down_through)
REX_STEPS_OF_NUMBERS(rex_steps_until)
REX_STEPS_OF_NUMBERS(rex_steps_down_until)
#endif

#if __cplusplus >= 201103L /* before, C++ has neither lists of parameters nor closures */
/* The values of a list of parameters, of which a region has copies. */
template <class T>
struct rex_by_value {
    typedef T type;
    static_assert(!__is_class(T) || (__is_trivially_constructible(T, const T &) && __has_trivial_destructor(T)),
                  "a target region uses a list with a parameter that is not trivially copyable");
};
template <class T>
struct rex_by_value<const T> : rex_by_value<T> {};
template <class T>
struct rex_by_value<T &> : rex_by_value<T> {};
template <class T>
struct rex_by_value<T &&> : rex_by_value<T> {};
template <class... T>
struct rex_list {
    static const int count = 0;
};
template <class T, class... U>
struct rex_list<T, U...> {
    T first;
    rex_list<U...> rest;
    static const int count = 1 + rex_list<U...>::count;
};
#endif

#ifdef XOMP_CUDA_LIB_INLINED_CU
#include "rex_cxx_device.h"
#else
#include "rex_cxx_host.h"
#endif

#endif

/* What the device library asks of types. It does not use <type_traits> and <limits>, because a compiler takes longer to read
 * those than to compile most kernels. Included by xomp_cuda_lib_inlined.cu.
 */
#pragma once

template <bool Condition, class Yes, class No>
struct rex_choice {
    using type = Yes;
};
template <class Yes, class No>
struct rex_choice<false, Yes, No> {
    using type = No;
};
template <bool Condition, class Yes, class No>
using rex_conditional = typename rex_choice<Condition, Yes, No>::type;

template <bool Condition>
struct rex_enabled {};
template <>
struct rex_enabled<true> {
    using type = void;
};
template <bool Condition>
using rex_enable_if = typename rex_enabled<Condition>::type;

template <class T>
struct rex_plain {
    using type = T;
};
template <class T>
struct rex_plain<const T> {
    using type = T;
};
template <class T>
struct rex_plain<volatile T> {
    using type = T;
};
template <class T>
struct rex_plain<const volatile T> {
    using type = T;
};
/* The type without const and volatile. */
template <class T>
using rex_remove_cv = typename rex_plain<T>::type;

template <class T>
struct rex_referenced {
    using type = T;
};
template <class T>
struct rex_referenced<T &> {
    using type = T;
};
template <class T>
struct rex_referenced<T &&> {
    using type = T;
};
template <class T>
using rex_remove_reference = typename rex_referenced<T>::type;

template <class A, class B>
constexpr bool rex_is_same = false;
template <class T>
constexpr bool rex_is_same<T, T> = true;

template <class T, class... Others>
constexpr bool rex_is_one_of = (... || rex_is_same<rex_remove_cv<T>, Others>);

/* These are C's integers. __int128 is none of them, as in strict C++. */
template <class T>
constexpr bool rex_is_integral = rex_is_one_of<T, bool, char, signed char, unsigned char, short, unsigned short, int,
    unsigned int, long, unsigned long, long long, unsigned long long, wchar_t, char16_t, char32_t>;
template <class T>
constexpr bool rex_is_floating = rex_is_one_of<T, float, double, long double>;
template <class T>
constexpr bool rex_is_arithmetic = rex_is_integral<T> || rex_is_floating<T>;

template <class T, bool IsArithmetic = rex_is_arithmetic<T>>
constexpr bool rex_is_signed = T(-1) < T(0);
template <class T>
constexpr bool rex_is_signed<T, false> = false;
template <class T>
constexpr bool rex_is_unsigned = rex_is_arithmetic<T> && !rex_is_signed<T>;

/* The unsigned type of an integer's size. */
template <class T>
using rex_make_unsigned = rex_conditional<sizeof(T) == 1, unsigned char,
    rex_conditional<sizeof(T) == 2, unsigned short,
        rex_conditional<sizeof(T) == 4, unsigned int,
            rex_conditional<rex_is_one_of<T, long, unsigned long>, unsigned long, unsigned long long>>>>;

/* The type in which A and B are compared and combined. */
template <class T>
T rex_any();
template <class A, class B>
struct rex_common_type {
    using type = rex_remove_cv<rex_remove_reference<decltype(false ? rex_any<A>() : rex_any<B>())>>;
};
template <class A, class B>
using rex_common = typename rex_common_type<A, B>::type;

/* The largest or smallest value of a number's type. Floating-point types have infinities. */
template <class T>
constexpr T rex_limit(bool largest)
{
    if constexpr (rex_is_floating<T>) {
        return static_cast<T>(largest ? __builtin_huge_val() : -__builtin_huge_val());
    } else if constexpr (T(-1) > T(0)) {
        return largest ? T(-1) : T(0);
    } else {
        constexpr T half = static_cast<T>(static_cast<T>(1) << (sizeof(T) * 8 - 2));
        return static_cast<T>(largest ? half - 1 + half : -half - half);
    }
}

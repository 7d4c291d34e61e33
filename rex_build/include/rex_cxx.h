/* What the host file and the device file of a C++ unit ask the C++ compiler.
 *
 * It is included in the user's translation unit, so it includes no headers and declares only names that begin with rex_.
 */
#ifndef REX_CXX_H
#define REX_CXX_H
#pragma GCC system_header

#ifdef __CUDACC__
#define REX_CXX_FN __host__ __device__ inline
#else
#define REX_CXX_FN inline
#endif

/* How far two values of a loop variable are apart: a difference of pointers, or of integers modulo 2^64. */
template <class T>
REX_CXX_FN unsigned long long rex_distance(T *low, T *high)
{
    return static_cast<unsigned long long>(high - low);
}

template <class T, class U>
REX_CXX_FN unsigned long long rex_distance(T low, U high)
{
    return static_cast<unsigned long long>(high) - static_cast<unsigned long long>(low);
}

/* How many steps a loop makes whose variable, of the type V, begins at `low` and goes up or down to the bound (OpenMP 5.2,
 * section 4.4.2). The step is the distance of two iterations in the loop's direction. */
template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_to(L low, B bound, S step)
{
    V first = static_cast<V>(low);
    return first < bound ? static_cast<long long>((rex_distance(first, bound) - 1) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_through(L low, B bound, S step)
{
    V first = static_cast<V>(low);
    return first <= bound ? static_cast<long long>(rex_distance(first, bound) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_down_to(L low, B bound, S step)
{
    V first = static_cast<V>(low);
    return first > bound ? static_cast<long long>((rex_distance(bound, first) - 1) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_down_through(L low, B bound, S step)
{
    V first = static_cast<V>(low);
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

#endif

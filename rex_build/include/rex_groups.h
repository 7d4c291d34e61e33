/* Groups of neighbouring iterations, of which a thread loads narrow elements with one access.
 *
 * In `for (i = 0; i < n; ++i) ++count[image[i]];` the elements of 8 iterations are 8 bytes. A kernel asks rex_groups_of<8>(trip,
 * &image[0], ...) with the addresses of what iteration 0 reads. If some iteration reads aligned elements of all these arrays,
 * the groups begin there, and rex_group<8>(&image[i]) loads those of a group. The kernel runs the iterations outside of groups
 * in a loop of their own; rex_outside<8>(groups, k) is the number of the k-th of these. Where the arrays are not aligned alike,
 * there are no groups, and all iterations run there.
 * Included by xomp_cuda_lib_inlined.cu.
 */
#pragma once

/* The iteration in which the first group begins, and how many groups there are. */
struct rex_groups {
    long long first, groups;
};

template <typename T, int many>
struct alignas(sizeof(T) * many) rex_group_elements {
    T at[many];
};

/* How many elements lie between an address and the next one to which a group of them is aligned. */
template <int many, typename T>
REX_FN long long rex_before_group(const T *element)
{
    constexpr size_t size = sizeof(T) * many;
    const size_t over = reinterpret_cast<size_t>(element) % size;
    return over ? static_cast<long long>((size - over) / sizeof(T)) : 0;
}

template <int many, typename First, typename... Rest>
REX_FN rex_groups rex_groups_of(long long trip, const First *first, const Rest *...rest)
{
    const long long before = rex_before_group<many>(first);
#ifdef REX_DEVICE_CHECK
    const bool alike = false; /* the check looks at each iteration */
#else
    const bool alike = (... && (rex_before_group<many>(rest) == before));
#endif
    return {before, alike && before < trip ? (trip - before) / many : 0};
}

template <int many, typename T>
REX_FN rex_group_elements<T, many> rex_group(const T *first)
{
    return *reinterpret_cast<const rex_group_elements<T, many> *>(first);
}

template <int many>
REX_FN long long rex_outside(rex_groups groups, long long number)
{
    return number < groups.first ? number : number + groups.groups * many;
}

/* <stdarg.h>: arguments that belong to no parameter. Included by xomp_cuda_lib_inlined.cu. */
#pragma once

/* The type va_list of <stdarg.h> is an array with one of these. It says where the next argument is. */
struct rex_va_list {
    void *next;
    void *unused[2]; /* as large as the host's */
};

/* Arguments that belong to no parameter, each aligned for its type. */
template <class... T>
struct rex_arguments {
    alignas(16) char bytes[(0 + ... + (sizeof(T) + alignof(T)))];
};

REX_FN size_t rex_aligned(size_t place, size_t alignment) { return (place + alignment - 1) & ~(alignment - 1); }

template <class... T>
REX_FN rex_arguments<T...> rex_pack(T... values)
{
    rex_arguments<T...> packed;
    size_t end = 0;
    ((end = rex_aligned(end, alignof(T)), memcpy(packed.bytes + end, &values, sizeof(T)), end += sizeof(T)), ...);
    return packed;
}

template <class T>
REX_FN T rex_next_argument(void *&place)
{
    T value;
    char *const at = reinterpret_cast<char *>(rex_aligned(reinterpret_cast<size_t>(place), alignof(T)));
    memcpy(&value, at, sizeof(T));
    place = at + sizeof(T);
    return value;
}

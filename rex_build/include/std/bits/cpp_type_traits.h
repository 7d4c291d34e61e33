#pragma GCC system_header
#include "../rex_std_begin.h"
#ifdef __CUDACC__
/* Whether bytes are copied or compared in place of values. Then libstdc++ 13 calls a function that is only for hosts. */
#define __memcpyable rex_std_copied_as_bytes
#define __memcmpable rex_std_compared_as_bytes
#endif
#include_next <bits/cpp_type_traits.h>
#ifdef __CUDACC__
#undef __memcpyable
#undef __memcmpable
#ifndef REX_STD_BY_VALUE
#define REX_STD_BY_VALUE
namespace std {
template <class To, class From>
struct __memcpyable {
    enum { __value = 0 };
};
template <class Left, class Right>
struct __memcmpable {
    enum { __value = 0 };
};
} // namespace std
#endif
#endif
#include "../rex_std_end.h"

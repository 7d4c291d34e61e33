#pragma GCC system_header
#include "../rex_std_begin.h"
#if defined(__CUDACC__) && __cplusplus < 202002L
#define operator __attribute__((host)) __attribute__((device)) operator /* the assignments have no macro */
#endif
#include_next <bits/stl_pair.h>
#undef operator
#include "../rex_std_end.h"

#pragma GCC system_header
#include "../rex_std_begin.h"
#include_next <bits/functexcept.h>
#include "../rex_std_end.h"
/* Functions that would throw end the kernel on devices. nvcc takes those of libstdc++ for functions of the host. */
#if defined(__CUDACC__) && !defined(REX_STD_THROWS)
#define REX_STD_THROWS
namespace std {
using ::rex_std_trap;
}
#define __throw_bad_alloc(...) rex_std_trap()
#define __throw_bad_array_new_length(...) rex_std_trap()
#define __throw_invalid_argument(...) rex_std_trap()
#define __throw_length_error(...) rex_std_trap()
#define __throw_logic_error(...) rex_std_trap()
#define __throw_out_of_range(...) rex_std_trap()
#define __throw_out_of_range_fmt(...) rex_std_trap()
#define __throw_overflow_error(...) rex_std_trap()
#define __throw_range_error(...) rex_std_trap()
#define __throw_runtime_error(...) rex_std_trap()
#endif

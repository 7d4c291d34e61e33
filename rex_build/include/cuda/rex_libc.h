/* The parts of the C library that CUDA lacks, and gcc's builtins. Included by xomp_cuda_lib_inlined.cu for CUDA only,
 * because the cpu device has the C library itself.
 */
#pragma once

#include "rex_libc_ctype.h"
#include "rex_libc_stdlib.h"
#include "rex_libc_string.h"
#include "rex_libc_math.h"
#include "rex_libc_builtins.h"

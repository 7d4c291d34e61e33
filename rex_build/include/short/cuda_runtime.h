/* nvcc includes <cuda_runtime.h> in front of every file. Reading the whole of it takes longer than compiling a kernel, and
 * most of it is for host code and for C++. Files that include no headers but rex-build's own get this one instead. It has
 * CUDA's headers for device code only, and of them those whose functions C code or rex-build's library can call. It has
 * their functions declared as for NVRTC, which has no C++ library. For releases of CUDA whose headers it does not know, it
 * includes all of <cuda_runtime.h>.
 */
#pragma once

#if __CUDACC_VER_MAJOR__ == 12 || __CUDACC_VER_MAJOR__ == 13

#define __CUDA_INCLUDE_COMPILER_INTERNAL_HEADERS__
#define __CUDA_RUNTIME_API_H__           /* functions of the host, */
#define __CUDA_DEVICE_RUNTIME_API_H__    /* kernels that launch kernels, */
#define __TEXTURE_INDIRECT_FUNCTIONS_H__ /* textures and surfaces, */
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#define __SM_32_INTRINSICS_H__           /* loads with cache hints, funnel shifts, products of bytes: nothing uses them */
#define __SM_35_INTRINSICS_H__
#define __SM_61_INTRINSICS_H__
#define __cdecl
#define _CRTIMP

#include <features.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

namespace __gnu_cxx {
template <class, class>
struct __promote_2; /* the type of std::pow, which device code does not call */
}

#include "builtin_types.h"
#include "crt/host_defines.h"
#include "vector_functions.h"
#include "device_launch_parameters.h"
#define __CUDACC_RTC__ 1
#include "crt/common_functions.h"
#undef __CUDACC_RTC__
#undef assert
#include "crt/device_functions.h"

/* What the C library's headers and CUDA's declare beyond that for device code. */
extern "C" __host__ __device__ void __assert_fail(const char *, const char *, unsigned int, const char *) noexcept(true);

/* NVRTC knows these by itself. */
#define REX_FOR_DEVICE inline __host__ __device__
REX_FOR_DEVICE int signbit(float x) { return __signbitf(x); }
REX_FOR_DEVICE int signbit(double x) { return __signbit(x); }
REX_FOR_DEVICE int isfinite(float x) { return __finitef(x); }
REX_FOR_DEVICE int isfinite(double x) { return __finite(x); }
REX_FOR_DEVICE int isnan(float x) { return __isnanf(x); }
REX_FOR_DEVICE int isnan(double x) { return __isnan(x); }
REX_FOR_DEVICE int isinf(float x) { return __isinff(x); }
REX_FOR_DEVICE int isinf(double x) { return __isinf(x); }
#define REX_FLOAT_FUNCTION(name) REX_FOR_DEVICE float name(float x) { return name##f(x); }
REX_FLOAT_FUNCTION(fabs)
REX_FLOAT_FUNCTION(sqrt)
REX_FLOAT_FUNCTION(exp)
REX_FLOAT_FUNCTION(log)
REX_FLOAT_FUNCTION(sin)
REX_FLOAT_FUNCTION(cos)
REX_FLOAT_FUNCTION(sinh)
REX_FLOAT_FUNCTION(cosh)
REX_FOR_DEVICE float atan2(float y, float x) { return atan2f(y, x); }
REX_FOR_DEVICE float hypot(float x, float y) { return hypotf(x, y); }
REX_FOR_DEVICE float copysign(float size, float sign) { return copysignf(size, sign); }

#else
#include_next <cuda_runtime.h>
#endif

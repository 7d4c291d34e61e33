/* The functions of <complex.h> are the host's. Included by xomp_cuda_lib_inlined.cu. */
#pragma once

#define REX_C_COMPLEX(function, name)                                                                                  \
    extern "C" rex_double_complex rex_c_##function(rex_double_complex) __asm__(#function);                              \
    extern "C" rex_float_complex rex_c_##function##f(rex_float_complex) __asm__(#function "f");
#define REX_C_REAL(function, name)                                                                                     \
    extern "C" double rex_c_##function(rex_double_complex) __asm__(#function);                                         \
    extern "C" float rex_c_##function##f(rex_float_complex) __asm__(#function "f");
#define REX_C_COMPLEX_OF_TWO(function, name)                                                                           \
    extern "C" rex_double_complex rex_c_##function(rex_double_complex, rex_double_complex) __asm__(#function);          \
    extern "C" rex_float_complex rex_c_##function##f(rex_float_complex, rex_float_complex) __asm__(#function "f");

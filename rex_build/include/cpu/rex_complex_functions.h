/* The functions of <complex.h> are the host's. Included by xomp_cuda_lib_inlined.cu. */
#pragma once

#define REX_C_COMPLEX(name)                                                                                            \
    extern "C" rex_double_complex rex_c_##name(rex_double_complex) __asm__(#name);                                          \
    extern "C" rex_float_complex rex_c_##name##f(rex_float_complex) __asm__(#name "f");
#define REX_C_REAL(name)                                                                                               \
    extern "C" double rex_c_##name(rex_double_complex) __asm__(#name);                                                   \
    extern "C" float rex_c_##name##f(rex_float_complex) __asm__(#name "f");

REX_C_REAL(creal) REX_C_REAL(cimag) REX_C_REAL(cabs) REX_C_REAL(carg)
REX_C_COMPLEX(conj) REX_C_COMPLEX(cproj) REX_C_COMPLEX(cexp) REX_C_COMPLEX(clog) REX_C_COMPLEX(csqrt)
REX_C_COMPLEX(csin) REX_C_COMPLEX(ccos) REX_C_COMPLEX(ctan) REX_C_COMPLEX(csinh) REX_C_COMPLEX(ccosh)
REX_C_COMPLEX(ctanh)
extern "C" rex_double_complex rex_c_cpow(rex_double_complex, rex_double_complex) __asm__("cpow");
extern "C" rex_float_complex rex_c_cpowf(rex_float_complex, rex_float_complex) __asm__("cpowf");

/* The functions of <complex.h>, as a device's rex_complex_functions.h makes them: (C's name for double, its own name). */
#pragma once

REX_C_REAL(creal, real) REX_C_REAL(cimag, imag) REX_C_REAL(cabs, abs) REX_C_REAL(carg, arg)
REX_C_COMPLEX(conj, conj) REX_C_COMPLEX(cproj, proj) REX_C_COMPLEX(cexp, exp) REX_C_COMPLEX(clog, log)
REX_C_COMPLEX(csqrt, sqrt) REX_C_COMPLEX(csin, sin) REX_C_COMPLEX(ccos, cos) REX_C_COMPLEX(ctan, tan)
REX_C_COMPLEX(csinh, sinh) REX_C_COMPLEX(ccosh, cosh) REX_C_COMPLEX(ctanh, tanh)
REX_C_COMPLEX_OF_TWO(cpow, pow)
#undef REX_C_REAL
#undef REX_C_COMPLEX
#undef REX_C_COMPLEX_OF_TWO

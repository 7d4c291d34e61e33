/* nvcc finds the headers of this folder in front of those of libstdc++ with the same names. They make device functions of
 * functions such as swap, sort, assignments of tuples, and members of vectors and strings, which C++20 makes constexpr.
 * nvcc makes device functions of constexpr ones by itself, but not where a class without constexpr constructors, such as
 * an iterator of the user's, is passed by value. It refuses device code that calls those that allocate.
 *
 * All headers that these include are among them, too: a call of a function that is not for devices would be an error when
 * an image is made (rex_build/tools/host_calls.py).
 */
#ifdef __CUDACC__
#include <bits/c++config.h>
#include <bits/exception_defines.h>
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20012
#pragma push_macro("_GLIBCXX14_CONSTEXPR")
#pragma push_macro("_GLIBCXX20_CONSTEXPR")
#undef _GLIBCXX14_CONSTEXPR
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX14_CONSTEXPR constexpr __attribute__((host)) __attribute__((device))
#if __cplusplus < 202002L
#define _GLIBCXX20_CONSTEXPR __attribute__((host)) __attribute__((device))
#else
#define _GLIBCXX20_CONSTEXPR _GLIBCXX14_CONSTEXPR
#endif
#endif
#ifdef __CUDACC__
/* nvcc takes a function with such an attribute for one that writes no memory, also not the object that it returns. */
#pragma push_macro("__const__")
#pragma push_macro("__pure__")
#define __const__ __unused__
#define __pure__ __unused__
/* Nothing in device code is thrown. */
#pragma push_macro("__try")
#pragma push_macro("__catch")
#pragma push_macro("__throw_exception_again")
#undef __try
#undef __catch
#undef __throw_exception_again
#define __try if (true)
#define __catch(X) if (false)
#define __throw_exception_again
#endif

/* Ends what rex_std_begin.h begins. */
#ifdef __CUDACC__
#pragma pop_macro("_GLIBCXX14_CONSTEXPR")
#pragma pop_macro("_GLIBCXX20_CONSTEXPR")
#pragma nv_diagnostic pop
#pragma pop_macro("__const__")
#pragma pop_macro("__pure__")
#pragma pop_macro("__try")
#pragma pop_macro("__catch")
#pragma pop_macro("__throw_exception_again")
#endif

/* Ends what rex_std_begin.h begins. */
#if defined(__CUDACC__) && __cplusplus < 202002L
#pragma pop_macro("_GLIBCXX20_CONSTEXPR")
#pragma nv_diagnostic pop
#endif
#ifdef __CUDACC__
#pragma pop_macro("__const__")
#pragma pop_macro("__pure__")
#endif

/* The arithmetic types of reductions and atomics, for host and kernels: X(prefixed name, type). */
#define INTEGER_TYPES(X, prefix)                                                                                       \
    X(prefix##boolean, BOOL)                                                                                           \
    X(prefix##plain_char, char)                                                                                        \
    X(prefix##signed_char, signed char)                                                                                \
    X(prefix##unsigned_char, unsigned char)                                                                            \
    X(prefix##short_int, short)                                                                                        \
    X(prefix##unsigned_short, unsigned short)                                                                          \
    X(prefix##int_, int)                                                                                               \
    X(prefix##unsigned_int, unsigned int)                                                                              \
    X(prefix##long_int, long)                                                                                          \
    X(prefix##unsigned_long, unsigned long)                                                                            \
    X(prefix##long_long, long long)                                                                                    \
    X(prefix##unsigned_long_long, unsigned long long)
#define REAL_TYPES(X, prefix)                                                                                          \
    X(prefix##float_, float)                                                                                           \
    X(prefix##double_, double)

#ifdef __cplusplus
#define BOOL bool
#else
#define BOOL _Bool
#endif

/* Results of the reduction and of the atomic-update kernels; real types have those before BITWISE only. */
enum result { ADD, MUL, MIN, MAX, LAND, LOR, BITWISE, BAND = BITWISE, BOR, BXOR, RESULTS };

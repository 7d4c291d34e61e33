/* Types that devices lack, used by the host next to regions. */
#include <stdatomic.h>
#include <math.h>

/* atomic */
_Atomic int counter;
_Atomic(long) big;
static atomic_int ai = ATOMIC_VAR_INIT(3);
struct s_atomic { _Atomic int a; _Atomic(int *) p; atomic_flag fl; int * _Atomic q; };
atomic_uint_fast64_t k;
int f_atomic(int n, struct s_atomic *s_atomic) {
    atomic_fetch_add(&counter, 2);
    counter += 2; ++counter;
    big = counter;
    atomic_store_explicit(&s_atomic->a, 3, memory_order_relaxed);
    int e_atomic = 2;
    atomic_compare_exchange_strong(&s_atomic->a, &e_atomic, 3);
    atomic_flag_test_and_set(&s_atomic->fl);
    atomic_init(&ai, 3);
    s_atomic->q = 0;
#pragma omp target map(tofrom: n)
    n++;
    return n + atomic_load(&ai);
}

/* atomic ptr */
_Atomic const int ci_atomic_ptr = 3;
const _Atomic int cj = 3;
_Atomic struct { int a, b; } st;
_Atomic unsigned long long *pp;
typedef _Atomic int at;
int f_atomic_ptr(int n, at *q) {
    _Atomic _Bool b = 1;
    _Atomic(unsigned char) c = 2;
#pragma omp target map(tofrom: n)
    n++;
    return n + b + c + *q + sizeof(_Atomic(long)) + (_Atomic int)3;
}

/* vectors */
typedef float v4 __attribute__((vector_size(16)));
typedef int i4 __attribute__((__vector_size__(4 * sizeof(int))));
v4 g_vectors = {1, 2, 3, 4};
v4 add_vectors(v4 a, v4 b) { return a + b * 2.0f; }
int f_vectors(int n) {
    v4 a = {1, 2, 3, 4}, b = g_vectors;
    a += add_vectors(a, b);
    a[2] = 3;
    i4 c = a > b;
    i4 m = __builtin_shuffle(c, (i4){0, 1, 2, 3});
    v4 d = (v4)c;
    v4 h = -a;
    float s_vectors = a[0] + (a + b)[1] + m[0] + d[1] + h[2];
    c = ~c; c <<= 1; c = c & m; c++;
    v4 conv = __builtin_convertvector(c, v4);
    __auto_type w = a + b;
    int __attribute__((vector_size(8))) local = {1, 2};
#pragma omp target map(tofrom: n)
    n++;
    return n + s_vectors + local[0] + conv[0] + w[1];
}

/* decimal */
_Decimal64 dsum(_Decimal64 a, _Decimal32 b) { return a + b + 1.5dd + 2.DF; }
int f_decimal(int n) {
    _Decimal64 x = 1.25DD; _Decimal128 y = 2.0dl;
    x += y;
#pragma omp target map(tofrom: n)
    n++;
    return n + (int)x;
}

/* float n */
_Float128 q(_Float128 a) { return a * 2.0f128 + 1.0Q; }
__float128 qq = 1.5q;
_Float64x fx = 1.0f64x;
_Float32 f32 = 1.0f32;
_Float64 f64 = 1.0f64;
_Float32x f32x = 1.0f32x;
__float80 w = 1.0w;
int f_float_n(int n) {
    _Float128 x = 2.0f128; __float128 y = x; __float80 z = 3.0W;
    long double l = 1.0L; 
    x += y * l; 
    _Complex _Float128 cx = x;
    _Float64 g_float_n = 0x1p3f64;
#pragma omp target map(tofrom: n)
    n++;
    return n + (int)x + (int)__real__ cx + g_float_n + z;
}

/* float16 */
_Float16 h = 1.5f16;
_Float16 add_float16(_Float16 a, _Float16 b) { return a + b; }
int f_float16(int n) {
    _Float16 x = h, y = 2;
    x += y;
    _Complex _Float16 ch = x;
#pragma omp target map(tofrom: n)
    n++;
    return n + (int)add_float16(x, y);
}

/* int128 */
__int128 g_int128 = 1; unsigned __int128 ug; __uint128_t a; __int128_t b;
int f_int128(int n) {
    __int128 x = (__int128)n << 70, y[3] = {1, 2, 3};
    unsigned __int128 u = (unsigned __int128)-1;
    __int128 unsigned uu = 3;
    x = x * y[1] / 3 % 5; u >>= 3;
#pragma omp target map(tofrom: n)
    n++;
    return n + (int)x + (int)u;
}

/* int complex */
_Complex int ci_int_complex = 1 + 2i;
_Complex char cc;
unsigned long _Complex ul;
int f_int_complex(int n) {
    _Complex int z = 3 + 4i, w;
    _Complex short s_int_complex = z;
    __complex__ unsigned u = 3ui;
    w = z * z + ~z - s_int_complex;
    int r = __real__ z + __imag w;
    __real__ z = 3;
    double _Complex d = z + 2i;
    d *= 2.5i + .5i + 1e2i + 0x1p3i;
    _Complex double e_int_complex = 3;
#pragma omp target map(tofrom: n)
    n++;
    return n + r + (int)__real__ d;
}

/* seg */
int __seg_fs *p; 
int rd(int __seg_gs *q) { return *q + *(volatile __seg_fs int *)16; }
extern __seg_fs int errno_like;
int f_seg(int n) {
    int __seg_fs *l = p;
    long o = (long)(char __seg_fs *)0;
#pragma omp target map(tofrom: n)
    n++;
    return n + *l + errno_like;
}

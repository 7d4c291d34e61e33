#include "xomp_cuda_lib_inlined.cu"

#include "types.h"

#define LOOP(n)                                                                                                        \
    const long long _dev_thread_num = (long long)gridDim.x * blockDim.x;                                               \
    const long long _dev_thread_id = (long long)blockIdx.x * blockDim.x + threadIdx.x;                                 \
    for (REX_STRIDED_LOOP(i, _dev_thread_id, _dev_thread_num, n))

/* ---- every thread updates: each type with each operator whose result does not depend on the order ---------------- */

#define UPDATE_REAL(T)                                                                                                 \
    rex_atomic_update<rex_add>(&out[ADD], in[i]);                                                                      \
    rex_atomic_update_reversed<rex_mul>(&out[MUL], in[i]);                                                             \
    rex_atomic_update<rex_min>(&out[MIN], in[i]);                                                                      \
    rex_atomic_update<rex_max>(&out[MAX], in[i]);                                                                      \
    rex_atomic_update<rex_land>(&out[LAND], in[i]);                                                                    \
    rex_atomic_update<rex_lor>(&out[LOR], in[i]);

#define UPDATE_INTEGER(T)                                                                                              \
    UPDATE_REAL(T)                                                                                                     \
    rex_atomic_update<rex_band>(&out[BAND], in[i]);                                                                    \
    rex_atomic_update<rex_bor>(&out[BOR], in[i]);                                                                      \
    rex_atomic_update<rex_bxor>(&out[BXOR], in[i]);

#define UPDATE_KERNEL(kernel, T, update)                                                                               \
    extern "C" __global__ void __launch_bounds__(128)                                                                  \
        kernel(void *__rex_kernel_launch_env, unsigned long long n, const T *in, T *out)                               \
    {                                                                                                                  \
        REX_CPU_GRID(kernel(__rex_kernel_launch_env, n, in, out));                                                     \
        LOOP(n)                                                                                                        \
        {                                                                                                              \
            update(T)                                                                                                  \
        }                                                                                                              \
    }
#define INTEGER_KERNEL(kernel, T) UPDATE_KERNEL(kernel, T, UPDATE_INTEGER)
#define REAL_KERNEL(kernel, T) UPDATE_KERNEL(kernel, T, UPDATE_REAL)

INTEGER_TYPES(INTEGER_KERNEL, update_)
REAL_TYPES(REAL_KERNEL, update_)

/* ---- one thread: every form, against plain C expressions --------------------------------------------------------- */

static __device__ int *failed;

static __device__ __attribute__((noinline)) void expect(bool condition, int line)
{
    if (!condition) {
        printf("%s:%d failed\n", __FILE__, line);
        ++*failed;
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

/* Keeps the compiler from knowing what the pointer points to. */
template <class T>
static __device__ __attribute__((noinline)) T *opaque(T *x)
{
#ifndef REX_DEVICE_CPU
    asm volatile("" : "+l"(x));
#endif
    return x;
}

/* `x` starts at `initial`; `plain` is the update in C of a variable x by a variable v. */
#define FORM(T, V, initial, value, Op, plain, reversed)                                                                \
    {                                                                                                                  \
        V v = value;                                                                                                   \
        T expected = initial, atomic = initial;                                                                        \
        T &x = expected;                                                                                               \
        x = static_cast<T>(plain);                                                                                     \
        EXPECT(rex_atomic_update<Op>(opaque(&atomic), v) == static_cast<T>(initial) && atomic == expected);            \
        atomic = initial;                                                                                              \
        EXPECT(rex_atomic_update_new<Op>(opaque(&atomic), v) == expected && atomic == expected);                       \
        x = initial;                                                                                                   \
        x = static_cast<T>(reversed);                                                                                  \
        atomic = initial;                                                                                              \
        EXPECT(rex_atomic_update_reversed<Op>(opaque(&atomic), v) == static_cast<T>(initial) && atomic == expected);   \
        *cell<T>() = initial;                                                                                          \
        EXPECT(rex_atomic_update_reversed_new<Op>(cell<T>(), v) == expected && *cell<T>() == expected);                \
    }

/* Global memory for values that are elsewhere on the stack, between two guards for narrow types. */
static __device__ unsigned long long cells[3];
template <class T>
static __device__ T *cell()
{
    return reinterpret_cast<T *>(reinterpret_cast<char *>(&cells[1]) + (sizeof(T) < 4 ? sizeof(T) : 0));
}

#define FORMS_REAL(T)                                                                                                  \
    FORM(T, T, 12, 5, rex_add, x + v, v + x)                                                                           \
    FORM(T, T, 12, 5, rex_sub, x - v, v - x)                                                                           \
    FORM(T, T, 12, 5, rex_mul, x *v, v *x)                                                                             \
    FORM(T, T, 12, 5, rex_div, x / v, v / x)                                                                           \
    FORM(T, T, 12, 5, rex_min, v < x ? v : x, x < v ? x : v)                                                           \
    FORM(T, T, 12, 50, rex_max, v > x ? v : x, x > v ? x : v)                                                          \
    FORM(T, int, 12, 5, rex_sub, x - v, v - x)                                                                         \
    FORM(T, double, 12, 0.1, rex_add, x + v, v + x)                                                                    \
    FORM(T, double, 12, 2.5, rex_mul, x *v, v *x)                                                                      \
    FORM(T, double, 12, 12.25, rex_max, v > x ? v : x, x > v ? x : v)                                                  \
    FORM(T, unsigned long long, 12, 7, rex_add, x + v, v + x)

#define FORMS_INTEGER(T)                                                                                               \
    FORMS_REAL(T)                                                                                                      \
    FORM(T, T, 12, 5, rex_mod, x % v, v % x)                                                                           \
    FORM(T, int, 12, 2, rex_shl, x << v, v << x)                                                                       \
    FORM(T, int, 12, 2, rex_shr, x >> v, v >> x)                                                                       \
    FORM(T, T, 12, 6, rex_band, x &v, v &x)                                                                            \
    FORM(T, T, 12, 3, rex_bor, x | v, v | x)                                                                           \
    FORM(T, T, 12, 6, rex_bxor, x ^ v, v ^ x)                                                                          \
    FORM(T, int, 12, -1, rex_add, x + v, v + x)                                                                        \
    FORM(T, long long, 12, -3, rex_sub, x - v, v - x)                                                                  \
    FORM(T, unsigned int, 12, 5, rex_add, x + v, v + x)

template <class T>
static __device__ void check_access()
{
    T *const x = cell<T>();
    rex_atomic_write(x, 3);
    EXPECT(rex_atomic_read(x) == T(3));
    EXPECT(rex_atomic_exchange(x, 4) == T(3) && *x == T(4));
    EXPECT(rex_atomic_compare(x, 5, 6).before == T(4) && *x == T(4));
    EXPECT(rex_atomic_compare(x, 4, 6).before == T(4) && *x == T(6));
    T local = 7;
    EXPECT(rex_atomic_exchange(opaque(&local), 8) == T(7) && local == T(8));
    EXPECT(rex_atomic_compare(opaque(&local), 8, 9).before == T(8) && local == T(9));
    T known = 2; /* to be on the stack */
    rex_atomic_update<rex_mul>(&known, *x);
    rex_atomic_update<rex_mul>(&known, *x);
    EXPECT(known == T(72));
}

#define ACCESS(name, T) check_access<T>();

extern "C" __global__ void __launch_bounds__(1)
    forms(void *__rex_kernel_launch_env, unsigned long long shape, int *failures)
{
    REX_CPU_GRID_EXACT(shape, forms(__rex_kernel_launch_env, shape, failures));
    failed = failures;
    cells[0] = cells[1] = cells[2] = 0x5a5a5a5a5a5a5a5aull;
    FORMS_INTEGER(short)
    FORMS_INTEGER(int)
    FORMS_INTEGER(unsigned long)
    FORMS_REAL(float)
    FORMS_REAL(double)
    INTEGER_TYPES(ACCESS, )
    REAL_TYPES(ACCESS, )
    EXPECT(cells[0] == 0x5a5a5a5a5a5a5a5aull && cells[2] == 0x5a5a5a5a5a5a5a5aull);
}

/* Signed zeros, infinities and NaNs in the floating-point minimum and maximum; NaNs in memory under CAS. */
extern "C" __global__ void __launch_bounds__(1)
    special(void *__rex_kernel_launch_env, unsigned long long shape, int *failures, double *values)
{
    REX_CPU_GRID_EXACT(shape, special(__rex_kernel_launch_env, shape, failures, values));
    failed = failures;
    const double samples[] = {-HUGE_VAL, -1e300, -2, -1e-310, -0.0, 0.0, 1e-310, 3, 1e300, HUGE_VAL};
    for (double a : samples)
        for (double b : samples) {
            values[0] = values[1] = a;
            rex_atomic_update<rex_min>(&values[0], b);
            rex_atomic_update<rex_max>(&values[1], b);
            EXPECT(values[0] == (b < a ? b : a) && values[1] == (b > a ? b : a));
        }
    values[0] = 1;
    rex_atomic_update<rex_max>(&values[0], nan(""));
    EXPECT(values[0] == 1);
    values[0] = nan("");
    rex_atomic_update<rex_mul>(&values[0], 2.0);
    EXPECT(values[0] != values[0]);
    values[0] = -0.0;
    EXPECT(rex_atomic_compare(&values[0], 0, 5).before == 0 && values[0] == 5);
}

/* Captures are unique: every thread takes its ticket. Pointers advance too. */
extern "C" __global__ void __launch_bounds__(128)
    tickets(void *__rex_kernel_launch_env, unsigned long long n, unsigned int *counter, unsigned char *small_counter,
            int *taken, int *small_taken, int *target, int **pointer)
{
    REX_CPU_GRID(tickets(__rex_kernel_launch_env, n, counter, small_counter, taken, small_taken, target, pointer));
    LOOP(n)
    {
        rex_atomic_update<rex_add>(&taken[rex_atomic_update<rex_add>(counter, 1)], 1);
        rex_atomic_update<rex_add>(&small_taken[rex_atomic_update_new<rex_add>(small_counter, 1)], 1);
        if (i == 0)
            *pointer = target;
        rex_fence();
    }
}

extern "C" __global__ void __launch_bounds__(128)
    pointers(void *__rex_kernel_launch_env, unsigned long long n, int **pointer)
{
    REX_CPU_GRID(pointers(__rex_kernel_launch_env, n, pointer));
    LOOP(n)
    {
        int *const own = rex_atomic_update<rex_add>(pointer, 1);
        *own += static_cast<int>(i) + 1;
    }
}

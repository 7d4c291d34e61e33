/* gcc's builtins in device code, most of which nvcc does not know. */
// cflags: -std=gnu11 -D_GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#define N 200
int main(void)
{
    static double out[N];
    static int atom[8] = {4, 12, 7, 9};
    static char flag[4];
    int i = 37, n = 0;
    long l = -5;
    unsigned u = 0xf00f;
    unsigned long ul = 0x123456789abcdefUL;
    double d = 2.25;
    float f = 0.5f;
    char text[32] = "hello world";
#pragma omp target map(tofrom: out, n, atom, flag, text)
    {
        /* bits */
        out[n++] = __builtin_clrsb(i) + 100 * __builtin_clrsb(-1) + 10000 * __builtin_clrsb(INT_MIN);
        out[n++] = __builtin_clrsbl(l) + 100 * __builtin_clrsbl(0) + 10000 * __builtin_clrsbll(LLONG_MAX);
        out[n++] = __builtin_clz(u) + 100 * __builtin_ctz(u << 4) + 10000 * __builtin_clzl(ul);
        out[n++] = __builtin_ffs(0) + 100 * __builtin_ffsl(l) + 10000 * __builtin_ctzll(ul << 9);
        out[n++] = __builtin_popcount(u) + 100 * __builtin_popcountl(ul) + 10000 * __builtin_parityll(ul);
        out[n++] = __builtin_bswap16(0x1234) + __builtin_bswap32(u);
        unsigned __int128 wide = __builtin_bswap128((unsigned __int128)ul << 8 | 3);
        out[n++] = (double)(unsigned long)wide;
        out[n++] = (double)(unsigned long)(wide >> 64);

        /* overflow */
        int ir;
        unsigned char uc;
        out[n++] = __builtin_add_overflow(i, INT_MAX, &ir) + 2 * __builtin_mul_overflow(i, 7, &uc);
        out[n++] = ir;
        out[n++] = uc;
        out[n++] = __builtin_add_overflow_p(i, INT_MAX, 0) + 2 * __builtin_sub_overflow_p(i, 38u, 0u);
        out[n++] = __builtin_mul_overflow_p(i, 7, (signed char)0) + 2 * __builtin_mul_overflow_p(i, 3, (signed char)0);
        out[n++] = __builtin_add_overflow_p(i, INT_MAX, 0L) + 2 * __builtin_mul_overflow_p(i++, 7, 'x');
        out[n++] = i;

        /* hints and constants */
        out[n++] = __builtin_expect(i > 3, 1) + __builtin_expect_with_probability(i, 1, 0.9);
        out[n++] = __builtin_constant_p(3) + 2 * __builtin_types_compatible_p(int, __typeof__(i));
        out[n++] = __builtin_choose_expr(sizeof(long) == 8, d, text);
        out[n++] = __builtin_dynamic_object_size(text, 0) >= 1;
        if (i == 0)
            __builtin_unreachable();
        if (i == 1)
            __builtin_trap();

        /* numbers */
        out[n++] = __builtin_powi(d, 5) + __builtin_powi(d, -3) + __builtin_powi(0.0, 0);
        out[n++] = __builtin_powif(f, 7) + __builtin_powif(f, INT_MIN);
        out[n++] = __builtin_iceil(d) + 10 * __builtin_ifloor(-d) + 100 * __builtin_irint(d) + 1000 * __builtin_iround(d);
        out[n++] = __builtin_iceilf(f) + 10 * __builtin_ifloorf(-f) + 100 * __builtin_iroundf(f);
        out[n++] = __builtin_lceil(1e12 + d) + __builtin_lfloor(-d) + __builtin_llceilf(f) + __builtin_llfloor(1e15);
        out[n++] = __builtin_fpclassify(1, 2, 3, 4, 5, d) + 10 * __builtin_isinf_sign(-__builtin_inf());
        out[n++] = __builtin_isnan(d) + 2 * __builtin_isfinite(d) + 4 * __builtin_isnormal(1e-310);
        out[n++] = (__builtin_signbit(-d) != 0) + 2 * __builtin_isless(d, 3.0) + 4 * __builtin_isunordered(d, d);
        out[n++] = __builtin_labs(l) + imaxabs(l) + __builtin_imaxabs(l);

        /* strings and memory */
        char copy[32];
        __builtin_memset(copy, 'x', sizeof copy);
        out[n++] = __builtin_stpncpy(copy, text, 20) - copy + stpncpy(copy + 20, text, 3) - copy;
        out[n++] = copy[19] + copy[20] + copy[23];
        out[n++] = index(text, 'o') - text + 100 * (rindex(text, 'o') - text) + (__builtin_index(text, 'z') == NULL);
        out[n++] = bcmp(text, copy, 12) != 0;
        bcopy(text, text + 2, 8);
        bzero(text + 6, 2);
        char *twin = strdup(text), *part = __builtin_strndup(text, 3);
        out[n++] = strlen(twin) + 10 * strlen(part) + 100 * strcmp(twin, text);
        free(twin);
        free(part);
        out[n++] = isascii(200) + 2 * isascii('a') + toascii(200);

        /* atomics */
        int seen, value = 3, other = 8;
        __atomic_load(&atom[0], &seen, __ATOMIC_SEQ_CST);
        __atomic_store(&atom[1], &value, __ATOMIC_RELEASE);
        out[n++] = seen;
        __atomic_exchange(&atom[2], &value, &seen, __ATOMIC_RELAXED);
        out[n++] = seen;
        out[n++] = __atomic_compare_exchange(&atom[2], &value, &other, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        out[n++] = __atomic_compare_exchange(&atom[2], &value, &other, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        out[n++] = value;
        out[n++] = __atomic_fetch_nand(&atom[3], 5, __ATOMIC_SEQ_CST);
        out[n++] = __atomic_nand_fetch(&atom[3], 12, __ATOMIC_SEQ_CST);
        out[n++] = __atomic_test_and_set(&flag[1], __ATOMIC_ACQUIRE);
        out[n++] = __atomic_test_and_set(&flag[1], __ATOMIC_RELAXED);
        __atomic_test_and_set(&flag[2], __ATOMIC_ACQUIRE);
        __atomic_clear(&flag[2], __ATOMIC_RELEASE);
        out[n++] = __atomic_always_lock_free(8, 0) + 2 * __atomic_is_lock_free(4, &atom[0]);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        int *at = atom; /* sums of pointers are in bytes */
        out[n++] = __atomic_fetch_add(&at, 12, __ATOMIC_SEQ_CST) == atom;
        out[n++] = (char *)__atomic_sub_fetch(&at, 4, __ATOMIC_RELAXED) - (char *)atom;
        out[n++] = (char *)__sync_add_and_fetch(&at, (int *)8) - (char *)atom;
    }
    for (int k = 0; k < n; k++)
        printf("%d %.15g\n", k, out[k]);
    for (int k = 0; k < 8; k++)
        printf("%d ", atom[k]);
    printf("%d%d%d%d %s %s\n", flag[0], flag[1], flag[2], flag[3], text, text + 8);
    return 0;
}

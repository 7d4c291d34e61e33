/* The parts of the C library that devices have besides <math.h>, and builtins of gcc. */
// cflags: -std=gnu11 -D_GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#define N 100
static int cmp(const void *a, const void *b)
{
    int x = *(const int *)a % 10, y = *(const int *)b % 10;
    return (x > y) - (x < y);
}
static int cmpi(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static double apply(double (*f)(double), double x) { return f(x); }
#define GEN(x) _Generic((x), float: sinf, double: sin, long double: sinl)(x)
static size_t (*const len)(const char *) = strlen; /* a constant: the device has its own */
static int chars(int c)
{
    return (isalnum(c) != 0) | (isalpha(c) != 0) << 1 | (isdigit(c) != 0) << 2 | (isspace(c) != 0) << 3 |
           (isupper(c) != 0) << 4 | (islower(c) != 0) << 5 | (ispunct(c) != 0) << 6 | (isprint(c) != 0) << 7 |
           (isgraph(c) != 0) << 8 | (iscntrl(c) != 0) << 9 | (isxdigit(c) != 0) << 10 | (isblank(c) != 0) << 11;
}
int main(void)
{
    static int out[N], cl[256], cu[256], cd[256];
    static char text[200];
    static double d[20];
    long atom[20] = {0};
    static unsigned au[10];
#pragma omp target map(tofrom: out, cl, cu, cd, text, d, atom, au)
    {
        int n = 0;
        for (int c = 0; c < 256; c++) {
            cl[c] = chars(c);
            cu[c] = toupper(c);
            cd[c] = tolower(c);
        }
        char buf[64];
        strcpy(buf, "one,two;;three");
        char *rest;
        for (char *t = strtok_r(buf, ",;", &rest); t; t = strtok_r(NULL, ",;", &rest)) {
            strcat(text, t);
            strcat(text, "|");
        }
        out[n++] = strstr("hello world", "o w") - (char *)"hello world" > 0;
        out[n++] = strstr("abc", "x") == NULL;
        out[n++] = (int)strspn("aabbc", "ab");
        out[n++] = (int)strcspn("aabbc", "c");
        out[n++] = *strpbrk("hello", "lo");
        out[n++] = (int)strnlen("hello", 3);
        out[n++] = strcasecmp("HeLLo", "hello");
        out[n++] = strncasecmp("HeLLoX", "helloY", 5);
        out[n++] = strcasecmp("a", "B") < 0;
        char *e = stpcpy(buf, "xy");
        out[n++] = e - buf;
        e = mempcpy(buf, "abc", 4);
        out[n++] = e - buf;
        out[n++] = atoi("  -123xyz");
        out[n++] = (int)atol("99");
        out[n++] = (int)strtol("0x1fz", &rest, 0);
        out[n++] = *rest;
        out[n++] = (int)strtoul("777", NULL, 8);
        out[n++] = strtol("99999999999999999999", NULL, 10) == 0x7fffffffffffffffL;
        out[n++] = (int)strtoll("-77", NULL, 10);
        int a[12] = {31, 11, 42, 22, 13, 3, 99, 9, 57, 47, 60, 20};
        qsort(a, 12, sizeof a[0], cmp);
        for (int i = 0; i < 12; i++)
            out[n++] = a[i];
        qsort(a, 12, sizeof a[0], cmpi);
        int key = 47;
        int *f = bsearch(&key, a, 12, sizeof a[0], cmpi);
        out[n++] = f ? (int)(f - a) : -1;
        key = 48;
        out[n++] = bsearch(&key, a, 12, sizeof a[0], cmpi) == NULL;
        int *m = malloc(4 * sizeof *m);
        for (int i = 0; i < 4; i++)
            m[i] = i;
        m = realloc(m, 100 * sizeof *m);
        out[n++] = m[3];
        m = realloc(m, 8);
        out[n++] = m[1];
        free(m);
        free(NULL);
        m = realloc(NULL, 4);
        *m = 7;
        out[n++] = *m;
        free(m);
        void *al = aligned_alloc(256, 512);
        out[n++] = ((unsigned long)al & 255) == 0;
        free(al);
        int *z = calloc(10, 4);
        out[n++] = z[9];
        free(z);
        char *st = alloca(20);
        memset(st, 'q', 20);
        out[n++] = st[19];
        st = __builtin_alloca(4);
        st[0] = 3;
        out[n++] = st[0];
        out[n++] = (int)len("four");
        d[0] = apply(sin, 1.0);
        d[1] = apply(&cos, 1.0);
        double (*tab[])(double) = {exp, sqrt, fabs};
        for (int i = 0; i < 3; i++)
            d[2 + i] = tab[i](2.0);
        double (*ch)(double) = n > 3 ? floor : ceil;
        d[5] = ch(2.5);
        d[6] = GEN(1.0f);
        d[7] = GEN(2.0);
        int si;
        d[8] = lgamma_r(-0.5, &si);
        out[n++] = si;
        d[9] = nexttoward(1.0, 2.0);
        d[10] = nexttowardf(1.0f, 0.0);
        d[11] = roundeven(2.5);
        d[12] = (sin)(0.5);
        int r;
        out[n++] = __builtin_add_overflow(2147483647, 1, &r);
        out[n++] = r;
        out[n++] = __builtin_mul_overflow(65536L, 65536u, &r);
        out[n++] = r;
        unsigned char uc;
        out[n++] = __builtin_sub_overflow(3, 5, &uc);
        out[n++] = uc;
        long lr;
        out[n++] = __builtin_smull_overflow(0x7fffffffffffffffL, 2, &lr);
        unsigned long ul;
        out[n++] = __builtin_umull_overflow(~0ul, ~0ul, &ul);
        out[n++] = (int)ul;
        out[n++] = __builtin_add_overflow(-5, 3u, &lr);
        out[n++] = (int)lr;
#pragma omp parallel for
        for (int i = 0; i < 100; i++) {
            __atomic_fetch_add(&atom[0], i, __ATOMIC_SEQ_CST);
            __sync_fetch_and_add(&atom[1], 2);
            __atomic_or_fetch(&au[0], 1u << i % 32, __ATOMIC_RELAXED);
            __sync_fetch_and_xor(&au[1], i);
            long old = __atomic_load_n(&atom[2], __ATOMIC_ACQUIRE);
            while (!__atomic_compare_exchange_n(&atom[2], &old, old + i, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
                ;
            unsigned seen;
            do
                seen = au[2];
            // rex-ignore: race: the comparison finds an old value
            while (!__sync_bool_compare_and_swap(&au[2], seen, seen + 1));
            __sync_synchronize();
        }
        while (__sync_lock_test_and_set(&atom[3], 1))
            ;
        atom[4] += 1;
        __sync_lock_release(&atom[3]);
        out[n++] = (int)__atomic_exchange_n(&atom[5], 5, __ATOMIC_SEQ_CST);
        __atomic_store_n(&atom[6], 77, __ATOMIC_RELEASE);
        __builtin_prefetch(d);
        double *pd = __builtin_assume_aligned(d, 8);
        d[13] = pd[0];
        assert(n > 3);
        out[n++] = finite(d[0]) + isinff(1.0f / 0.0f);
        out[n] = n;
    }
    for (int i = 0; i < N; i++)
        printf("%d ", out[i]);
    puts(text);
    int s = 0;
    for (int c = 0; c < 256; c++) {
        s = s * 31 + cl[c] + cu[c] * 3 + cd[c] * 7;
    }
    printf("%d\n", s);
    for (int i = 0; i < 20; i++)
        printf("%.12g ", d[i]);
    for (int i = 0; i < 20; i++)
        printf("%ld ", atom[i]);
    for (int i = 0; i < 10; i++)
        printf("%u ", au[i]);
    puts("");
    return 0;
}

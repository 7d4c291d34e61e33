/* GNU C in regions and around them: statement expressions, typeof, attributes, ?: without a middle, ranges, builtins. */
// cflags: -std=gnu11
#include "check.h"
#include <limits.h>

#define N 30
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

static __inline__ int __attribute__((const, always_inline)) triple(int x)
{
    return 3 * x;
}

static int __attribute__((noinline, unused)) with_attributes(int x __attribute__((unused)))
{
    return __extension__ 4;
}

struct __attribute__((aligned(16))) quad {
    float v[4];
};

/* Types and objects that are aligned more strictly than their own types are. */
typedef float row[4] __attribute__((aligned(16)));
typedef row matrix[4];
typedef long __attribute__((aligned(8))) like_long;
typedef struct pair {
    int a, b;
} aligned_pair __attribute__((aligned(32)));
struct transform {
    char kind;
    matrix m;
    like_long n;
    aligned_pair p;
};
struct transform transforms[3];

static void aligned_types(void)
{
    long alignments[8], offset = 0;
    transforms[1].m[2][3] = 5;
#pragma omp target map(from: alignments) map(tofrom: transforms, offset)
    {
        char kept = 1;
        row local = {1, 2, 3, 4}, *to = &local;
        _Alignas(32) char bytes[3] = {1};
        char __attribute__((aligned(64))) wide = kept;
        aligned_pair both = {3, 4};
        transforms[1].m[2][3] += local[3] + (*to)[0];
        transforms[2].p = both;
        transforms[2].n = transforms[2].p.a + sizeof(both);
        alignments[0] = _Alignof(row) + _Alignof(struct transform);
        alignments[1] = __alignof__(bytes) + bytes[0];
        alignments[2] = __alignof__(wide) + (long)((unsigned long)&wide % 64);
        alignments[3] = __alignof__(transforms[0].m) + __alignof__(transforms[0].kind);
        alignments[4] = __alignof__ both + (long)((unsigned long)&both % 32);
        alignments[5] = __alignof__(kept + 0);
        alignments[6] = (long)((unsigned long)&local % 16);
        alignments[7] = __alignof__(*to);
        offset = (char *)&transforms[1].p - (char *)transforms;
    }
    CHECK(alignments[0] == 16 + 32 && alignments[1] == 33 && alignments[2] == 64 && alignments[3] == 17);
    CHECK(alignments[4] == 32 && alignments[5] == 4 && alignments[6] == 0 && alignments[7] == 16);
    CHECK(transforms[1].m[2][3] == 10 && transforms[2].n == 11 && transforms[2].p.b == 4);
    CHECK(offset == (char *)&transforms[1].p - (char *)transforms);
}

/* Types that are aligned less: their objects may stand anywhere. */
typedef int __attribute__((aligned(1))) loose;
typedef double loose_real __attribute__((aligned(4)));

static long anywhere(char *bytes)
{
    loose *numbers = (loose *)(bytes + 1), first = numbers[0];
    const loose_real *real = (const loose_real *)(bytes + 20);
    loose few[3] = {1, 2, 3}, *last = &few[2];
    numbers[1] = numbers[0] + 7;
    numbers[2]++;
    *numbers -= 2;
    *(numbers + 3) = numbers[1]-- ? numbers[2]++ : 0;
    last[0] <<= 2;
    return first + 10 * *last + 100 * (long)*real + 1000 * (numbers[3] == *numbers) + (long)sizeof(loose) * _Alignof(loose);
}

static void unaligned_objects(void)
{
    char bytes[64], expected[64];
    long sum;
    for (int i = 0; i < 64; i++)
        bytes[i] = expected[i] = 3 * i;
    *(loose_real *)(bytes + 20) = *(loose_real *)(expected + 20) = 2.5;
    const long on_host = anywhere(expected);
    loose *words = (loose *)(bytes + 41);
    words[1] = 5;
#pragma omp target map(tofrom: bytes) map(from: sum)
    sum = anywhere(bytes);
    CHECK(sum == on_host && __builtin_memcmp(bytes, expected, 41) == 0);
#pragma omp target parallel for map(tofrom: words[0:3])
    for (int i = 0; i < 3; i++)
        words[i] = words[i] / 2 + i;
    CHECK(words[1] == 3);
    int next = 0;
#pragma omp target map(tofrom: words[0:3], next)
#pragma omp atomic capture
    words[2] = ++next;
    CHECK(words[2] == 1);
}

/* Functions whose parameters the call does not know. */
static int sum_of(int n, double x, const char *text)
{
    return n + (int)(x * 2) + text[1];
}

static int without_prototypes(int which, float x)
{
    int (*function)() = which ? (int (*)())sum_of : 0;
    short n = 3;
    return function ? function(n, x, "abc") : 0;
}

/* Names that headers of the device's library have, and the host's that are included here have not. */
struct __locale_struct {
    int locale;
};

/* A type whose objects may be other ones' bytes. */
typedef short __attribute__((__may_alias__)) part;
static int overwritten(int *whole, part *low)
{
    *whole = 10;
    *low = 1;
    return *whole;
}

/* Other names of a function. */
int *threefold(int *x)
{
    *x *= 3;
    return x;
}
int *thrice(int *) __attribute__((alias("threefold")));
extern int *again(int *), *once_more(int *x) __attribute__((__noinline__, __alias__("thrice")));
__attribute__((alias("once_more"))) int *again(int *);
static int *(*const names[])(int *) = {thrice, threefold, once_more};

static int aliases(int x)
{
    int threefold = 100;
    thrice(again(&x));
    for (int i = 0; i < 3; ++i)
        names[i](&x);
    return x + threefold + 1000 * (names[0] == again);
}

/* Case ranges, of few values and of many. */
static int of_signed(int x, int *calls)
{
    switch (++*calls, x) {
    case INT_MIN ... -70000:
        return 1;
    case -69999 ... -1:
        return 2;
    case 0:
    case 3 ... 10:
        return 3;
    default:
        return 4;
    case 1000 ... 5000:
        x++;
        /* fall through */
    case 5001 ... INT_MAX:
        return 5 + (x & 1);
    }
}
static int of_unsigned(unsigned x, unsigned char c, unsigned long wide)
{
    int result = 0;
    switch (x) {
    case 10 ... 5000:
        result++;
        /* fall through */
    case -5 ... -1:
        result += 2;
        break;
    default:
        result = 4;
        break;
    case -5000 ... -100:
        result = 8;
    }
    switch (c)
    case '0' ... 'z':
        result += 16;
    switch (wide) {
    case 5000000000 ... 0x7fffffffffffffff:
        return result + 32;
    case 0x8000000000000000 ... -30ul:
        return result + 64;
    case -29ul ... -20ul:
        return result + 128;
    }
    return result;
}
static int of_nested(int x, int y)
{
    int result = 0;
    switch (x) {
    case 100 ... 300:
        switch (y) {
        case 200 ... 400:
            result = 1;
            break;
        case 500: {
        case 600 ... 700:
            result = 2;
        }
        default:
            result += 4;
        }
        break;
    case 0:
        do {
            result += 8;
        case 1000 ... 2000:
            result += 16;
        } while ((y /= 2) > 995);
        break;
    default:
        if (y > 3) {
            result = 1024;
        case 3000 ... 4000:
            result += 2048;
        }
    }
    return result;
}

/* Builtins that no header declares take any pointer. */
static int without_headers(void *any, unsigned char *bytes, const void *constant)
{
    char buffer[40];
    void *to = buffer;
    unsigned char *found = __builtin_strchr(any, 'c');
    __builtin_strcpy(to, any);
    __builtin_strcat(to, bytes);
    __builtin_strncpy((unsigned char *)to + 1, constant, 1);
    __builtin_printf(any, 0);
    __builtin_puts(bytes);
    return __builtin_strlen(to) + 10 * __builtin_strlen(found) + 100 * (__builtin_strcmp(any, bytes) == 0) +
           1000 * __builtin_strspn(bytes, constant) + 10000 * (buffer[1] == 'a') + 100000 * (any == constant) +
           (__builtin_strrchr(bytes, 'b') != 0 ? *bytes : 0);
}

/* Members of what a statement expression gives. */
struct quads {
    struct quad q[2];
};
static float first_of(const float *values)
{
    return values[1];
}

static void case_ranges(void)
{
    int x[] = {INT_MIN, -70000, -69999, -5001, -5000, -101, -100,  -99,  -6,   -5,   -1,   0,    1,    3,
               9,       10,     11,     47,    48,    99,   100,   122,  123,  199,  200,  255,  300,  301,
               500,     600,    700,    999,   1000,  2000, 2001,  3000, 4000, 4001, 5000, 5001, INT_MAX};
    enum { COUNT = sizeof x / sizeof *x };
    int first[COUNT], second[COUNT], third[COUNT][COUNT], calls = 0, checked = 0;
#pragma omp target map(to: x) map(from: first, second, third) map(tofrom: calls)
    for (int i = 0; i < COUNT; ++i) {
        first[i] = of_signed(x[i], &calls);
        second[i] = of_unsigned(x[i], x[i], x[i] * 4000000000l);
        for (int k = 0; k < COUNT; ++k)
            third[i][k] = of_nested(x[i], x[k]);
    }
    CHECK(calls == COUNT);
    for (int i = 0; i < COUNT; ++i) {
        CHECK(first[i] == of_signed(x[i], &checked));
        CHECK(second[i] == of_unsigned(x[i], x[i], x[i] * 4000000000l));
        for (int k = 0; k < COUNT; ++k)
            CHECK(third[i][k] == of_nested(x[i], x[k]));
    }
    printf("%d %d %d\n", first[COUNT - 1], second[11], third[16][24]);
}

int main(void)
{
    __label__ done;
    int a[N], b = 0;
    struct quad q[4];

    case_ranges();
    char abc[4] = "abc";
#pragma omp target map(to: abc) map(from: b)
    b = without_headers(abc, (unsigned char *)abc, abc);
    CHECK(b == without_headers(abc, (unsigned char *)abc, abc) && b > 0);
#pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < N; ++i) {
        typeof(i) k = MAX(triple(i), 20);
        a[i] = k + ({
            int t = i;
            t * 2;
        });
        a[i] += with_attributes(1) ?: 9;
    }
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == (3 * i > 20 ? 3 * i : 20) + 2 * i + 4);

#pragma omp target map(from: b)
    {
        int n = 5;
        switch (n) {
        case 1 ... 4:
            b = 1;
            break;
        case 5 ... 9:
            b = 2;
            break;
        default:
            b = 3;
        }
        b += __builtin_popcount(255u) + __builtin_expect(n == 5, 1) + (int)__alignof__(struct quad);
    }
    CHECK(b == 2 + 8 + 1 + 16);

#pragma omp target map(from: q)
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k)
            q[i].v[k] = (float)(i * k);
    CHECK(q[3].v[3] == 9.0f && sizeof(struct quad) == 16);

    __auto_type sum = 0L;
    int limit = 10;
#pragma omp target map(tofrom: sum)
    for (int i = 0; i < limit; ++i)
        sum += i;
    printf("%ld\n", sum);
    int whole = 0, low = 0;
#pragma omp target map(from: low) map(tofrom: whole)
    low = overwritten(&whole, (part *)&whole);
    CHECK(low == 1);
#pragma omp target map(from: b)
    b = aliases(2);
    CHECK(b == 2 * 243 + 1100);
    struct __locale_struct own = {b};
#pragma omp target map(tofrom: own)
    own.locale++;
    CHECK(own.locale == b + 1);
    aligned_types();
    unaligned_objects();
#pragma omp target map(from: b)
    b = without_prototypes(1, 2.5f) + without_prototypes(0, 1);
    CHECK(b == 3 + 5 + 'b');
    struct transform changed[2] = {{.kind = 'k'}, {.kind = 'l'}};
#pragma omp target map(to: changed, q) map(from: b)
    b = ({ changed[1]; }).kind + first_of(({ q[2]; }).v) + ({ q[3]; }).v[2] + ({ struct quads all = {{q[1]}}; all; }).q[0].v[3];
    CHECK(b == 'l' + 2 + 6 + 3);
    if (b < 0)
        goto done;
done:
    return CHECK_RESULT();
}

/* _Float16 in device code: kept in 16 bits, computed with as float until it is stored, as by gcc. */
#include "../check.h"

#include <math.h>
#include <string.h>

#define N 200

typedef _Float16 half;

struct sample {
    half x;
    int n;
    half row[3];
};

union bits {
    half value;
    unsigned short word;
};

#pragma omp declare target
static const half table[4] = {1, 0.1f16, -2.5, 1e6f};
half scale = 0x1.8p-1f16;
static struct sample origin = {1.5f16, 3}, unit = {.n = 4, .row = {1, -2}};

static half twice(half x) { return x * 2; }
static double wide(double x) { return x / 3; }
static half kept(void)
{
    static const half value = 0.7;
    return value;
}
#pragma omp end declare target

enum { ROWS = 70 };
static void compute(double *d, half a, half b, volatile half *v, int i, long l, float f, double x)
{
    int n = 0;
    /* What is not stored keeps the precision of float; constants too. */
    d[n++] = a * b, d[n++] = a * b + b, d[n++] = a / b - a, d[n++] = a + i, d[n++] = a * l, d[n++] = a * f;
    d[n++] = a * x, d[n++] = -(a * b), d[n++] = (a * a, a * b), d[n++] = i % 2 ? a * b : a, d[n++] = i % 2 ? a : i;
    d[n++] = 0.1f16 * a, d[n++] = (half)(a * b), d[n++] = (double)(half)x, d[n++] = (float)(half)f, d[n++] = (half)i;
    d[n++] = (half)l, d[n++] = twice(a * b), d[n++] = wide(a), d[n++] = fabs(a), d[n++] = sqrtf(a * a);
    d[n++] = (half)(char)i;
    d[n++] = a == b, d[n++] = a < b, d[n++] = a >= 2, d[n++] = a != x;
    half h = a * b;
    float g = h = a / 3;
    d[n++] = h, d[n++] = g;
    h += b, d[n++] = h, h -= x, d[n++] = h, h *= i, d[n++] = h, h /= 3.0f, d[n++] = h;
    d[n++] = h++, d[n++] = ++h, d[n++] = h--, d[n++] = --h;
    int k = a;
    k += b, d[n++] = k, k = a * 100, d[n++] = k, d[n++] = (unsigned char)(a * 2), d[n++] = (_Bool)a;
    g = a, g *= b, d[n++] = g;
    *v = a, *v += b, d[n++] = *v, d[n++] = (*v)++, d[n++] = *v * *v, h = *v, d[n++] = h;
    d[n++] = table[i & 3], d[n++] = scale * a, d[n++] = origin.x + origin.n + unit.row[1] + unit.row[2] + kept();
    d[n++] = sizeof(a * b) + 10 * sizeof(+a) + 100 * _Generic(a * 2, half: 1, float: 2, default: 3);
    struct sample s = {a, i, {b, i}}, *p = &s;
    half *q = p->row;
    q[2] = *q + q[1];
    union bits u = {a};
    d[n++] = s.row[2], d[n++] = u.word;
    d[n++] = isnan(a) + 2 * !!isinf((half)1e9f) + 4 * !!signbit(b) + 8 * isless(a, b);
    d[n++] = isnormal(*v) + 2 * isnormal(a * 1e-6f16) + 4 * isnormal(__builtin_inff16()), d[n++] = __builtin_fabsf16(b) + __builtin_copysignf16(a, b);
    d[n++] = isnan(__builtin_nanf16("")), d[n++] = __builtin_huge_valf16();
    d[n++] = (half)l == l, d[n++] = __real__(a + 1.0 * 2.0i) + __imag__(b * 3.0fi);
    for (; n < ROWS; ++n)
        d[n] = 0;
}

/* Every half is a float; what lies between two of them goes to the nearest, also when it comes from a double. */
static int conversions(void)
{
    static half all[65536];
    static unsigned short of_float[65536], of_double[65536], of_long[65536];
    static float floats[65536];
    static int kinds[65536];
    int differ = 0;
    for (int i = 0; i < 65536; ++i)
        memcpy(&all[i], &(unsigned short){(unsigned short)i}, 2);
#pragma omp target teams distribute parallel for map(to: all) map(from: floats, of_float, of_double, of_long, kinds)
    for (int i = 0; i < 65536; ++i) {
        floats[i] = all[i];
        const half a = (half)ldexpf(i + 0.5f, i % 41 - 33), b = (half)(ldexp(i, -20) * (1 + 0x1p-40));
        const half c = (half)(((long)i << i % 24) + 1);
        kinds[i] = isnormal(all[i]) + 8 * fpclassify(all[i]);
        memcpy(&of_float[i], &a, 2);
        memcpy(&of_double[i], &b, 2);
        memcpy(&of_long[i], &c, 2);
    }
    for (int i = 0; i < 65536; ++i) {
        const float f = all[i];
        const half a = (half)ldexpf(i + 0.5f, i % 41 - 33), b = (half)(ldexp(i, -20) * (1 + 0x1p-40));
        const half c = (half)(((long)i << i % 24) + 1);
        differ += (floats[i] != f && f == f) || kinds[i] != isnormal(all[i]) + 8 * fpclassify(all[i]);
        differ += memcmp(&of_float[i], &a, 2) || memcmp(&of_double[i], &b, 2) || memcmp(&of_long[i], &c, 2);
    }
    return differ;
}

int main(void)
{
    static double device[N][ROWS], host[ROWS];
    half a[N], b[N], first = 0.3f16;
    struct sample samples[N];

    for (int i = 0; i < N; ++i) {
        a[i] = i * 0.37f + first;
        b[i] = (i - 90) * 1.7f + 0.05f;
        samples[i] = (struct sample){a[i], i, {b[i]}};
    }
#pragma omp target teams distribute parallel for map(to: a, b) map(from: device) map(tofrom: samples) \
    firstprivate(first)
    for (int i = 0; i < N; ++i) {
        volatile half v;
        compute(device[i], a[i], b[i], &v, i, i * 1000L - 7, i * 0.01f, i / 7.0);
        samples[i].row[1] = samples[i].x * first;
    }
    for (int i = 0; i < N; ++i) {
        volatile half v;
        compute(host, a[i], b[i], &v, i, i * 1000L - 7, i * 0.01f, i / 7.0);
        const half product = a[i] * first;
        CHECK(samples[i].x == a[i] && samples[i].row[0] == b[i] && samples[i].row[1] == product);
        for (int k = 0; k < ROWS; ++k) {
            if (device[i][k] != host[k]) {
                printf("row %d of %d: %a, not %a\n", k, i, device[i][k], host[k]);
                ++check_failures;
            }
        }
    }
    CHECK(conversions() == 0);

    /* gcc 12's own '!', '&&' and '||' of them are not to be relied on. */
    int logic[N];
#pragma omp target teams distribute parallel for map(to: a, b) map(from: logic)
    for (int i = 0; i < N; ++i)
        logic[i] = !b[i] + 2 * (a[i] - a[0] && b[i] > 0) + 4 * (b[i] - b[7] || a[i] < 1) + 8 * (a[i] - a[9] ? 1 : 0);
    for (int i = 0; i < N; ++i)
        CHECK(logic[i] == (b[i] == 0) + 2 * (i > 0 && b[i] > 0) + 4 * (i != 7 || a[i] < 1) + 8 * (i != 9));

    /* Reductions, atomics, mapped scalars, arrays of one thread's own. */
    half sum = 1, least = 100, most = -100, count = 0, before = 0, seen = 0, product = 1;
    half shares[4] = {0, 0, 0, 0};
#pragma omp target teams distribute parallel for map(to: b) map(tofrom: count) reduction(+: sum, shares) \
    reduction(min: least) reduction(max: most)
    for (int i = 0; i < N; ++i) {
        sum += (half)(i % 4);
        shares[i % 4] += 0.5f16;
        least = b[i] < least ? b[i] : least;
        most = fmaxf(b[i], most);
#pragma omp atomic
        count += 0.25f16;
    }
    CHECK(sum == 301 && shares[0] == 25 && shares[3] == 25 && least == b[0] && most == b[N - 1] && count == 50);

    int n = 5;
#pragma omp target map(tofrom: before, seen, count, product, n)
    {
        half own[n];
        half mine = 0.5f16;
        for (int i = 0; i < n; ++i)
            own[i] = i + mine;
#pragma omp parallel for reduction(*: product)
        for (int i = 0; i < n; ++i)
            product *= own[i];
#pragma omp atomic capture
        {
            before = count;
            count = count * 2;
        }
#pragma omp atomic compare
        if (count == 100) {
            count = 7;
        }
#pragma omp atomic read
        seen = count;
        n = (int)own[4];
    }
    const half last = 0.5f * 1.5f * 2.5f * 3.5f * 4.5f;
    CHECK(before == 50 && seen == 7 && n == 4 && fabsf(product - last) <= 0.0625f);

#pragma omp target
    {
        scale = scale * 2;
        scale -= 0x1p-11f16;
    }
#pragma omp target update from(scale)
    const half scaled = 1.5f16 - 0x1p-11f16;
    CHECK(scale == scaled);
    return CHECK_RESULT();
}

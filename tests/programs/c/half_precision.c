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

struct number {
    int kind;
    union {
        int i;
        half h;
        union {
            float f;
            half pair[2];
        };
    };
};
struct number numbers[3] = {{1, .i = 4}, {2, .h = 1.5f16}, {3, .pair = {0.5f16, 2}}};
typedef union {
    half v[3];
    struct {
        half x, y, z;
    };
} half3;
struct item {
    int kind;
    struct {
        int i;
        half h;
        union {
            half a, b;
            struct {
                short c;
                half d;
            };
        };
    };
    short tail;
};
half3 points[2] = {{.y = 1.5f16}, {{1, 2, 3}}};
static const struct item items[2] = {{1, {.h = 2, .d = 4}, 7}, {.i = 3, .b = 8, .tail = 9}};
static float total(const struct item *p) { return p->kind + p->i + p->h + p->d * 100 + p->tail; }

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

/* Complex ones: two halves, computed with as float. */
typedef _Complex _Float16 halves;
typedef float _Complex floats;
typedef double _Complex doubles;
struct pair {
    char c;
    halves z;
    half h;
    halves row[2];
};

#pragma omp declare target
static halves constants[3] = {1.1f16 + 2.3f16i, 0.1f16i, -3};
static struct pair initial = {1, 1.5 - 0.3i, 2, {3, 4.0fi}}, partly = {.h = 2, .row = {[1] = 5.0fi}};
static halves square[2][2] = {{1, 2}, {[1] = 3 + 1i}};
static halves doubled(halves z) { return z * 2; }
static floats third(floats z) { return z / 3; }
#pragma omp end declare target

/* Packed. */
struct __attribute__((packed)) tight {
    char c;
    half h;
    halves z;
    half row[3];
    struct pair in;
};
struct loosely {
    char c;
    half h __attribute__((packed));
};

static void packed(void)
{
    struct tight t[3] = {{1, 1.5f16, 2, {3, 4}, {.h = 5}}, {2}};
    struct loosely l = {1, 2.5f16};
#pragma omp target map(tofrom: t, l)
    {
        struct tight *p = &t[1], own = t[0];
        p->h = own.h * own.c;
        p->h += own.row[1];
        p->z = own.z + 1.0fi;
        p->z *= 2;
        p->row[2] = p->h++;
        p->in = own.in;
        p->in.h /= 2;
        l.h -= own.in.h;
        t[2] = *p;
        t[2].in.row[1] = __imag__ p->z;
    }
    CHECK(t[1].h == 6.5f16 && t[1].z == 4 + 2.0fi && t[2].row[2] == 5.5f16 && t[2].in.h == 2.5f16);
    CHECK(l.h == -2.5f16 && t[2].in.row[1] == 2 && t[2].c == 2);
}

enum { PAIRS = 140 };
#define PUT(z) (d[n][0] = __real__(z), d[n++][1] = __imag__(z))

static void operations(double (*d)[2], halves a, halves b, half h, half g, int i, double x, floats f, doubles e,
                       volatile halves *v)
{
    int n = 0;
    /* Results, in float until they are stored or cast. */
    PUT(a * b), PUT(a + b), PUT(a - b), PUT(a / b), PUT(a * b + a), PUT(a * h), PUT(h * a), PUT(a / h), PUT(h / a);
    PUT(a + h), PUT(h - a), PUT(h * g * a), PUT(h * g - a), PUT(a * i), PUT(a + x), PUT(a * f), PUT(a - e), PUT(f / a);
    PUT(-a), PUT(~a), PUT(+a), PUT(-(a * b)), PUT(~(a * b)), PUT((halves)(a * b)), PUT((halves)x), PUT((halves)e);
    PUT((floats)(a * b)), PUT((doubles)a), PUT((halves)i), PUT((halves)(h * g)), PUT((_Complex int)(a * b));
    PUT(i % 2 ? a * b : a), PUT(i % 2 ? a : h), PUT(i % 2 ? a : 1.0), PUT(((void)n, a * b)), PUT(doubled(a * b));
    PUT(third(a)), PUT(third(a * b)), PUT(0.1f16i), PUT(a + 0.1f16i), PUT(0.1f16 + a), PUT(1.0if * a), PUT(a * 2i);
    PUT(constants[0]), PUT(constants[1]), PUT(constants[2]), PUT(initial.z), PUT(initial.row[0]), PUT(initial.row[1]);
    PUT(partly.z + partly.h), PUT(partly.row[0] + partly.row[1]), PUT(square[i & 1][0] - square[1][1]);
    PUT(a == b), PUT(a != b), PUT(a == h), PUT(!a), PUT(a && b), PUT(a || 0), PUT(h == a), PUT(f == a);
    PUT(__real__(a * b)), PUT(__imag__(a * b)), PUT(__real__ a * __imag__ b), PUT(sizeof(a * b) + 10 * _Alignof(halves));
    PUT(_Generic(a * b, halves: 1, default: 2) + _Generic(a * f, floats: 10, default: 20));
    PUT(_Generic(1.0f16i, halves: 1, default: 2) + _Generic(a + 1.0, doubles: 10, default: 20));
    /* Objects. */
    halves z = a * b;
    PUT(z), z += b, PUT(z), z *= h, PUT(z), z -= x, PUT(z), z /= 3, PUT(z), z *= e, PUT(z);
    z++, PUT(z), --z, PUT(z), PUT(z--), PUT(++z);
    __real__ z = a * b, __imag__ z = x, PUT(z), __imag__ z += h, PUT(z), __real__ z *= 3, PUT(z), (__real__ z)++, PUT(z);
    floats w = a;
    PUT(w), w += a * b, PUT(w), w = (z = a / 3), PUT(w);
    doubles y = a;
    half r = a * b;
    y -= b, PUT(y), PUT(r), r = a, PUT(r), r += a, PUT(r), r *= b, PUT(r);
    float q = a * b;
    int k = a * b;
    _Bool any = a;
    PUT(q), PUT(k), k += a, PUT(k), PUT(any);
    struct pair s = {1, a, h, {b}}, *p = &s;
    PUT(s.z), PUT(p->row[0]), p->row[1] = s.z * p->row[0], PUT(s.row[1]);
    s = (struct pair){.z = b, .row = {a * b, h}};
    PUT(s.z), PUT(s.row[0]), PUT(s.row[1]);
    halves many[3] = {a, b}, *at = many;
    *at++ *= b, PUT(*at), PUT(at[-1]), PUT(many[2]), at[1] = at[0] = a, PUT(many[2]);
    _Complex int whole = 3 + 4i;
    whole += a, PUT(whole), PUT(a * whole), PUT((halves)whole);
    halves last = ({ halves m = a * b; m + b; });
    PUT(last);
    *v = a, *v += b, PUT(*v), PUT(*v * *v), last = *v, PUT(last), (*v)++, __imag__ *v = h, PUT(*v);
    for (; n < PAIRS; ++n)
        d[n][0] = d[n][1] = 0;
}

static void of_complex(void)
{
    static double device[N][PAIRS][2], host[PAIRS][2];
    halves in[N], sum = 0, product = 1;
    for (int i = 0; i < N; ++i)
        in[i] = i % 16 + 0.25fi;
#pragma omp target teams distribute parallel for map(from: device) map(to: in) reduction(+: sum)
    for (int i = 0; i < N; ++i) {
        volatile halves v;
        const halves a = i * 0.37f + 1.1f - 0.7fi, b = 2.3f - i * 0.11fi;
        operations(device[i], a, b, 1.1f16 + i, 0.3f16, i, i / 7.0, 1.3f + 0.2fi, 0.1 + 3.0i, &v);
        sum += in[i];
    }
    for (int i = 0; i < N; ++i) {
        volatile halves v;
        const halves a = i * 0.37f + 1.1f - 0.7fi, b = 2.3f - i * 0.11fi;
        operations(host, a, b, 1.1f16 + i, 0.3f16, i, i / 7.0, 1.3f + 0.2fi, 0.1 + 3.0i, &v);
        for (int k = 0; k < PAIRS; ++k) {
            const double *x = device[i][k], *y = host[k];
            /* A GPU divides otherwise and fuses products with sums, to other last bits of a float. */
            const double close = 1e-6 * (fabs(y[0]) + fabs(y[1]));
            if (fabs(x[0] - y[0]) > close || fabs(x[1] - y[1]) > close) {
                printf("pair %d of %d: %a%+ai, not %a%+ai\n", k, i, x[0], x[1], y[0], y[1]);
                ++check_failures;
            }
        }
    }
    CHECK(sum == 1468 + 50.0fi);
#pragma omp target map(tofrom: product) firstprivate(sum)
    {
        product *= sum;
        product /= 2i;
    }
    CHECK(product == 25 - 734.0fi);
}

/* Vectors of them: every result is one, rounded. */
typedef _Float16 half8 __attribute__((vector_size(16)));
typedef short short8 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));
typedef _Float16 half4_anywhere __attribute__((vector_size(8), aligned(2)));
enum { VECTORS = 21 };

#pragma omp declare target
static const half8 factors = {1.1f16, 2, 3.5, -4, 1e6f};

static void vector_operations(half8 a, half8 b, int i, float f, half8 *v, const half *p)
{
    int n = 0;
    v[n++] = a + b, v[n++] = a - b, v[n++] = a * b, v[n++] = a / b, v[n++] = a * b + a, v[n++] = -a, v[n++] = 2 / a;
    v[n++] = a + (half8){f, f}, v[n++] = factors * a, v[n++] = i % 2 ? a * b : a;
    v[n++] = (half8)(a < b), v[n++] = (half8)(a == b), v[n++] = (half8)__builtin_convertvector(a, short8);
    v[n++] = __builtin_shufflevector(a, b, 0, 9, 2, 11, 4, 13, 6, 15);
    v[n] = a, v[n] += b, v[n] /= 3, v[n] -= factors, v[n][3] += 1.7f, v[n++][2]++;
    half8 c = a;
    c++, v[n++] = c, --c, v[n++] = c;
    half4_anywhere u = *(const half4_anywhere *)p * 2, *at = (half4_anywhere *)((half *)&v[n] + 1);
    *at = u + 1, (*at)[2] *= f, n++;
    float4 wide = __builtin_convertvector(u, float4) * 1.1f;
    u = __builtin_convertvector(wide, half4_anywhere);
    float product = a[1] * b[2];
    v[n++] = (half8){product, a[i & 7], u[0], u[3], (a + b)[3]};
}
#pragma omp end declare target

static void of_vectors(void)
{
    static half8 device[N][VECTORS], host[VECTORS], a[N], b[N];
    half p[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < 8; ++k) {
            a[i][k] = i * 13 % 29 * 0.37f - k;
            b[i][k] = i == 7 ? a[i][k] : k * 1.7f - i * 0.11f + 0.05f;
        }
#pragma omp target teams distribute parallel for map(to: a, b, p) map(tofrom: device)
    for (int i = 0; i < N; ++i)
        vector_operations(a[i], b[i], i, i * 0.3f, device[i], &p[i & 3]);
    for (int i = 0; i < N; ++i) {
        memset(host, 0, sizeof host);
        vector_operations(a[i], b[i], i, i * 0.3f, host, &p[i & 3]);
        CHECK(memcmp(device[i], host, sizeof host) == 0);
    }
}

/* Members without a name of packed structures: their own members stay where they are. */
struct __attribute__((packed)) loose {
    char c;
    struct {
        char d;
        struct {
            half h;
            double x;
        };
        short s;
    };
    half t;
};
struct __attribute__((packed)) crammed {
    char c;
    struct __attribute__((packed)) {
        half h;
        int i;
    };
    union {
        half u;
        short bits;
    };
    struct {
        char e;
        int j;
    };
};

static void packed_ones(void)
{
    struct loose a = {1, {2, {3, 4}, 5}, 6};
    struct crammed b = {1, {2, 3}, {4}, {5, 6}};
    double seen[8] = {0};
#pragma omp target map(tofrom : a, b) map(from : seen)
    {
        struct loose copy = a;
        a.h += 1;
        b.u *= 2;
        seen[0] = a.h + copy.t;
        seen[1] = a.x;
        seen[2] = copy.s;
        seen[3] = b.i;
        seen[4] = b.bits;
        seen[5] = b.j;
        seen[6] = (char *)&b.j - (char *)&b;
        seen[7] = sizeof a;
        b.h = -b.h;
    }
    CHECK(seen[0] == 10 && seen[1] == 4 && seen[2] == 5 && seen[3] == 3 && seen[4] == b.bits && seen[5] == 6);
    CHECK(seen[6] == (char *)&b.j - (char *)&b && seen[7] == sizeof a && a.h == 4 && b.h == -2 && b.u == 8);
}

int main(void)
{
    of_complex();
    of_vectors();
    packed();
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

    struct number own[3] = {{0, .h = 1}, {1, .f = 2}, {0}};
    float parts[3];
#pragma omp target map(tofrom: own) map(from: parts) /* members of unions without a name */
    {
        struct number one = {.kind = 3, .h = 2.25f16}, other;
        own[0].h += 1;
        own[1].pair[1] = own[0].h * 3;
        other = one;
        other.h = -other.h;
        own[2] = other;
        parts[0] = numbers[1].h + numbers[2].pair[1];
        parts[1] = ((struct number){.h = 3.0f16}).h;
        parts[2] = one.i;
    }
    half3 at = {.z = 4}, shown[3];
    struct item changed[2] = {{.d = 2, .c = 1}, {.kind = 4, .h = 3}};
    float totals[3];
#pragma omp target map(tofrom: at, changed) map(from: shown, totals) /* ... and of structures */
    {
        half3 mine = {.x = 5, .z = at.z * 2}, *p = &mine;
        struct item one = {.tail = 3, .d = 1.25f16, .h = -1};
        half *q = &changed[1].h;
        p->y += 3;
        at.x = mine.v[1] - 1;
        shown[0] = mine;
        shown[1] = points[0];
        shown[2] = (half3){.y = points[1].z};
        changed[0].d *= 3;
        changed[1].h++;
        *q -= 0.5f16;
        totals[0] = total(&one);
        totals[1] = total(items);
        totals[2] = total(&items[1]);
    }
    CHECK(at.x == 2 && shown[0].x == 5 && shown[0].y == 3 && shown[0].z == 8 && shown[1].y == 1.5f16 && shown[2].y == 3);
    CHECK(changed[0].d == 6 && changed[0].c == 1 && changed[1].h == 3.5f16);
    CHECK(totals[0] == 127 && totals[1] == 410 && totals[2] == total(&items[1]));
    CHECK(own[0].h == 2 && own[1].pair[1] == 6 && own[2].h == -2.25f16);
    CHECK(parts[0] == 3.5f && parts[1] == 3 && parts[2] == 0x4080);
    packed_ones();
    return CHECK_RESULT();
}

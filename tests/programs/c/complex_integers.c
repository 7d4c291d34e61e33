/* GNU's complex integers in device code: arithmetic with other numbers, conversions, steps, maps and reductions. */
#include "../check.h"

#define N 50

typedef _Complex unsigned char bytes;
typedef _Complex short shorts;
typedef _Complex int ints;
typedef _Complex unsigned words;
typedef _Complex long longs;
typedef _Complex double doubles;

struct mixed {
    int n;
    shorts z;
    char c;
    longs l;
    doubles d;
    int q;
};

#pragma omp declare target
static ints corner = 3 + 4i * 2, row[3] = {1, 2i};
static struct mixed partly = {.n = 4, .c = 7, .q = 9}, whole = {1, 2 - 3i, 4, 5, 6};
static bytes wrapped = 300 + 513i;
static longs far = -(1 - 0x7fffffff0i);
static ints turned(ints z) { return z * 1i; }
#pragma omp end declare target

enum { ROWS = 128 };

#define TYPE(x) \
    _Generic(x, _Complex char: 1, bytes: 2, shorts: 3, ints: 4, words: 5, longs: 6, _Complex float: 7, doubles: 8, \
             default: 9)
#define PUT(z) (r[n][0] = (long)__real__(z), r[n][1] = (long)__imag__(z), r[n++][2] = TYPE(z))
#define PUT2(x, y) (r[n][0] = (x), r[n++][1] = (y))

static void arithmetic(long (*r)[3], ints a, ints b, bytes u, bytes v, shorts s, words w, _Complex char c)
{
    int n = 0;
    PUT(a + b), PUT(a - b), PUT(a * b), PUT(a / b), PUT(b / a), PUT(~a / b), PUT(a / -b), PUT(a / 2), PUT(2 / b);
    PUT(100 / b), PUT(a / 3i), PUT((ints)4 / (3 - 3i)), PUT(u + v), PUT(u * v), PUT(u - v), PUT(u / v), PUT(v / u);
    PUT(-u), PUT(~u), PUT(+u), PUT(~a), PUT(-a), PUT(u + s), PUT(c + c), PUT(c * s), PUT(w + a), PUT(w * w), PUT(w / b);
    PUT(w / (2u + 1i)), PUT(w + 1L), PUT(a + 1.5), PUT(a + 1.5f), PUT(u * 2.0f), PUT(2i), PUT(2li), PUT(2ui);
    PUT(2i * 2i), PUT(1 / (1i)), PUT((5 + 7i) / (1 + 2i)), PUT((u / v) * 1000), PUT(a * 3000000000L / (7 + 11i));
    PUT2(a == b, a != b), PUT2(a == 5, u == (ints)(200 + 100i)), PUT2(!a + 2 * (a && 0i), 4 * (1i || 0));
    PUT2(sizeof(u) + 10 * sizeof(u + u) + 100 * sizeof(u + 1), _Alignof(shorts));
}

static void conversions(long (*r)[3], ints a, bytes u, shorts s, doubles d, int one, char ch, unsigned wide, _Bool bit,
                        short sh)
{
    int n = 0, k = a;
    double x = a;
    const doubles z = a;
    const ints t = d;
    const _Bool holds = (ints)1i;
    PUT(u + one), PUT(u + ch), PUT(s * sh), PUT(one - s), PUT(1 - a), PUT(a + bit), PUT(u + bit), PUT(s + wide);
    PUT(u - ch), PUT(d * a), PUT(a - d), PUT(2.5 - a), PUT(z), PUT(t), PUT2(k, (long)x), PUT2(holds, (int)(u * 3));
    PUT((ints)1.9), PUT((ints)one), PUT((longs)a), PUT((_Complex float)a), PUT((bytes)a), PUT((shorts)d);
    PUT((bytes)(300 + 513i)), PUT(one ? a : u), PUT(one ? u : u), PUT(one ? u : 1), PUT(corner), PUT(row[0]);
    PUT(row[1]), PUT(row[2]), PUT(wrapped), PUT(far), PUT(turned(a));
    PUT(partly.z), PUT(partly.l), PUT(partly.d), PUT2(partly.n + partly.c, partly.q);
    PUT(whole.z), PUT(whole.l), PUT(whole.d), PUT2(whole.n + whole.c, whole.q);
    struct mixed own = {.n = one, .c = 7, .l = 2i, .q = 9};
    PUT(own.z), PUT(own.l), PUT(own.d), PUT2(own.n + own.c, own.q);
}

static void updates(long (*r)[3], ints a, ints b, bytes u, bytes v)
{
    int n = 0, k = 7;
    ints z = a, two[2] = {1, 2 + 1i}, *p = two;
    ++z, PUT(z), --z, PUT(z), z += b, PUT(z), z *= 2, PUT(z), z /= b, PUT(z), __imag__ z = 9, PUT(z), z -= 1i, PUT(z);
    *p++ += 5, PUT(*p), PUT(two[0]), ++*p, PUT(two[1]), z++, PUT(z), p[-1]--, PUT(two[0]);
    u += v, PUT(u), u *= 3, PUT(u), u /= v, PUT(u), u += 300, PUT(u), u -= v, PUT(u), u--, PUT(u);
    k += a, PUT2(k, 0), k *= b, PUT2(k, 0);
    if (z && !0i)
        PUT2(1, 2);
}

/* All of it, for operands made from `i`. */
static void compute(long (*r)[3], int i)
{
    const ints a = 5 + 7i + i, b = 1 + 2i - i * 3i;
    const bytes u = 200 + 100i + i, v = 100 + 201i - i * 1i;
    arithmetic(r, a, b, u, v, 3 + 4i * i, 1u - 2i, 1 + 2i);
    conversions(r + ROWS / 2, a, u, 3 + 4i * i, 1.5 + 2.5i - i, 1, 3, 3, 1, 300);
    updates(r + 2 * (ROWS / 2), a, b, u, v);
}

int main(void)
{
    static long device[N][2 * ROWS][3], host[2 * ROWS][3];
    ints in[N], sum = 0, product = 1, any = 0, all = 1, factor = 2 - 1i;
    shorts narrow = 0;
    longs wide = 1i;

#pragma omp target teams distribute parallel for map(tofrom: device)
    for (int i = 0; i < N; ++i)
        compute(device[i], i);
    for (int i = 0; i < N; ++i) {
        compute(host, i);
        for (int k = 0; k < 2 * ROWS; ++k) {
            const long *d = device[i][k], *h = host[k];
            if (d[0] != h[0] || d[1] != h[1] || d[2] != h[2]) {
                printf("row %d of %d: %ld%+ldi (%ld), not %ld%+ldi (%ld)\n", k, i, d[0], d[1], d[2], h[0], h[1], h[2]);
                ++check_failures;
            }
        }
        in[i] = i - 3i * i;
    }

#pragma omp target teams distribute parallel for map(to: in) firstprivate(factor) reduction(+: sum, narrow, wide) \
    reduction(||: any) reduction(&&: all) reduction(*: product)
    for (int i = 0; i < N; ++i) {
        sum += in[i] * factor;
        narrow -= in[i];
        wide += in[i] * 3000000000L;
        any = any || in[i];
        all = all && in[i];
        product *= i % 7 ? 1 : 1 + 1i;
    }
    CHECK(sum == (-1 - 7i) * 1225 && narrow == 3i * 1225 - 1225 && wide == (1 - 3i) * 3675000000000 + 1i);
    CHECK(any == 1 && !all && product == 16);

#pragma omp target map(tofrom: sum, in)
    {
        sum = in[3] / in[1];
#pragma omp parallel for
        for (int i = 0; i < N; ++i)
            __real__ in[i] = -__imag__ in[i];
    }
    CHECK(sum == 3 + 1i && in[4] == 12 - 12i);
    return CHECK_RESULT();
}

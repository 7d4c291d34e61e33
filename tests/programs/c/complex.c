/* Complex numbers in device code: arithmetic with real ones and each other, conversions, <complex.h>, maps, reductions. */
// cflags: -std=gnu11
#include "../check.h"

#include <complex.h>
#include <math.h>

#define N 64

struct pair {
    double complex z;
    float complex c[2];
    int i;
};

#pragma omp declare target
static double complex table[3] = {1.0 + 2.0 * I, -I, 3};
static const float complex half = 0.5f;
#pragma omp end declare target

static double complex poly(double complex z, int n)
{
    double complex sum = 0, power = 1;
    for (int k = 0; k < n; ++k) {
        sum += power / (k + 1);
        power *= z;
    }
    return sum;
}

static float complex narrow(float complex c) { return __builtin_conjf(c) * 2 - c / 4.0f; }

static int near(double complex a, double complex b) { return cabs(a - b) <= 1e-12 * (1 + cabs(b)); }

enum { ROWS = 47 };
static void compute(double complex *d, double complex z, double complex w, float complex c, double x)
{
    int n = 0;
    d[n++] = z + w, d[n++] = z - w, d[n++] = z * w, d[n++] = z / w;
    d[n++] = z + x, d[n++] = x - z, d[n++] = z * x, d[n++] = x / z, d[n++] = z / x, d[n++] = 2 * z;
    d[n++] = z + c, d[n++] = c * w, d[n++] = c + 1.5, d[n++] = -z, d[n++] = ~z, d[n++] = +w;
    d[n++] = z == w, d[n++] = z != w, d[n++] = z == creal(z), d[n++] = !z, d[n++] = z && w, d[n++] = z ? 1 : 2;
    d[n++] = x > 1 ? z : x, d[n++] = (double)z, d[n++] = (int)(w * 3), d[n++] = (_Bool)z, d[n++] = (float complex)z;
    double complex v = z;
    v += w, v -= 1, v *= c, v /= x;
    d[n++] = v;
    float complex u = c;
    u += z, u *= 2;
    d[n++] = u;
    double y = x;
    y += z;
    y *= w;
    d[n++] = y;
    __real__ v = 4;
    __imag__ v *= x;
    d[n++] = v;
    d[n++] = __real__ z + __imag__(w) * I;
    d[n] = 0;
    d[n++] += z;
    d[n++] = cabs(z) + carg(w) * I + __builtin_expect(w, 1), d[n++] = conj(z), d[n++] = cproj(z), d[n++] = csqrt(z), d[n++] = csqrt(-w);
    d[n++] = cexp(z), d[n++] = clog(z), d[n++] = cpow(z, w), d[n++] = csin(z), d[n++] = ccos(w);
    d[n++] = ctanh(z), d[n++] = csinh(w) + ccosh(z) + ctan(z), d[n++] = narrow(c);
    d[n++] = poly(z / 4, 9);
}

int main(void)
{
    static double complex device[N][ROWS], host[N][ROWS];
    double complex z[N], start = 1 - I, sum = 0, product = 1;
    float complex fsum = 0, fproduct = 1;
    struct pair pair = {2 + 3 * I, {1, I}, 5};

    for (int i = 0; i < N; ++i)
        z[i] = cos(i) + I * sin(i) * 2;
#pragma omp target teams distribute parallel for map(to: z) map(from: device)
    for (int i = 0; i < N; ++i)
        compute(device[i], z[i], start + z[i] * i, z[N - 1 - i], i + 0.5);
    for (int i = 0; i < N; ++i) {
        compute(host[i], z[i], start + z[i] * i, z[N - 1 - i], i + 0.5);
        for (int k = 0; k < ROWS; ++k) {
            if (!near(device[i][k], host[i][k])) {
                printf("row %d of %d: %g%+gi, not %g%+gi\n", k, i, creal(device[i][k]), cimag(device[i][k]),
                       creal(host[i][k]), cimag(host[i][k]));
                ++check_failures;
            }
        }
    }

    /* Sums and products of numbers whose order does not show. */
#pragma omp target teams distribute parallel for reduction(+: sum, fsum) reduction(*: product, fproduct)
    for (int i = 0; i < 1000; ++i) {
        sum += i - 2 * i * I;
        fsum += 1 + (i % 3) * I;
        if (i % 100 == 7)
            product *= 1 + I, fproduct *= 2.0f * I;
    }
    /* What is not zero holds, though a part of it may be. */
    double complex any = 0, none = 0, all = 5 * I, nearly = 1;
    float complex fany = 0, fall = I;
#pragma omp target teams distribute parallel for reduction(||: any, none, fany) reduction(&&: all, nearly, fall)
    for (int i = 0; i < 1000; ++i) {
        any = any || (i == 700 ? 2 * I : 0);
        none = none || 0 * I;
        fany = fany || (i > 998 ? 0.5f * I : 0);
        all = all && (i + 1) * I;
        nearly = nearly && (i - 500) * I;
        fall = fall && 0.25f * I;
    }
    CHECK(any == 1 && none == 0 && all == 1 && nearly == 0 && fany == 1 && fall == 1);
#pragma omp target map(tofrom: any, all)
#pragma omp parallel for reduction(||: any) reduction(&&: all)
    for (int i = 0; i < 10; ++i) {
        any = any || i * I;
        all = all && i * I;
    }
    CHECK(any == 1 && all == 0);
    double complex inner = 0;
#pragma omp target map(tofrom: inner)
#pragma omp parallel for reduction(+: inner)
    for (int i = 0; i < 100; ++i)
        inner += i * I;
#pragma omp target map(tofrom: pair)
    {
        pair.z *= table[0] + table[1] + table[2];
        pair.c[1] = pair.c[0] + half + pair.i;
        table[1] = CMPLX(7, 8);
        pair.i = (int)creal(table[1]) + (int)sizeof(table);
    }
    printf("%g%+gi %g%+gi %g%+gi %g%+gi %g%+gi\n", creal(sum), cimag(sum), crealf(fsum), cimagf(fsum), creal(product),
           cimag(product), crealf(fproduct), cimagf(fproduct), creal(inner), cimag(inner));
    printf("%g%+gi %g%+gi %d\n", creal(pair.z), cimag(pair.z), crealf(pair.c[1]), cimagf(pair.c[1]), pair.i);
    return CHECK_RESULT();
}

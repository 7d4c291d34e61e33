/* <math.h> on the device: double and float functions, constants, classification, integer abs. */
#include "check.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define N 24

static int close_to(double value, double reference, double tolerance)
{
    return fabs(value - reference) <= tolerance * (fabs(reference) > 1 ? fabs(reference) : 1);
}

#define EACH(list)                                                                                             \
    list(0, sin(x)) list(1, cos(x)) list(2, tan(x)) list(3, exp(-x)) list(4, log(x)) list(5, sqrt(x))          \
    list(6, pow(x, 1.7)) list(7, atan2(x, 2.0)) list(8, fabs(-x)) list(9, floor(x)) list(10, ceil(x))          \
    list(11, fmod(x, 0.7)) list(12, hypot(x, 3.0)) list(13, cbrt(x)) list(14, tanh(x)) list(15, log10(x))      \
    list(16, erf(x)) list(17, fma(x, x, 1.0)) list(18, round(x)) list(19, fmin(x, 1.0)) list(20, exp2(x))      \
    list(21, copysign(x, -1.0)) list(22, asin(x / 30)) list(23, ldexp(x, 3))

#define COMPUTE(k, expression) d[i][k] = expression;
#define COMPARE(k, expression) CHECK(close_to(d[i][k], expression, 1e-12));

int main(void)
{
    static double d[N][24];
    float f[N][6];
    int whole[N][5];

#pragma omp target teams distribute parallel for map(from: d)
    for (int i = 0; i < N; ++i) {
        const double x = 0.3 + i;
        EACH(COMPUTE)
    }
    for (int i = 0; i < N; ++i) {
        const double x = 0.3 + i;
        EACH(COMPARE)
    }

#pragma omp target teams distribute parallel for map(from: f)
    for (int i = 0; i < N; ++i) {
        const float x = 0.25f + (float)i;
        f[i][0] = sqrtf(x);
        f[i][1] = sinf(x);
        f[i][2] = powf(x, 0.5f);
        f[i][3] = fabsf(-x);
        f[i][4] = fmaxf(x, 10.0f);
        f[i][5] = expf(-x);
    }
    for (int i = 0; i < N; ++i) {
        const float x = 0.25f + (float)i;
        CHECK(close_to(f[i][0], sqrtf(x), 1e-6) && close_to(f[i][1], sinf(x), 1e-6));
        CHECK(close_to(f[i][2], powf(x, 0.5f), 1e-6) && f[i][3] == x && f[i][4] == (x > 10 ? x : 10));
        CHECK(close_to(f[i][5], expf(-x), 1e-6));
    }

#pragma omp target parallel for map(from: whole)
    for (int i = 0; i < N; ++i) {
        const double x = i % 4 == 0 ? NAN : i % 4 == 1 ? INFINITY : i - 10.5;
        whole[i][0] = isnan(x) ? 1 : isinf(x) ? 2 : 0;
        whole[i][1] = abs(i - 12);
        whole[i][2] = (int)labs(i - 12L) + (int)llabs(12LL - i);
        whole[i][3] = (int)lround(i * 0.75) + (x > DBL_MAX) + (i == INT_MAX);
        whole[i][4] = signbit(x - 100) != 0;
    }
    for (int i = 0; i < N; ++i) {
        CHECK(whole[i][0] == (i % 4 == 0 ? 1 : i % 4 == 1 ? 2 : 0));
        CHECK(whole[i][1] == abs(i - 12) && whole[i][2] == 2 * abs(i - 12));
        CHECK(whole[i][3] == (int)lround(i * 0.75) + (i % 4 == 1));
        CHECK(i % 4 == 0 || whole[i][4] == (i % 4 != 1));
    }
    printf("%.6f %.4f\n", d[3][5], (double)f[2][0]);
    return CHECK_RESULT();
}

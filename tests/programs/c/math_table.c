/* Every function and macro of C11's <math.h>, and glibc's others that devices have, for float and double: what the device
 * computes is what the host computes, exactly on the cpu device and nearly on a GPU. */
// cflags: -std=gnu11 -D_GNU_SOURCE
#include "../check.h"

#include <math.h>

#define ONE(f)                                                                                                          \
    f(acos) f(asin) f(atan) f(cos) f(sin) f(tan) f(acosh) f(asinh) f(atanh) f(cosh) f(sinh) f(tanh) f(exp) f(exp2)       \
    f(exp10) f(expm1) f(log) f(log10) f(log1p) f(log2) f(logb) f(cbrt) f(fabs) f(sqrt) f(erf) f(erfc) f(lgamma)           \
    f(tgamma) f(ceil) f(floor) f(nearbyint) f(rint) f(round) f(trunc) f(j0) f(j1) f(y0) f(y1) f(gamma) f(significand)     \
    f(roundeven) f(nextup) f(nextdown)
#define TWO(f) f(atan2) f(hypot) f(pow) f(fmod) f(remainder) f(copysign) f(nextafter) f(fdim) f(fmax) f(fmin) f(drem)
#define WHOLE(f) f(ilogb) f(lrint) f(lround) f(llrint) f(llround) f(llogb)
#define CLASS(f) f(isnan) f(isinf) f(isfinite) f(isnormal) f(signbit) f(finite)
#define ORDER(f) f(isgreater) f(isgreaterequal) f(isless) f(islessequal) f(islessgreater) f(isunordered)

enum { ROWS = 96, WHOLES = 48, NUMBERS = 15 };
struct results {
    double d[ROWS];
    float f[ROWS];
    long n[WHOLES];
};

#pragma omp declare target
static void compute(struct results *r, double x, double y)
{
    const float g = (float)x, h = (float)y;
    int k = 0, m = 0, i = 0;
    double p = 0, q = 0;
    float s = 0, t = 0;
#define ROW(a, b) r->d[k] = a, r->f[k] = b, ++k
#define CALL_ONE(name) ROW(name(x), name##f(g));
    ONE(CALL_ONE)
#define CALL_TWO(name) ROW(name(x, y), name##f(g, h));
    TWO(CALL_TWO)
    ROW(fma(x, y, 0.5), fmaf(g, h, 0.5f));
    ROW(frexp(x, &i), frexpf(g, &i));
    r->n[m++] = i;
    ROW(modf(x, &p), modff(g, &s));
    ROW(p, s);
    ROW(remquo(x, y, &i), remquof(g, h, &i));
    r->n[m++] = isfinite(g) && isfinite(h) && h != 0 ? i & 7 : 0;
    sincos(x, &p, &q);
    sincosf(g, &s, &t);
    ROW(p, s);
    ROW(q, t);
    ROW(ldexp(x, 3), ldexpf(g, 3));
    ROW(scalbn(x, -2), scalbnf(g, -2));
    ROW(scalbln(x, 5L), scalblnf(g, 5L));
    ROW(jn(2, x), jnf(2, g));
    ROW(yn(2, x), ynf(2, g));
    ROW(nan(""), nanf(""));
    ROW(nexttoward(x, 2.0L), nexttowardf(g, y));
    ROW(lgamma_r(x, &i), lgammaf_r(g, &i));
    r->n[m++] = x > 0 ? i : 0;
    ROW(HUGE_VAL, HUGE_VALF);
    ROW(INFINITY, NAN);
    ROW(__builtin_fabs(x) + __builtin_inf(), __builtin_fmaxf(g, 1));
    if (fabs(x) < 1e9) {
#define CALL_WHOLE(name) r->n[m++] = name(x), r->n[m++] = name##f(g);
        WHOLE(CALL_WHOLE)
    } else {
        m += 12;
    }
#define CALL_CLASS(name) r->n[m++] = !!name(x), r->n[m++] = !!name(g);
    CLASS(CALL_CLASS)
#define CALL_ORDER(name) r->n[m++] = name(x, y) + 2 * name(g, h) + 4 * name(g, y);
    ORDER(CALL_ORDER)
    r->n[m++] = fpclassify(x) * 10 + fpclassify(g);
    r->n[m++] = fpclassify(x) == FP_NORMAL;
    r->n[m] = ROWS * (k <= ROWS) + WHOLES * (m < WHOLES);
}
#pragma omp end declare target

static int near(double actual, double expected, double tolerance)
{
    if (isnan(expected) || isinf(expected))
        return isnan(expected) ? isnan(actual) : actual == expected;
    return fabs(actual - expected) <= tolerance * (1 + fabs(expected));
}

int main(void)
{
    const double numbers[NUMBERS] = {0.3, 1.0, 2.5, -0.75, 7.125, -3.0, 0.0, -0.0, 20.6, 1e-40,
                                     1e300, -1e-310, INFINITY, -INFINITY, NAN};
    static struct results device[NUMBERS], host[NUMBERS];

#pragma omp target teams distribute parallel for map(to: numbers) map(tofrom: device)
    for (int i = 0; i < NUMBERS; ++i)
        compute(&device[i], numbers[i], numbers[(i + 1) % NUMBERS]);
    for (int i = 0; i < NUMBERS; ++i) {
        compute(&host[i], numbers[i], numbers[(i + 1) % NUMBERS]);
        for (int k = 0; k < ROWS; ++k) {
            if (!near(device[i].d[k], host[i].d[k], 1e-12) || !near(device[i].f[k], host[i].f[k], 2e-6)) {
                printf("row %d of %g: %.17g %.9g, not %.17g %.9g\n", k, numbers[i], device[i].d[k], device[i].f[k],
                       host[i].d[k], host[i].f[k]);
                ++check_failures;
            }
        }
        for (int m = 0; m < WHOLES; ++m) {
            if (device[i].n[m] != host[i].n[m]) {
                printf("whole %d of %g: %ld, not %ld\n", m, numbers[i], device[i].n[m], host[i].n[m]);
                ++check_failures;
            }
        }
    }
    return CHECK_RESULT();
}

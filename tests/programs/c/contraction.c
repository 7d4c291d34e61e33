/* -ffp-contract=off: products are rounded before sums take them, in device code too, where nvcc fuses the two. */
// cflags: -std=gnu11 -ffp-contract=off
#include <complex.h>
#include <stdio.h>
#define N 64
typedef double real;
enum { SEVEN = 7 };
struct __attribute__((packed)) point {
    float x, y;
};
static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
int main(void)
{
    static double a[N], b[N], c[N];
    static float f[N];
    static struct point p[N];
    static double _Complex z[N];
    for (int i = 0; i < N; i++) {
        a[i] = 1.0 / (i + 3);
        b[i] = 1.0 / 3 - i;
        f[i] = 1.0f / (i + 7);
        p[i] = (struct point){f[i], 1.0f / 3};
        z[i] = a[i] + b[i] * I;
    }
#pragma omp target teams distribute parallel for map(tofrom: a, b, c, f, p, z)
    for (int i = 0; i < N; i++) {
        const real third = 1.0 / 3, constant = 1.5 * 2.0;
        static const double table[2] = {0.1 * SEVEN, 2 * __builtin_huge_val()};
        c[i] = a[i] * b[i] - third * a[i] + i * third;
        c[i] += dot(a, b, i) - constant * a[i] + table[0];
        double scaled = b[i];
        scaled *= a[i];
        c[i] -= scaled - 1;
        int whole = i;
        whole *= 1.7;
        f[i] = f[i] * f[i] - p[i].y * 2.7f + whole;
        p[i].x *= p[i].y;
        p[i].y = p[i].x - 0.03f;
        z[i] = z[i] * z[i] * third - z[i];
    }
    for (int i = 0; i < N; i++)
        printf("%a %a %a %a %a %a\n", c[i], f[i], p[i].x, p[i].y, creal(z[i]), cimag(z[i]));
    return 0;
}

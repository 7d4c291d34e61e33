/* lattice QCD: products of complex 3 by 3 matrices, four at every site, in arrays of structures */
#include "bench.h"
#define SITES (1 << 18)
static const double bytes = 16.0 * 9 * 4 * 2 * SITES;
typedef struct {
    double re, im;
} Complex;
typedef struct {
    Complex e[3][3];
} Matrix;
typedef struct {
    Matrix link[4];
    int place[4], parity, pad[3];
} Site;
static Site *a, *c;
static Matrix *b;

static void setup(void)
{
    a = NEW(Site, SITES), b = NEW(Matrix, 4), c = NEW(Site, SITES);
    for (int i = 0; i < SITES; ++i) {
        memset(&a[i], 0, sizeof a[i]);
        for (int k = 0; k < 36; ++k)
            a[i].link[k / 9].e[k / 3 % 3][k % 3] = (Complex){(double)((i + k) % 11), (double)((i * 3 + k) % 7)};
    }
    memset(c, 0, SITES * sizeof *c);
    for (int k = 0; k < 36; ++k)
        b[k / 9].e[k / 3 % 3][k % 3] = (Complex){1.0 / (1 + k), 0.5 * k};
}
#ifndef __CUDACC__
static void multiply(int sites, const Site *a, const Matrix *b, Site *c)
{
#pragma omp target teams distribute parallel for collapse(4)
    for (int i = 0; i < sites; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l) {
                    Complex sum = {0, 0};
                    for (int m = 0; m < 3; ++m) {
                        sum.re += a[i].link[j].e[k][m].re * b[j].e[m][l].re - a[i].link[j].e[k][m].im * b[j].e[m][l].im;
                        sum.im += a[i].link[j].e[k][m].re * b[j].e[m][l].im + a[i].link[j].e[k][m].im * b[j].e[m][l].re;
                    }
                    c[i].link[j].e[k][l] = sum;
                }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: a[0:SITES], b[0:4], c[0:SITES])
}
static void step(void) { multiply(SITES, a, b, c); }
static void end(void)
{
#pragma omp target exit data map(from: c[0:SITES])
}
#else
static Site *d_a, *d_c;
static Matrix *d_b;
__global__ void multiply(int sites, const Site *__restrict__ a, const Matrix *__restrict__ b, Site *__restrict__ c)
{
    const unsigned int at = blockIdx.x * blockDim.x + threadIdx.x, i = at / 36, j = at / 9 % 4, k = at / 3 % 3, l = at % 3;
    if (i < sites) {
        Complex sum = {0, 0};
        for (int m = 0; m < 3; ++m) {
            sum.re += a[i].link[j].e[k][m].re * b[j].e[m][l].re - a[i].link[j].e[k][m].im * b[j].e[m][l].im;
            sum.im += a[i].link[j].e[k][m].re * b[j].e[m][l].im + a[i].link[j].e[k][m].im * b[j].e[m][l].re;
        }
        c[i].link[j].e[k][l] = sum;
    }
}
static void begin(void) { d_a = device_copy(a, SITES), d_b = device_copy(b, 4), d_c = device_copy(c, SITES); }
static void step(void)
{
    multiply<<<blocks_for(36LL * SITES, 256), 256>>>(SITES, d_a, d_b, d_c);
    device_wait();
}
static void end(void) { from_device(c, d_c, SITES); }
#endif
static int check(void)
{
    for (int i = 0; i < SITES; i += 17)
        for (int at = 0; at < 36; ++at) {
            const int j = at / 9, k = at / 3 % 3, l = at % 3;
            double re = 0, im = 0;
            for (int m = 0; m < 3; ++m) {
                const Complex x = a[i].link[j].e[k][m], y = b[j].e[m][l];
                re += x.re * y.re - x.im * y.im, im += x.re * y.im + x.im * y.re;
            }
            if (!is_close(c[i].link[j].e[k][l].re, re, 1e-12) || !is_close(c[i].link[j].e[k][l].im, im, 1e-12))
                return 0;
        }
    return 1;
}
#include "driver.h"

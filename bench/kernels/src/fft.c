/* the passes of a radix-2 transform over many rows, in place: one launch for a pass, complex numbers as structures */
#include "bench.h"
#define ROWS 4096
#define LENGTH 1024
static const double bytes = 10 * 16.0 * ROWS * LENGTH;
typedef struct {
    float re, im;
} Complex;
static Complex *data, *turn, *first;

static void setup(void)
{
    data = NEW(Complex, ROWS * LENGTH), first = NEW(Complex, LENGTH), turn = NEW(Complex, LENGTH / 2);
    for (int i = 0; i < ROWS * LENGTH; ++i)
        data[i].re = (float)(next_random() % 100) * 0.01f, data[i].im = (float)(next_random() % 100) * 0.01f;
    memcpy(first, data, LENGTH * sizeof *data);
    for (int i = 0; i < LENGTH / 2; ++i) {
        turn[i].re = (float)cos(2 * 3.14159265358979 * i / LENGTH);
        turn[i].im = (float)-sin(2 * 3.14159265358979 * i / LENGTH);
    }
}
/* Scaled, so that the sum of the squares stays. */
#define BUTTERFLY(a, b, w)                                                                                             \
    const float half = 0.70710678f;                                                                                    \
    const float re = (b).re * (w).re - (b).im * (w).im, im = (b).re * (w).im + (b).im * (w).re;                        \
    const float x = (a).re, y = (a).im;                                                                                \
    (a).re = half * (x + re), (a).im = half * (y + im);                                                                \
    (b).re = half * (x - re), (b).im = half * (y - im);
#ifndef __CUDACC__
static void transform(int rows, int n, Complex *data, const Complex *turn)
{
    for (int span = 1; span < n; span *= 2) {
#pragma omp target teams distribute parallel for collapse(2)
        for (int row = 0; row < rows; ++row)
            for (int k = 0; k < n / 2; ++k) {
                const int j = k % span, at = row * n + k / span * 2 * span + j;
                const Complex w = turn[j * (n / (2 * span))];
                BUTTERFLY(data[at], data[at + span], w)
            }
    }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: data[0:ROWS * LENGTH], turn[0:LENGTH / 2])
}
static void step(void) { transform(ROWS, LENGTH, data, turn); }
static void end(void)
{
#pragma omp target exit data map(from: data[0:ROWS * LENGTH])
}
#else
static Complex *ddata, *dturn;
__global__ void pass(int n, int log_span, Complex *__restrict__ data, const Complex *__restrict__ turn)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x, span = 1 << log_span;
    if (k >= n / 2)
        return;
    const int j = k & (span - 1), at = blockIdx.y * n + (k >> log_span << (log_span + 1)) + j;
    const float2 w = *(const float2 *)&turn[j * (n >> (log_span + 1))];
    const float2 p = *(float2 *)&data[at], q = *(float2 *)&data[at + span];
    Complex a = {p.x, p.y}, b = {q.x, q.y};
    const Complex t = {w.x, w.y};
    BUTTERFLY(a, b, t)
    *(float2 *)&data[at] = make_float2(a.re, a.im), *(float2 *)&data[at + span] = make_float2(b.re, b.im);
}
static void begin(void) { ddata = device_copy(data, ROWS * LENGTH), dturn = device_copy(turn, LENGTH / 2); }
static void step(void)
{
    for (int log_span = 0; 1 << log_span < LENGTH; ++log_span)
        pass<<<dim3(blocks_for(LENGTH / 2, 256), ROWS), 256>>>(LENGTH, log_span, ddata, dturn);
    device_wait();
}
static void end(void) { from_device(data, ddata, ROWS * LENGTH); }
#endif
static int check(void)
{
    for (int s = 0; s < steps; ++s)
        for (int span = 1; span < LENGTH; span *= 2)
            for (int k = 0; k < LENGTH / 2; ++k) {
                const int j = k % span, at = k / span * 2 * span + j;
                const Complex w = turn[j * (LENGTH / (2 * span))];
                BUTTERFLY(first[at], first[at + span], w)
            }
    for (int i = 0; i < LENGTH; ++i)
        if (!is_close(data[i].re, first[i].re, 1e-3) || !is_close(data[i].im, first[i].im, 1e-3))
            return 0;
    return 1;
}
#include "driver.h"

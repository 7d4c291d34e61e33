/* Loops over rows with loops inside: those that are independent may be spread over the grid, others must stay in order. */
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 40
#define WIDTH 64
#define SIZE (ROWS * WIDTH)

static double x[SIZE], y[SIZE], want[SIZE];
static double (*const square)[WIDTH] = (double (*)[WIDTH])y;

static void fill(void)
{
    for (int k = 0; k < SIZE; ++k) {
        x[k] = k % 13 - 5;
        y[k] = want[k] = k % 7 + 1;
    }
}

static int same(void)
{
    return memcmp(y, want, sizeof y) == 0;
}

static void stencil(int n, int m, const double *in, double *out)
{
#pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; ++i) {
        enum { NEXT = 1 };
        const double *up = in + (i - NEXT) * m;
        if (i % 5 == 3)
            continue;
        for (int j = 1; j < m - 1; ++j) {
            const int here = i * m + j;
            out[here] = in[here - NEXT] + in[here + NEXT] + up[j] + in[here + m];
        }
    }
}

static void stencil_reference(int n, int m, const double *in, double *out)
{
    for (int i = 1; i < n - 1; ++i)
        for (int j = 1; j < m - 1; ++j)
            if (i % 5 != 3)
                out[i * m + j] = in[i * m + j - 1] + in[i * m + j + 1] + in[(i - 1) * m + j] + in[i * m + j + m];
}

/* In place: distances in both directions, and one that is as long as the loop. */
static void sweep(int n, int m, double *a, int forward)
{
    if (forward) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            for (int j = 1; j < m; ++j)
                a[i * m + j] += a[i * m + j - 1];
    } else {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < m - 1; ++j)
                a[i * m + j] += a[i * m + j + 1];
    }
}

static void sweep_reference(int n, int m, double *a, int forward)
{
    for (int i = 0; i < n; ++i)
        for (int j = forward; j < m - !forward; ++j)
            a[i * m + j] += a[i * m + j + (forward ? -1 : 1)];
}

static void halves(int n, int m, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 32; ++j)
            a[i * m + j] = a[i * m + j + 32] + j;
}

/* Downwards, so that an overlapping pitch changes the result. */
static void three_down(int n, int m, int pitch, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 3; j >= 0; --j)
            for (int k = m - 1; k >= 0; k -= 2)
                a[i * 64 + j * pitch + k] = 3 * a[i * 64 + j * pitch + k] + j * 10 + k;
}

/* Two places in a row whose distance only the run knows. */
static void planes(int n, int m, int pitch, int width, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            a[i * 64 + j] += 1;
            a[pitch * width + i * 64 + j] += 2 * a[i * 64 + j];
        }
}

/* Even elements are written and odd ones are read. */
static void odd_even(int n, int m, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m / 2; ++j)
            a[i * m + 2 * j] = 2 * a[i * m + 2 * j + 1];
}

/* The factor is 0, so that all columns meet in one element. */
static void strided(int n, int m, int step, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 32; ++j)
            a[i * m + j * step] += j + a[i * m + j * step];
}

/* Three loops over one array; the pitch may be shorter than a row. */
static void three(int n, int m, int pitch, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < m; ++k)
                a[i * 4 * m + j * pitch + k] = 3 * a[i * 4 * m + j * pitch + k] + j * 10 + k;
}

static void three_steps(int n, int m, int pitch, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < m; k += 2)
                a[i * 4 * m + j * pitch + k] = 3 * a[i * 4 * m + j * pitch + k] + j * 10 + k;
}

/* One name for two variables. */
static void shadowed(int n, int m, int j, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        const int base = i * m + j;
        for (int j = 0; j < m; ++j)
            a[base + j] = j;
    }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        double *row = a + i * m;
        for (int i = m - 2; i < m; ++i)
            row[i] += i;
    }
}

/* The loop is as long as the distance, but for its steps. */
static void far(int n, int m, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 48; j += 3)
            a[i * m + j] = a[i * m + j + 15] + a[i * m + j] + 1;
}

static void carried(int n, int m, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        double before = 1, twice;
        int j;
        for (j = 0; j < m; ++j) {
            twice = 2 * before;
            before = a[i * m + j];
            a[i * m + j] = twice;
        }
    }
}

static void private_scalars(int n, int m, const double *in, double *a)
{
    int i, j, at;
    double t;
#pragma omp target teams distribute parallel for private(j, at, t)
    for (i = 0; i < n; ++i)
        for (j = 0; j < m; ++j) {
            at = i * m + j;
            t = sqrt(fabs(in[at]));
            if (t > 1)
                t -= 1;
            a[at] = t;
        }
}

static void last_value(int n, int m, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        double t = 0;
        int j;
        for (j = 0; j < m - 1; ++j)
            t = a[i * m + j];
        a[i * m + j] = t + j;
    }
}

static void prefix_sees_writes(int n, int m, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        const double first = a[i * m];
        for (int j = 0; j < m; ++j)
            a[i * m + j] = first + j;
    }
}

static double dot(int n, int m, const double *in, const double *a, double *most)
{
    double sum = 0, top = -1e9;
#pragma omp target teams distribute parallel for reduction(+: sum) reduction(max: top)
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            sum += in[i * m + j] * a[i * m + j];
            if (a[i * m + j] > top)
                top = a[i * m + j];
        }
    *most = top;
    return sum;
}

static double reads_the_sum(int n, int m, double *a)
{
    double sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            sum += 1;
            a[i * m + j] = sum > 0 ? j + 1 : -1;
        }
    return sum;
}

static void found(int n, int m, const double *in, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            if (in[i * m + j] == 7)
                break;
            a[i * m + j] = -1;
        }
}

static void transposed(int n, int m, const double *in, double *a)
{
#pragma omp target teams distribute parallel for
    for (int j = 0; j < m; ++j)
        for (int i = 0; i < n; ++i)
            a[i * m + j] = in[i * m + j] + j;
}

static void matrix(double (*a)[WIDTH], const double *in)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < ROWS; ++i)
        for (int j = WIDTH - 1; j >= 0; --j)
            a[i][j] = in[i * WIDTH + j] - a[i][j];
}

int main(void)
{
    double most = 0;
#pragma omp target enter data map(to: x, y)
#define RUN(call, reference)              \
    do {                                  \
        fill();                           \
        _Pragma("omp target update to(x, y)") call; \
        _Pragma("omp target update from(y)") reference; \
        CHECK(same());                    \
    } while (0)
#define EACH for (int i = 0; i < ROWS; ++i) for (int j = 0; j < WIDTH; ++j)
    RUN(stencil(ROWS, WIDTH, x, y), stencil_reference(ROWS, WIDTH, x, want));
    for (int forward = 0; forward < 2; ++forward)
        RUN(sweep(ROWS, WIDTH, y, forward), sweep_reference(ROWS, WIDTH, want, forward));
    RUN(halves(ROWS, WIDTH, y), EACH if (j < 32) want[i * WIDTH + j] = want[i * WIDTH + j + 32] + j);
    RUN(odd_even(ROWS, WIDTH, y), EACH if (j % 2 == 0) want[i * WIDTH + j] = 2 * want[i * WIDTH + j + 1]);
    for (int step = -2; step < 3; ++step) {
        const int from = step < 0 ? 63 : 0;
        RUN(strided(ROWS - 1, WIDTH, step, y + from),
            EACH if (i < ROWS - 1 && j < 32) want[from + i * WIDTH + j * step] += j + want[from + i * WIDTH + j * step]);
    }
    for (int pitch = 0; pitch < 17; pitch += 4)
        RUN(three(ROWS, 16, pitch, y),
            for (int i = 0; i < ROWS; ++i) for (int j = 0; j < 4; ++j) for (int k = 0; k < 16; ++k) want[i * 64 + j * pitch + k] =
                3 * want[i * 64 + j * pitch + k] + j * 10 + k);
    for (int pitch = 0; pitch < 17; ++pitch)
        RUN(three_steps(ROWS, 16, pitch, y),
            for (int i = 0; i < ROWS; ++i) for (int j = 0; j < 4; ++j) for (int k = 0; k < 16; k += 2) want[i * 64 + j * pitch + k] =
                3 * want[i * 64 + j * pitch + k] + j * 10 + k);
    for (int pitch = 0; pitch < 17; ++pitch)
        RUN(three_down(ROWS, 16, pitch, y),
            for (int i = 0; i < ROWS; ++i) for (int j = 3; j >= 0; --j) for (int k = 15; k >= 0; k -= 2) want[i * 64 + j * pitch + k] =
                3 * want[i * 64 + j * pitch + k] + j * 10 + k);
    for (int pitch = -4; pitch < 5; ++pitch)
        for (int width = 0; width < 9; width += 4)
            RUN(planes(ROWS - 1, 20, pitch, width, y + 32), double *const a = want + 32;
                for (int i = 0; i < ROWS - 1; ++i) for (int j = 0; j < 20; ++j) {
                    a[i * 64 + j] += 1;
                    a[pitch * width + i * 64 + j] += 2 * a[i * 64 + j];
                });
    RUN(shadowed(ROWS, WIDTH / 2, 3, y), for (int i = 0; i < ROWS; ++i) for (int j = 0; j < 32; ++j) want[i * 32 + j + 3] = j;
        for (int i = 0; i < ROWS; ++i) for (int j = 30; j < 32; ++j) want[i * 32 + j] += j);
    RUN(far(ROWS, WIDTH, y), for (int i = 0; i < ROWS; ++i) for (int j = 0; j < 48; j += 3) want[i * WIDTH + j] +=
            want[i * WIDTH + j + 15] + 1);
    RUN(carried(ROWS, WIDTH, y), double old = 0; EACH {
        const double now = want[i * WIDTH + j];
        want[i * WIDTH + j] = 2 * (j ? old : 1);
        old = now;
    });
    RUN(private_scalars(ROWS, WIDTH, x, y), EACH {
        const double t = sqrt(fabs(x[i * WIDTH + j]));
        want[i * WIDTH + j] = t > 1 ? t - 1 : t;
    });
    RUN(last_value(ROWS, WIDTH, y), EACH if (j == WIDTH - 1) want[i * WIDTH + j] = want[i * WIDTH + j - 1] + j);
    RUN(prefix_sees_writes(ROWS, WIDTH, y),
        for (int i = 0; i < ROWS; ++i) for (int j = WIDTH - 1; j >= 0; --j) want[i * WIDTH + j] = want[i * WIDTH] + j);
    fill();
    double sum = 0;
    EACH sum += x[i * WIDTH + j] * y[i * WIDTH + j];
#pragma omp target update to(x, y)
    CHECK(dot(ROWS, WIDTH, x, y, &most) == sum && most == 7);
    RUN(CHECK(reads_the_sum(ROWS, WIDTH, y) == ROWS * WIDTH), EACH want[i * WIDTH + j] = j + 1);
    RUN(found(ROWS, WIDTH, x, y), for (int i = 0; i < ROWS; ++i) for (int j = 0; j < WIDTH && x[i * WIDTH + j] != 7; ++j)
                                      want[i * WIDTH + j] = -1);
    RUN(transposed(ROWS, WIDTH, x, y), EACH want[i * WIDTH + j] = x[i * WIDTH + j] + j);
    RUN(matrix(square, x), EACH want[i * WIDTH + j] = x[i * WIDTH + j] - want[i * WIDTH + j]);
    /* The same array, so that nothing may be taken for apart. */
    RUN(private_scalars(ROWS, WIDTH, y, y), EACH {
        const double t = sqrt(fabs(want[i * WIDTH + j]));
        want[i * WIDTH + j] = t > 1 ? t - 1 : t;
    });
    RUN(stencil(3, WIDTH / 2, y, y + 4 * WIDTH), stencil_reference(3, WIDTH / 2, want, want + 4 * WIDTH));
#pragma omp target exit data map(release: x, y)
    return CHECK_RESULT();
}

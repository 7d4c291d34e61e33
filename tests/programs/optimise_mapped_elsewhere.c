/* Regions get pointers, and other functions have mapped what they point to: in the same piece of memory, or in others. */
#include "check.h"
#include <omp.h>
#include <stdlib.h>

#define N 64

/* If x and y overlap, the order of the accesses shows. */
static void smooth(int n, const double *x, double *y, int m)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        y[2 * i] = 0;
        for (int j = 0; j < m; ++j)
            y[2 * i] += x[2 * i] + j;
    }
}

/* The region maps one of them itself, and it may be on the device already. */
static void smooth_section(int n, const double *x, double *y, int m)
{
#pragma omp target teams distribute parallel for map(tofrom: y[0:2 * n])
    for (int i = 0; i < n; ++i) {
        y[2 * i] = 0;
        for (int j = 0; j < m; ++j)
            y[2 * i] += x[2 * i] + j;
    }
}

static void reference(int n, const double *x, double *y, int m)
{
    for (int i = 0; i < n; ++i) {
        y[2 * i] = 0;
        for (int j = 0; j < m; ++j)
            y[2 * i] += x[2 * i] + j;
    }
}

static void fill(double *data, int n)
{
    for (int i = 0; i < n; ++i)
        data[i] = i % 7 + 1;
}

static int same(const double *a, const double *b, int n)
{
    for (int i = 0; i < n; ++i)
        if (a[i] != b[i])
            return 0;
    return 1;
}

static void one_piece(int from, int to)
{
    double *data = (double *)malloc(4 * N * sizeof *data), *want = (double *)malloc(4 * N * sizeof *want);
    for (int section = 0; section < 2; ++section) {
        fill(data, 4 * N);
        fill(want, 4 * N);
        reference(N / 2, want + from, want + to, 3);
#pragma omp target enter data map(to: data[0:4 * N])
        (section ? smooth_section : smooth)(N / 2, data + from, data + to, 3);
#pragma omp target exit data map(from: data[0:4 * N])
        CHECK(same(data, want, 4 * N));
    }
    free(data);
    free(want);
}

/* Two pieces whose memory on the host is side by side. */
static void two_pieces(int first, int swapped)
{
    double *data = (double *)malloc(4 * N * sizeof *data), *want = (double *)malloc(4 * N * sizeof *want);
    double *low = data, *high = data + first;
    for (int section = 0; section < 2; ++section) {
        fill(data, 4 * N);
        fill(want, 4 * N);
        reference(N / 2, swapped ? want + first : want, swapped ? want : want + first, 3);
#pragma omp target enter data map(to: low[0:first])
        if (!section || swapped) {
#pragma omp target enter data map(to: high[0:N])
            ;
        }
        (section ? smooth_section : smooth)(N / 2, swapped ? high : low, swapped ? low : high, 3);
        if (!section || swapped) {
#pragma omp target exit data map(from: high[0:N])
            ;
        }
#pragma omp target exit data map(from: low[0:first])
        CHECK(same(data, want, 4 * N));
    }
    free(data);
    free(want);
}

/* Pointers of the device: the runtime knows nothing of them. */
static void device_memory(int from, int to)
{
    const int device = omp_get_default_device(), host = omp_get_initial_device();
    double *data = (double *)malloc(4 * N * sizeof *data), *want = (double *)malloc(4 * N * sizeof *want);
    double *there = (double *)omp_target_alloc(4 * N * sizeof *there, device);
    fill(data, 4 * N);
    fill(want, 4 * N);
    reference(N / 2, want + from, want + to, 3);
    omp_target_memcpy(there, data, 4 * N * sizeof *data, 0, 0, device, host);
    smooth(N / 2, there + from, there + to, 3);
    omp_target_memcpy(data, there, 4 * N * sizeof *data, 0, 0, host, device);
    CHECK(same(data, want, 4 * N));
    omp_target_free(there, device);
    free(data);
    free(want);
}

int main(void)
{
    one_piece(0, 2 * N);
    one_piece(2 * N, 0);
    one_piece(0, 0);
    one_piece(1, 0);
    one_piece(0, 1);
    one_piece(1, 2);
    two_pieces(N, 0);
    two_pieces(N, 1);
    two_pieces(2 * N, 1);
    device_memory(0, 0);
    device_memory(0, 2 * N);
    return CHECK_RESULT();
}

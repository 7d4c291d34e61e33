/* loops inside the distributed one that run in order: sums, scans, rows of several arrays, evenly apart or not */
#include <stdio.h>
#include <stdlib.h>
#define ROOM 400000

static float *a, *o;
static double *b;
static int *begin;

/* a sum, what depends on it, and a row that is written */
static void normalise(int rows, int n, int apart, const float *in, float *out, float *sums)
{
#pragma omp target teams distribute parallel for map(from: sums[0:rows])
    for (int i = 0; i < rows; ++i) {
        float sum = 0, weight = 1;
        for (int j = 0; j < n; ++j)
            sum = sum * 0.5f + in[i * apart + j];
        for (int j = 0; j < n; ++j)
            weight += in[i * apart + j] > sum;
        for (int j = 0; j < n; ++j)
            out[i * apart + j] = (in[i * apart + j] - sum) / weight;
        sums[i] = sum;
    }
}

/* two arrays, a scan, rows that begin anywhere and end elsewhere */
static void scan(int rows, const float *in, const double *factors, float *out, double *total, const int *first)
{
#pragma omp target teams distribute parallel for map(from: total[0:rows])
    for (int i = 0; i < rows; ++i) {
        const float *row = in + first[i];
        double sum = i;
        for (int j = 0; j < 300; ++j) {
            sum = sum * 0.25 + factors[i * 300 + j] - row[j];
            if (j % 7 == i % 7)
                continue;
            sum += 1;
        }
        for (int j = 0; j < 300; ++j) {
            sum = sum * 0.25 + factors[i * 300 + j] - row[j];
            out[i * 300 + j] = (float)sum;
        }
        for (int j = i % 300; j < 300; ++j)
            sum += factors[i * 300 + j];
        total[i] = sum;
    }
}

/* rows that are done before others, some of them in an earlier piece */
static void uneven(int rows, const double *in, float *out)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < rows; ++i) {
        double sum = 0;
        for (int j = 0; j < 130; ++j)
            sum = sum * 0.5 + in[i * 130 + j];
        for (int j = 0; j < 130 - i % 7; ++j)
            out[i * 130 + j] = (float)(in[i * 130 + j] - sum);
    }
}

static double checksum(const float *v, int n)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum = sum * 0.5 + v[k];
    return sum;
}

int main(void)
{
    a = (float *)malloc(ROOM * sizeof *a), o = (float *)malloc(ROOM * sizeof *o), b = (double *)malloc(ROOM * sizeof *b);
    begin = (int *)malloc(1000 * sizeof *begin);
    float sums[1000];
    double total[1000];
    for (int k = 0; k < ROOM; ++k)
        a[k] = (float)(k * 7919 % 1000) / 16, o[k] = (float)k, b[k] = k * 31 % 97;
    for (int k = 0; k < 1000; ++k)
        begin[k] = k * 299 + k % 3;
#pragma omp target enter data map(to: a[0:ROOM], o[0:ROOM], b[0:ROOM], begin[0:1000])
    const int shapes[][3] = {{1, 1000, 1000}, {33, 129, 132}, {600, 300, 300}, {90, 31, 40}, {999, 77, 77}, {64, 1024, 1024}};
    for (int s = 0; s < 6; ++s) {
        normalise(shapes[s][0], shapes[s][1], shapes[s][2], a + s % 2, o, sums);
#pragma omp target update from(o[0:ROOM])
        printf("%d %.9g %.9g\n", s, checksum(o, ROOM), checksum(sums, shapes[s][0]));
    }
    normalise(100, 50, 60, a, a + 100000, sums); /* in one array, so the host cannot tell them apart */
    scan(500, a, b, o, total, begin);
#pragma omp target update from(a[0:ROOM], o[0:ROOM])
    printf("%.9g %.9g %.9g %.9g\n", checksum(a, ROOM), checksum(o, ROOM), total[0], total[499]);
    uneven(3000, b, o);
#pragma omp target update from(o[0:ROOM])
    double all = 0;
    for (int k = 0; k < ROOM; ++k)
        all += o[k] * (k % 5);
    printf("%.9g\n", all);
#pragma omp target exit data map(release: a[0:ROOM], o[0:ROOM], b[0:ROOM], begin[0:1000])
    return 0;
}

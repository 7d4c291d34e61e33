/* inner loops of which all threads read the same rows: of several sizes and lengths, aligned or not, under given clauses, of
 * members, of structures, in reductions, and where what is written overlaps them */
#include <stdio.h>
#include <stdlib.h>
#define MOST 1031

struct points { int count; double *x, *y; const float *weight; };
struct two { float x, y; };
struct three { float x, y, z; };
struct four { double charge; int kind; float weight; };
static struct two two[MOST];
static struct three three[MOST];
static struct four four[MOST];
static double *x, *y, *out;
static float *weight;
static int *key;
static long *wide;

/* rows of one size, and an element of the thread's own in the same array */
static void distances(int points, int n, const double *px, const double *py, double *near)
{
#pragma omp target teams distribute parallel for map(to: px[0:MOST], py[0:MOST]) map(tofrom: near[0:points])
    for (int i = 0; i < points; ++i) {
        double sum = near[i];
        for (int j = 0; j < n; ++j) {
            const double dx = px[j] - px[i], dy = py[j] - py[i];
            sum = sum * 0.5 + dx * dx + dy * dy;
        }
        near[i] = sum;
    }
}

/* rows of both sizes that begin and end elsewhere, then a loop over others; the last two threads of a block have no others */
static void mixed(int points, int from, int to, const float *w, const long *l, const int *k, const double *p, double *sums)
{
#pragma omp target teams distribute parallel for thread_limit(66) map(to: w[0:MOST], l[0:MOST], k[0:MOST], p[0:MOST]) map(from: sums[0:points])
    for (int i = 0; i < points; ++i) {
        double sum = i;
        for (int j = from; j < to; ++j)
            sum = sum * 0.25 + w[j + 1] * (double)l[j] - (k[j] > i);
        const double before = sum;
        for (int m = 0; m <= to; ++m) {
            if (p[m] > before)
                sum += p[m];
            else
                sum -= k[m];
        }
        sums[i] = sum;
    }
}

/* pointers and the bound are members */
static void members(struct points *of, int rows, double *sums)
{
#pragma omp target teams distribute parallel for collapse(1) map(to: of[0:1], of->x[0:MOST], of->y[0:MOST], of->weight[0:MOST]) map(from: sums[0:rows])
    for (int i = 0; i < rows; ++i) {
        double sum = 0;
        for (int j = 0; j < of->count; ++j)
            sum = (sum + of->x[j] * of->weight[j]) * 0.5 - of->y[j];
        sums[i] = sum + i;
    }
}

/* a row of a matrix that each group of threads has, which is not the same for all; and one that is */
static void rows_of_groups(int rows, int n, int row, const double *matrix, double *sums)
{
#pragma omp target teams distribute parallel for map(to: matrix[0:MOST]) map(from: sums[0:rows])
    for (int i = 0; i < rows; ++i) {
        double sum = 0;
        for (int j = 0; j < n; ++j)
            sum = sum * 0.5 + matrix[i / 40 * n + j] + matrix[row * n + j] * matrix[j];
        sums[i] = sum;
    }
}

/* threads that run many iterations, of structures whose members are read, or all of them */
static float weighed(const struct two at, const struct two other)
{
    return (at.x - other.x) * 2 + at.y - other.y;
}

static double reduced(int points, int n, const struct two *p2, const struct three *p3, const struct four *p4)
{
    double most = -1e30;
    float farthest = 0;
    long kinds = 0;
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(96) map(to: p2[0:MOST - 1], p3[0:MOST - 1]) reduction(max: farthest)
    for (int i = 0; i < points; ++i) {
        float near = i % 5;
        const struct two mine = p2[i];
        for (int j = 0; j < n; ++j) {
            const struct three other = p3[j];
            near = near * 0.5f + weighed(mine, p2[j]) - other.z * p3[j].x;
        }
        if (near > farthest)
            farthest = near;
    }
#pragma omp target teams distribute parallel for map(to: p4[0:MOST - 1]) reduction(max: most) reduction(+: kinds)
    for (int i = 0; i < points; ++i) {
        double sum = i;
        for (int j = 0; j < n; ++j) {
            sum = sum * 0.25 + p4[j].charge * p4[i].weight;
            kinds += p4[j].kind ^ i;
        }
        most = sum > most ? sum : most;
    }
    return most + farthest * 3 + (double)kinds;
}

static void show(const char *what, int n, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum = sum * 0.75 + out[i];
    printf("%s %d %d %.17g\n", what, n, count, sum);
}

int main(void)
{
    static const int lengths[] = {0, 1, 7, 8, 31, 63, 64, 65, 128, 129, 500, 1029}, counts[] = {1, 31, 33, 256, 700};
    x = (double *)malloc(MOST * sizeof *x), y = (double *)malloc(MOST * sizeof *y), out = (double *)calloc(MOST, sizeof *out);
    weight = (float *)malloc(MOST * sizeof *weight), key = (int *)malloc(MOST * sizeof *key), wide = (long *)malloc(MOST * sizeof *wide);
    for (int i = 0; i < MOST; ++i)
        two[i].x = (float)(i % 9), two[i].y = (float)(i % 4), three[i].x = 0.25f * (float)(i % 3), three[i].y = 1, three[i].z = (float)(i % 6),
        four[i].charge = i % 8 - 3, four[i].kind = i % 21, four[i].weight = (float)(i % 3),
        x[i] = i % 13 - 4, y[i] = i % 7 * 0.5, weight[i] = (float)(i % 5), key[i] = i * 7 % 100, wide[i] = i % 11 - 3;
#pragma omp target enter data map(to: x[0:MOST], y[0:MOST], weight[0:MOST], key[0:MOST], wide[0:MOST]) map(alloc: out[0:MOST])
    for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; ++l)
        for (unsigned c = 0; c < sizeof counts / sizeof *counts; ++c) {
            const int n = lengths[l], count = counts[c];
            struct points of = {n, x, y, weight};
            for (int i = 0; i < MOST; ++i)
                out[i] = i % 3;
#pragma omp target update to(out[0:MOST])
            distances(count, n, x, y, out);
#pragma omp target update from(out[0:MOST])
            show("distances", n, count);
            mixed(count, n < 3 ? n : 3, n, weight, wide, key, x, out);
#pragma omp target update from(out[0:MOST])
            show("mixed", n, count);
            members(&of, count, out);
#pragma omp target update from(out[0:MOST])
            show("members", n, count);
            rows_of_groups(count, n / 30, 2, x, out);
#pragma omp target update from(out[0:MOST])
            show("groups", n, count);
            printf("reduced %d %d %.17g", n, count, reduced(count, n, two, three, four));
            printf(" %.17g\n", reduced(count, n, two + 1, three + 1, four + 1));
        }
    /* the element that one thread writes is read by no other: the rows are another part of the array */
    distances(500, 500, x, y, out);
    distances(100, 400, out, y, out + 600);
#pragma omp target update from(out[0:MOST])
    show("overlapping", 400, 700);
#pragma omp target exit data map(release: x[0:MOST], y[0:MOST], weight[0:MOST], key[0:MOST], wide[0:MOST], out[0:MOST])
    return 0;
}

/* Functions called in regions: what they do with memory of their callers, and with memory that overlaps other memory. */
#include "check.h"
#include <string.h>

#define N 200

typedef struct {
    double sum;
    int count;
} tally;

static double next_number(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 54);
}

static int find(int n, double value, const double *grid)
{
    int low = 0, high = n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (grid[middle] > value)
            high = middle;
        else
            low = middle;
    }
    return low;
}

static double bump(double *p, int i, double by)
{
    if (by == 0)
        return p[i];
    p[i] += by;
    return p[i];
}

static void count(tally *t, double value)
{
    t->sum += value;
    t->count++;
}

static void swap(double *a, double *b)
{
    const double t = *a;
    *a = *b;
    *b = t;
}

static double depth(double *p, int n)
{
    return n ? depth(p, n - 1) + 1 : (*p += 1);
}

static void lookups(int n, const double *grid, double *out)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        unsigned long long seed = 1 + 77ull * i;
        tally t = {0, 0};
        for (int k = 0; k < 5; ++k) {
            const double value = next_number(&seed);
            count(&t, grid[find(n, value, grid)]);
        }
        out[i] = t.sum / t.count + next_number(&seed);
    }
}

/* If a and b are the same memory, a load after the call has to see what the call has written. */
static void through_calls(int n, const double *a, double *b)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        const double before = a[i];
        bump(b, i, 3);
        b[i] += a[i] + before;
        for (int k = 0; k < 3; ++k)
            bump(b, i, a[i]);
    }
}

/* The bound is in memory that a call changes. */
static void bounds(int n, const double *a, double *b)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < a[i]; ++k) {
            if (k > 20)
                break;
            bump(b, i, k & 1 ? 0.5 : 2);
        }
}

/* Columns that a call writes: the loop inside must stay in order. */
static void columns(int n, int m, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 1; j < m; ++j) {
            bump(a, i * m + j, a[i * m + j - 1]);
            swap(&a[i * m + j], &a[i * m + j - 1]);
        }
}

/* An element that would be kept in a variable is also read through a parameter. */
static void kept(int n, const double *a, double *b)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        b[i] = 0;
        for (int k = 0; k < 4; ++k) {
            b[i] += a[i] + k;
            const double one = bump(b, i, 1), two = depth(&b[i], 2);
            b[i] += one + two;
        }
    }
}

static double x[N], y[N], want_x[N], want_y[N];

#define RUN(call, ...)                                                \
    do {                                                              \
        for (int k = 0; k < N; ++k)                                   \
            x[k] = want_x[k] = k % 11, y[k] = want_y[k] = k % 5 + 1;  \
        _Pragma("omp target update to(x, y)") call;                   \
        _Pragma("omp target update from(x, y)") __VA_ARGS__;          \
        CHECK(!memcmp(x, want_x, sizeof x));                          \
        CHECK(!memcmp(y, want_y, sizeof y));                          \
    } while (0)
#define EACH for (int i = 0; i < N; ++i)

static void want_through(const double *a, double *b)
{
    EACH {
        const double before = a[i];
        b[i] += 3;
        b[i] += a[i] + before;
        for (int k = 0; k < 3; ++k)
            bump(b, i, a[i]);
    }
}

static void want_bounds(const double *a, double *b)
{
    EACH for (int k = 0; k < a[i] && k <= 20; ++k)
        b[i] += k & 1 ? 0.5 : 2;
}

int main(void)
{
    static double grid[N], out[N];
    for (int k = 0; k < N; ++k)
        grid[k] = 5 * k;
#pragma omp target enter data map(to: x, y, grid, out)
    lookups(N, grid, out);
#pragma omp target update from(out)
    EACH {
        unsigned long long seed = 1 + 77ull * i;
        double sum = 0;
        for (int k = 0; k < 5; ++k)
            sum += grid[find(N, next_number(&seed), grid)];
        CHECK(out[i] == sum / 5 + next_number(&seed));
    }
    RUN(through_calls(N, x, y), want_through(want_x, want_y));
    RUN(through_calls(N, y, y), want_through(want_y, want_y));
    RUN(bounds(N, x, y), want_bounds(want_x, want_y));
    RUN(bounds(N, y, y), want_bounds(want_y, want_y));
    RUN(columns(10, 20, x), for (int i = 0; i < 10; ++i) for (int j = 1; j < 20; ++j) {
        want_x[i * 20 + j] += want_x[i * 20 + j - 1];
        swap(&want_x[i * 20 + j], &want_x[i * 20 + j - 1]);
    });
    RUN(kept(N, x, y), EACH {
        want_y[i] = 0;
        for (int k = 0; k < 4; ++k) {
            want_y[i] += want_x[i] + k;
            const double one = bump(want_y, i, 1), two = depth(&want_y[i], 2);
            want_y[i] += one + two;
        }
    });
#pragma omp target exit data map(release: x, y, grid, out)
    return CHECK_RESULT();
}

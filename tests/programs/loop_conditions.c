/* Canonical loops: <, <=, >, >=, !=, bounds on either side, every form of increment, bounds that are expressions. */
#include "check.h"

#define N 100

static int visits[N + 20];

static void reset(void)
{
    for (int i = 0; i < N + 20; ++i)
        visits[i] = 0;
}

/* Whether exactly first, first + step, ... (count of them) were visited, once each. */
static int visited(int first, int step, int count)
{
    for (int i = 0; i < N + 20; ++i) {
        const int k = (i - first) / step;
        const int expected = (i - first) % step == 0 && k >= 0 && k < count;
        if (visits[i] != expected)
            return 0;
    }
    return 1;
}

#define LOOP(directive, control, first, step, count)                       \
    do {                                                                   \
        reset();                                                           \
        _Pragma(directive)                                                 \
        for (control)                                                      \
            visits[i]++;                                                   \
        CHECK(visited(first, step, count));                                \
    } while (0)
#define BOTH(control, first, step, count)                                                           \
    do {                                                                                            \
        LOOP("omp target teams distribute parallel for map(tofrom: visits)", control, first, step, count); \
        LOOP("omp target parallel for map(tofrom: visits) schedule(static, 2)", control, first, step, count); \
    } while (0)

int main(void)
{
    int n = N, m = 7, step = 3;

    BOTH(int i = 0; i < n; ++i, 0, 1, N);
    BOTH(int i = 0; i <= n; i++, 0, 1, N + 1);
    BOTH(int i = n; i > 0; --i, 1, 1, N);
    BOTH(int i = n; i >= 0; i--, 0, 1, N + 1);
    BOTH(int i = m; i != n; ++i, 7, 1, N - 7);
    BOTH(int i = n; i != m; --i, 8, 1, N - 7);
    BOTH(int i = 0; n > i; i += 1, 0, 1, N);
    BOTH(int i = m; n >= i; i = i + step, 7, 3, 32);
    BOTH(int i = n - 1; m <= i; i -= step, 9, 3, 31);
    BOTH(int i = n - 1; m < i; i = i - step, 9, 3, 31);
    BOTH(int i = m * 2 + 1; i < n / 2 + m; i = 4 + i, 15, 4, 11);
    BOTH(int i = n; i > m; i += -5, 10, 5, 19);
    BOTH(int i = m; i < n; i -= -1, 7, 1, N - 7);
    return CHECK_RESULT();
}

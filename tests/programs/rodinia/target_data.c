/* A target data construct around a kernel with private and firstprivate variables and a loop inside. */
#include "../check.h"

#define N 160
#define WINDOW 5

int main(void)
{
    double in[N], out[N], t = -1;
    int lower = -1, upper = -1, width = WINDOW, n = N;

    for (int i = 0; i < N; ++i)
        in[i] = (i * 13) % 17;

#pragma omp target data map(to: in) map(from: out)
    {
#pragma omp target teams distribute parallel for private(lower, upper, t) firstprivate(width)
        for (int i = 0; i < n; ++i) {
            lower = i - width < 0 ? 0 : i - width;
            upper = i + width >= n ? n - 1 : i + width;
            t = 0;
            for (int k = lower; k <= upper; ++k)
                t += in[k];
            out[i] = t / (upper - lower + 1);
        }
    }
    CHECK(lower == -1 && upper == -1 && t == -1 && width == WINDOW);
    double sum = 0;
    for (int i = 0; i < N; ++i) {
        double expected = 0;
        int count = 0;
        for (int k = i - WINDOW; k <= i + WINDOW; ++k)
            if (k >= 0 && k < N) {
                expected += in[k];
                ++count;
            }
        CHECK(out[i] == expected / count);
        sum += out[i];
    }
    printf("%.4f\n", sum);
    return CHECK_RESULT();
}

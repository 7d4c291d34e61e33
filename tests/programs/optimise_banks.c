/* Arrays of a thread's own that data index: counts, stacks and buckets, each of another type. */
#include <stdio.h>

#define N 500
#define M 20

int main(void)
{
    static unsigned char x[N * M];
    static int most[N], left[N], deep[N];
    static double weights[N];
    for (int i = 0; i < N * M; i++)
        x[i] = (unsigned char)(i * 37 % 101 + i / 7);

#pragma omp target teams distribute parallel for map(to: x) map(from: most, left)
    for (int i = 0; i < N; i++) {
        unsigned char count[16] = {0};
        int best = 0;
        for (int k = 0; k < M; k++)
            count[x[i * M + k] % 16]++;
        for (int b = 1; b < 16; b++)
            if (count[b] > count[best])
                best = b;
        most[i] = best * 100 + count[best];
        /* a stack */
        short stack[8], depth = 0;
        for (int k = 0; k < M; k++)
            if (x[i * M + k] & 1 && depth < 8)
                stack[depth++] = (short)(k * 3);
            else if (depth > 0)
                depth--;
        left[i] = 0;
        while (depth > 0)
            left[i] = left[i] * 7 + stack[--depth];
    }

#pragma omp target teams distribute map(to: x) map(from: weights)
    for (int i = 0; i < N; i++) {
        weights[i] = 0;
        for (int round = 0; round < 2; round++) { /* they begin again each time */
            double sum[3] = {0.5}, parts = 0;
            float last[5];
            for (int b = 0; b < 5; b++)
                last[b] = (float)round;
            for (int k = 0; k < M; k++) {
                sum[x[i * M + k] % 3] += k;
                last[x[i * M + k] % 5] -= 1;
            }
            for (int b = 0; b < 5; b++)
                parts += last[b] * (b + 1) + sum[b % 3];
            weights[i] += parts;
        }
    }

    /* Several of a thread's iterations, and a variable that lives longer than an array. */
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(to: x) map(from: deep) collapse(2)
    for (int i = 0; i < N / 10; i++)
        for (int j = 0; j < 10; j++) {
            int at[4] = {i, j, 1, 0}, from = 0;
            for (int k = 0; k < M; k++) {
                const int to = x[(i * 10 + j) * M + k] & 3;
                at[to] += at[from] % 10;
                from = to;
            }
            deep[i * 10 + j] = at[0] + at[1] * 3 + at[2] * 5 + at[3] * 7;
        }

    /* Tables that nobody changes. */
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: left)
    for (int i = 0; i < N; i++) {
        const unsigned char bits[] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
        const int signs[4] = {-1, 1};
        for (int k = 0; k < M; k++)
            left[i] += bits[x[i * M + k] & 15] * signs[x[i * M + k] >> 1 & 3];
    }

    long long sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 31 % 1000003 + most[i] + left[i] % 1000 + (long long)(weights[i] * 8) + deep[i];
    printf("%lld %d %d %g %d\n", sum, most[3], left[4], weights[5], deep[6]);
    return 0;
}

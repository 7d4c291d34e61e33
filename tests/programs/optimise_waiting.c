// Kernels of one thread, and of teams with parallel regions inside: what is only read, what overlaps, and what other threads write.
#include "check.h"

#define N 64
#define ROWS 8

/* A recurrence; with x one element after a or b, each step reads what the one before wrote. */
static void solve(int n, const int *a, const int *b, int *x)
{
#pragma omp target
    for (int i = 1; i < n; ++i)
        x[i] = a[i] + 3 * b[i - 1] - x[i - 1];
}

/* Rows that their team's threads fill, read by neighbours after the loop, from shared memory and from the device's. */
static void teams(int rows, int n, const int *factors, const int *in, int *out, int *middle)
{
#pragma omp target teams distribute
    for (int r = 0; r < rows; ++r) {
        int row[N], most = 0;
        for (int pass = 0; pass < factors[0]; ++pass) {
#pragma omp parallel for
            for (int i = 0; i < n; ++i) {
                row[i] = in[r * n + i] * factors[1] + pass;
                middle[r * n + i] = row[i];
                for (int k = 0; k < 4; ++k)
                    middle[r * n + i] += factors[2];
            }
#pragma omp parallel for reduction(max: most)
            for (int i = 0; i < n; ++i)
                most = middle[r * n + (i + 1) % n] > most ? middle[r * n + (i + 1) % n] : most;
#pragma omp parallel for
            for (int i = 0; i < n; ++i)
                // rex-ignore: race: one of the calls has two names for one array, and its results are not compared
                out[r * n + i] = row[(i + 1) % n] + middle[r * n + (i + n - 1) % n] + most + factors[1];
        }
    }
}

/* The same in one team. */
static void team(int n, const int *in, int *out)
{
#pragma omp target parallel num_threads(16)
    {
        for (int pass = 0; pass < 3; ++pass) {
#pragma omp for
            for (int i = 0; i < n; ++i) {
                out[i] += pass;
                for (int k = 0; k < 2; ++k)
                    out[i] += in[i] - k;
            }
#pragma omp single
            out[0] += in[1];
#pragma omp for
            for (int i = n; i < 2 * n; ++i)
                out[i] = out[i - n] + in[0];
        }
    }
}

static void reference_teams(int rows, int n, const int *factors, const int *in, int *out, int *middle)
{
    for (int r = 0; r < rows; ++r) {
        int row[N], most = 0;
        for (int pass = 0; pass < factors[0]; ++pass) {
            for (int i = 0; i < n; ++i)
                row[i] = in[r * n + i] * factors[1] + pass, middle[r * n + i] = row[i] + 4 * factors[2];
            for (int i = 0; i < n; ++i)
                most = middle[r * n + (i + 1) % n] > most ? middle[r * n + (i + 1) % n] : most;
            for (int i = 0; i < n; ++i)
                out[r * n + i] = row[(i + 1) % n] + middle[r * n + (i + n - 1) % n] + most + factors[1];
        }
    }
}

int main(void)
{
    static int memory[4 * N], wanted[4 * N];
    for (int of_a = 0; of_a < 4; ++of_a)
        for (int of_b = 0; of_b < 4; ++of_b) {
            for (int i = 0; i < 4 * N; ++i)
                memory[i] = wanted[i] = i % 13;
            const int a = of_a < 3 ? N + of_a - 1 : 3 * N, b = of_b < 3 ? N + of_b - 1 : 3 * N;
#pragma omp target data map(tofrom: memory)
            solve(N / 2, memory + a, memory + b, memory + N);
            for (int i = 1; i < N / 2; ++i)
                wanted[N + i] = wanted[a + i] + 3 * wanted[b + i - 1] - wanted[N + i - 1];
            for (int i = 0; i < 4 * N; ++i)
                CHECK(memory[i] == wanted[i]);
        }

    static int in[ROWS * N], out[ROWS * N], middle[ROWS * N], out2[ROWS * N], middle2[ROWS * N];
    for (int same = 0; same < 3; ++same) { /* apart; rows in place; the factors among what is written */
        const int n = N / 2;
        for (int i = 0; i < ROWS * N; ++i)
            in[i] = i * 7 % 31, out[i] = out2[i] = 0, middle[i] = middle2[i] = i < 3 ? i + 2 : 0;
        const int factors[3] = {2, 3, 4};
#pragma omp target data map(tofrom: in, out, middle) map(to: factors)
        {
            if (same == 0)
                teams(ROWS, n, factors, in, out, middle);
            else if (same == 1)
                teams(ROWS, n, factors, middle, out, middle);
            else
                teams(ROWS, n, factors, in, out, out);
        }
        if (same == 0)
            reference_teams(ROWS, n, factors, in, out2, middle2);
        else if (same == 1)
            reference_teams(ROWS, n, factors, middle2, out2, middle2);
        if (same < 2)
            for (int i = 0; i < ROWS * N; ++i)
                CHECK(out[i] == out2[i] && middle[i] == middle2[i]);
    }

    for (int shift = 0; shift < 2; ++shift) {
        for (int i = 0; i < 4 * N; ++i)
            memory[i] = i % 11;
        int value[2 * 16];
        for (int i = 0; i < 32; ++i)
            value[i] = memory[N + i];
#pragma omp target data map(tofrom: memory)
        team(16, memory + (shift ? 3 * N : 0), memory + N);
        for (int pass = 0; pass < 3; ++pass) {
            for (int i = 0; i < 16; ++i)
                value[i] += 2 * memory[(shift ? 3 * N : 0) + i] - 1 + pass;
            value[0] += memory[(shift ? 3 * N : 0) + 1];
            for (int i = 16; i < 32; ++i)
                value[i] = value[i - 16] + memory[shift ? 3 * N : 0];
        }
        for (int i = 0; i < 32; ++i)
            CHECK(memory[N + i] == value[i]);
    }
    return CHECK_RESULT();
}

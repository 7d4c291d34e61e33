/* Structures by value in teams with parallel regions inside: tables, and pointers beside them. */
#include "check.h"

#define TEAMS 6
#define N 90

struct table {
    float at[12];
    int used;
};
struct view {
    const int *x;
    int from[3];
};

static int turns;
#pragma omp declare target(turns)

int main(void)
{
    struct table table;
    int x[TEAMS * N], y[TEAMS * N], z[TEAMS * N];
    struct view view = {x, {1, 2, 3}};
    struct {
        int low[4];
    } nameless = {{4, 5, 6, 7}};
    table.used = 7;
    for (int i = 0; i < 12; ++i)
        table.at[i] = (float)(i * 3);
    for (int i = 0; i < TEAMS * N; ++i)
        x[i] = i % 11;
#pragma omp target teams distribute map(to: view, view.x[0:TEAMS * N]) map(from: y)
    for (int t = 0; t < TEAMS; ++t) {
        int sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < N; ++i)
            sum += (int)table.at[view.x[t * N + i]] + view.from[i % 3];
#pragma omp parallel for
        for (int i = 0; i < N; ++i)
            y[t * N + i] = sum + nameless.low[i % 4] + table.used;
    }
#pragma omp target teams distribute map(to: x) map(from: z)
    for (int t = 0; t < TEAMS; ++t) {
        int last = 0, turn;
#pragma omp atomic capture
        turn = turns++;
#pragma omp parallel for lastprivate(last)
        for (int i = 0; i < N; ++i)
            last = z[t * N + i] = (int)table.at[x[t * N + i]] + (turn < 0);
        z[t * N] = last + (int)table.at[1];
    }
    for (int t = 0; t < TEAMS; ++t) {
        int sum = 0;
        for (int i = 0; i < N; ++i)
            sum += x[t * N + i] * 3 + i % 3 + 1;
        for (int i = 0; i < N; ++i) {
            CHECK(y[t * N + i] == sum + 4 + i % 4 + 7);
            CHECK(z[t * N + i] == (i ? 3 * x[t * N + i] : 3 * x[t * N + N - 1] + 3));
        }
    }
    return CHECK_RESULT();
}

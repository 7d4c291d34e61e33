/* declare target around variables: the device has its own copy, with the initial value, for the whole program. */
#include "check.h"
#include "headers/device.h"

#define N 16

#pragma omp declare target
int counter = 5;
static double table[N] = {1, 2, 4, [10] = 100};
struct state {
    int step;
    float weights[3];
} state = {7, {0.5f, 0.25f, 0.125f}};
int uninitialised;

static void advance(int by)
{
    counter += by;
    state.step++;
}
#pragma omp end declare target

int main(void)
{
    const int host = regions_on_host();
    int seen = 0, step = 0;
    double sum = 0;

#pragma omp target map(from: seen, step, sum)
    {
        seen = counter;
        step = state.step;
        sum = table[2] + table[10] + table[11] + state.weights[1] + uninitialised;
    }
    CHECK(seen == 5 && step == 7 && sum == 104.25);

    /* What a region leaves behind is there in the next one, and not on the host. */
#pragma omp target
    advance(10);
#pragma omp target map(from: seen, step)
    {
        seen = counter;
        step = state.step;
    }
    CHECK(seen == 15 && step == 8);
    CHECK(counter == (host ? 15 : 5));

#pragma omp target update from(counter)
    CHECK(counter == 15);

    counter = 100;
    for (int i = 0; i < N; ++i)
        table[i] = i;
#pragma omp target update to(counter, table)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        table[i] = table[i] * 2 + counter;
#pragma omp target update from(table[4:4])
    for (int i = 0; i < N; ++i)
        CHECK(table[i] == (host || (i >= 4 && i < 8) ? 2 * i + 100 : i));

    /* Many threads, one variable. */
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 1000; ++i) {
#pragma omp atomic
        uninitialised += 1;
    }
#pragma omp target update from(uninitialised)
    CHECK(uninitialised == 1000);
    return CHECK_RESULT();
}

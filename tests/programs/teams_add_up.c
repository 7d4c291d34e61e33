/* Teams whose parallel regions have as many threads as a variable says, and whose first threads update atomically. */
#include "check.h"

enum { GROUPS = 12, LENGTH = 50 };

static void add_up(const float *x, float *scaled, int *counted, int groups, int length, int threads, int twice)
{
#pragma omp target teams distribute map(to: x[0:groups * length]) map(tofrom: scaled[0:groups * length], counted[0:4])
    for (int g = 0; g < groups; ++g) {
        int sum = 0, most = 0;
#pragma omp parallel for reduction(+: sum) num_threads(threads)
        for (int i = 0; i < length; ++i)
            sum += (int)x[g * length + i];
#pragma omp atomic update
        counted[0] += sum;
#pragma omp parallel for reduction(max: most) num_threads(twice)
        for (int i = 0; i < length; ++i) {
            const int value = (int)x[g * length + i] + g;
            most = value > most ? value : most;
        }
        if (most > 7)
#pragma omp atomic
            counted[1]++;
        else
#pragma omp atomic
            counted[2] += most;
        if (g == groups - 1)
#pragma omp atomic write
            counted[3] = sum;
#pragma omp parallel for
        for (int i = 0; i < length; ++i)
            scaled[g * length + i] = x[g * length + i] * (float)sum;
    }
}

int main(void)
{
    float x[GROUPS * LENGTH], scaled[GROUPS * LENGTH];
    int counted[4] = {0, 0, 0, 0}, sum = 0, more = 0, less = 0, last = 0;
    for (int i = 0; i < GROUPS * LENGTH; ++i)
        x[i] = (float)(i % 3), scaled[i] = -1;
    add_up(x, scaled, counted, GROUPS, LENGTH, 20, 40);
    for (int g = 0; g < GROUPS; ++g) {
        last = 0;
        for (int i = 0; i < LENGTH; ++i)
            last += (int)x[g * LENGTH + i];
        sum += last;
        more += g + 2 > 7;
        less += g + 2 > 7 ? 0 : g + 2;
        for (int i = 0; i < LENGTH; ++i)
            CHECK(scaled[g * LENGTH + i] == x[g * LENGTH + i] * (float)last);
    }
    CHECK(counted[0] == sum);
    CHECK(counted[1] == more);
    CHECK(counted[2] == less);
    CHECK(counted[3] == last);
    return CHECK_RESULT();
}

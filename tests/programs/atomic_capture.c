/* atomic capture: every form; captured values are all different and complete. */
#include "check.h"

#define N 300

static int taken[N];

/* Whether each of 0 .. N-1 was captured once, shifted by `first` and scaled by `step`. */
static int complete(int first, int step)
{
    int count[N] = {0};
    for (int i = 0; i < N; ++i) {
        const int k = (taken[i] - first) / step;
        if (k < 0 || k >= N || (taken[i] - first) % step || count[k]++)
            return 0;
    }
    return 1;
}

int main(void)
{
    int x = 0;

#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 0; i < N; ++i) {
        int v;
#pragma omp atomic capture
        v = x++;
        taken[i] = v;
    }
    CHECK(x == N && complete(0, 1));

#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 0; i < N; ++i) {
        int v;
#pragma omp atomic capture
        v = --x;
        taken[i] = v;
    }
    CHECK(x == 0 && complete(0, 1));

#pragma omp target parallel for map(tofrom: x)
    for (int i = 0; i < N; ++i) {
        int v;
#pragma omp atomic capture
        v = x += 3;
        taken[i] = v;
    }
    CHECK(x == 3 * N && complete(3, 3));

    x = 5;
#pragma omp target parallel for map(tofrom: x)
    for (int i = 0; i < N; ++i) {
        int v;
#pragma omp atomic capture
        {
            v = x;
            x += 2;
        }
        taken[i] = v;
    }
    CHECK(x == 5 + 2 * N && complete(5, 2));

    x = 0;
#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 0; i < N; ++i) {
        int v;
#pragma omp atomic capture
        {
            x = x + 4;
            v = x;
        }
        taken[i] = v;
    }
    CHECK(x == 4 * N && complete(4, 4));

    x = 0;
#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 0; i < N; ++i) {
        int v;
#pragma omp atomic capture
        v = x = 1 + x;
        taken[i] = v;
    }
    CHECK(x == N && complete(1, 1));

    /* Exchange: of all values written and the first one, exactly the last is not captured. */
    x = N;
#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 0; i < N; ++i) {
        int v;
#pragma omp atomic capture
        {
            v = x;
            x = i;
        }
        taken[i] = v;
    }
    long sum = x;
    for (int i = 0; i < N; ++i)
        sum += taken[i];
    CHECK(sum == (long)N * (N + 1) / 2 && x >= 0 && x < N);

    /* A stack of results, and other types. */
    int list[N], length = 0;
    double total = 0, largest = 0;
    unsigned short ticket = 65530;
    long tickets = 0;
#pragma omp target teams distribute parallel for map(tofrom: length, total, ticket) map(from: list) \
    reduction(max: largest) reduction(+: tickets)
    for (int i = 0; i < N; ++i) {
        double after;
        unsigned short mine;
        if (i % 3 == 0) {
            int slot;
#pragma omp atomic capture
            slot = length++;
            list[slot] = i;
        }
#pragma omp atomic capture
        after = total += 0.5;
#pragma omp atomic capture
        mine = ticket++;
        largest = after > largest ? after : largest;
        tickets += mine;
    }
    int checksum = 0;
    for (int i = 0; i < length; ++i)
        checksum += list[i];
    CHECK(length == 100 && checksum == 14850 && total == 150 && largest == 150 && ticket == (65530 + N) % 65536);
    printf("%ld\n", tickets);
    return CHECK_RESULT();
}

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

#pragma omp declare target
int *reached, copied = 1, row[3] = {1, 2, 3};
#pragma omp end declare target

/* A pointer that the device has under its own name points to what is mapped through it. */
static void pointers(void)
{
    int here[6] = {1, 2, 3, 4, 5, 6}, seen = 0;
    reached = here;
#pragma omp target map(tofrom : reached[1:4]) map(from : seen)
    {
        reached[2] *= 10;
        seen = reached[1] + reached[4];
    }
    CHECK(seen == 7 && here[2] == 30 && reached == here);
#pragma omp target data map(tofrom : reached[0:6])
    {
#pragma omp target
        reached[5] = 60;
    }
    CHECK(here[5] == 60);
}

/* Copies that host constructs make are other variables than those on the device. */
static void copies(void)
{
    int seen = 0;
    copied = 1;
#pragma omp target update to(copied, row)
#pragma omp parallel num_threads(1) firstprivate(copied, row)
    {
        copied = 50;
        row[1] = 20;
#pragma omp target map(to : row) map(from : seen)
        seen = copied + row[1];
    }
    CHECK(seen == 70);
#pragma omp target map(from : seen)
    seen = copied + row[1];
    CHECK(seen == 3 && copied == 1);
}

/* Static variables of functions, each with a device copy of its own, whatever the others are called. */
static int *steps(int by)
{
    enum { FIRST = 3 };
    static int counter = FIRST, kept[3] = {[1] = 20};
    static int *to = &kept[1];
    static struct pair {
        short calls;
        double sum;
    } pair = {.sum = 1.5};
#pragma omp declare target to(counter, kept, to, pair)
    counter += by; // rex-ignore: stale: each side has its own
    ++*to; // rex-ignore: stale: each side has its own
    pair.sum += by; // rex-ignore: stale: each side has its own
    kept[2] = 100 * ++pair.calls + (int)(2 * pair.sum); // rex-ignore: stale: each side has its own
    kept[0] = counter;
    return kept;
}

static inline int never_called(void)
{
    static int counter = 9;
#pragma omp declare target to(counter)
#pragma omp target
    ++counter;
    return counter;
}

static void of_functions(int host)
{
    static double counter = 0.5;
    static const char name[] = "static";
#pragma omp declare target to(counter, name)
    int seen = 0;
#pragma omp target map(from : seen)
    {
        steps(1);
        seen = steps(2)[0];
        counter += name[2] == 'a';
    }
    CHECK(seen == 6 && counter == (host ? 1.5 : 0.5)); // rex-ignore: stale: that each side has its own is tested
    int *kept = steps(0);
    CHECK(kept[0] == (host ? 6 : 3) && kept[1] == (host ? 23 : 21) && kept[2] == (host ? 309 : 103));
#pragma omp target update from(kept[0 : 3], counter)
    CHECK(kept[0] == 6 && kept[1] == (host ? 23 : 22)); // rex-ignore: lost-host-write, stale: each side has its own
    CHECK(kept[2] == (host ? 309 : 209) && counter == 1.5); // rex-ignore: lost-host-write: each side has its own
    kept[1] = 70;
#pragma omp target update to(kept[1])
    for (int round = 0; round < 2; ++round) {
        static int counter = 40;
#pragma omp declare target to(counter)
#pragma omp target teams distribute parallel for
        for (int i = 0; i < 1000; ++i) {
#pragma omp atomic
            counter += i % 2;
        }
#pragma omp target update from(counter)
        CHECK(counter == 540 + 500 * round);
    }
#pragma omp target map(from : seen) // rex-ignore: stale: each side has its own
    seen = steps(0)[1];
    CHECK(seen == 71);
#pragma omp parallel num_threads(1) firstprivate(counter)
    {
        counter = 8;
#pragma omp target map(from : seen)
        seen = (int)counter;
        CHECK(seen == 8);
    }
}

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
    CHECK(counter == (host ? 15 : 5)); // rex-ignore: stale: that each side has its own is tested

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
        CHECK(table[i] == (host || (i >= 4 && i < 8) ? 2 * i + 100 : i)); // rex-ignore: stale: each side has its own

    /* Many threads, one variable. */
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 1000; ++i) {
#pragma omp atomic
        uninitialised += 1;
    }
#pragma omp target update from(uninitialised)
    CHECK(uninitialised == 1000);
    pointers();
    copies();
    of_functions(host);
    return CHECK_RESULT();
}

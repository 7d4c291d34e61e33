// reference: -std=c11
/* Functions that the device calls by addresses which the host took (declare target indirect). */
#include "check.h"

typedef int (*operation)(int);
struct shape {
    double (*area)(const struct shape *);
    double a, b;
};

#pragma omp begin declare target
int calls; /* of the device's functions: the host's own count is another one */
#pragma omp end declare target

#pragma omp begin declare target indirect
static int twice(int x)
{
    ++calls;
    return 2 * x;
}
int square(int x)
{
    ++calls;
    return x * x;
}
#pragma omp end declare target

static double rectangle(const struct shape *s) { return s->a * s->b; }
static double ellipse(const struct shape *s) { return 3 * s->a * s->b; }
#pragma omp declare target enter(rectangle, ellipse) indirect(1)

static int never(int x) { return -x; }
#pragma omp declare target enter(never) indirect(0)

#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_num_devices() 4
#define omp_get_thread_num() 0
#endif

/* What these ask for, the kernel has to know although it does not name them. */
static int devices(int x) { return omp_get_num_devices() + x; }
static int thread(int x) { return 10 * omp_get_thread_num() + x; }
#pragma omp declare target enter(devices) indirect
static const operation listed[] = {thread};

static int apply(operation f, int x) { return f(x); }

int main(int argc, char **argv)
{
    operation table[4] = {twice, square, square, twice}, one = argc > 5 ? twice : square;
    struct shape shapes[8];
    int results[4] = {0}, single = 0, local = 0;
    double areas[8];

    (void)argv;
    calls = 100;
#pragma omp target update to(calls)
#pragma omp target map(to: table) map(from: results)
    for (int i = 0; i < 4; ++i)
        results[i] = table[i](i + 2);
    calls = 0; /* which the functions on the device did not count in */
#pragma omp target update from(calls)
    printf("%d %d %d %d\n", results[0], results[1], results[2], results[3]);
    CHECK(results[0] == 4 && results[1] == 9 && results[2] == 16 && results[3] == 10);

#pragma omp target map(from: single, local)
    {
        operation own = never;
        single = (*one)(7) + apply(one, 3);
        local = own(5);
    }
    CHECK(single == 58 && local == -5);

    for (int i = 0; i < 8; ++i) {
        shapes[i].area = i % 2 ? rectangle : ellipse;
        shapes[i].a = i;
        shapes[i].b = 2;
    }
#pragma omp target teams distribute parallel for map(to: shapes) map(from: areas)
    for (int i = 0; i < 8; ++i)
        areas[i] = shapes[i].area(&shapes[i]);
    for (int i = 0; i < 8; ++i)
        CHECK(areas[i] == (i % 2 ? 2 : 6) * i);

    operation ask = argc > 5 ? twice : devices;
    int counts[4] = {0}, places[4] = {0}, threads = 0;
#pragma omp target teams distribute parallel for map(tofrom: counts)
    for (int i = 0; i < 4; ++i)
        counts[i] = ask(i);
#pragma omp target map(tofrom: places, threads)
#pragma omp parallel num_threads(4)
    {
        int place = listed[0](1) / 10;
        places[place] = 1;
#pragma omp atomic
        ++threads;
    }
    for (int i = 0; i < 4; ++i)
        CHECK(counts[i] == counts[0] + i && places[i] == (i < threads));
    CHECK(counts[0] > 0);
    printf("%d %d %g\n", single, local, areas[7]);
    return CHECK_RESULT();
}

/* declare variant and begin declare variant: other functions on the device, the base function on the host. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#include <omp.h>

#define N 10

static int on_gpu(int x)
{
    return x + 100;
}

static int in_parallel(int x)
{
    return x + 1000;
}

#pragma omp declare variant(on_gpu) match(device = {kind(nohost)})
#pragma omp declare variant(in_parallel) match(construct = {target, parallel}, device = {arch(nvptx64)})
static int where(int x)
{
    return x;
}

#pragma omp declare simd notinbranch uniform(x)
static int kind_of(int x)
{
    return 2 * x;
}

static int on_a_device(void)
{
    return 2;
}
#ifndef REFERENCE /* which gcc 12 takes on its target, too */
static int of_sse2(void)
{
    return 2;
}
static int of_sm_60(void)
{
    return 60;
}
#pragma omp declare variant(of_sse2) match(device = {isa("sse2")})
#pragma omp declare variant(of_sm_60) match(device = {kind(gpu), isa(sm_60)})
static int of_instructions(void)
{
    return 0;
}
static int of_others(void)
{
    return 0;
}
#pragma omp begin declare variant match(device = {isa(no_such_extension)})
static int of_others(void)
{
    return 1;
}
#pragma omp end declare variant
#pragma omp begin declare variant match(device = {isa(sm_61)})
static int of_others(void)
{
    return 61;
}
#pragma omp end declare variant
#endif
static int on_the_host(void)
{
    return 1;
}
#ifndef REFERENCE /* clang's extensions */
#pragma omp declare variant(on_a_device) match(device = {arch(nvptx64, amdgcn)}, implementation = {extension(match_any)})
#pragma omp declare variant(on_the_host) match(device = {kind(gpu, fpga)}, implementation = {extension(match_none)})
static int architecture(void)
{
    return 0;
}
#endif

#ifndef REFERENCE /* gcc does not know it */
#pragma omp begin declare variant match(device = {kind(gpu)})
static int kind_of(int x)
{
    return 3 * x;
}
#pragma omp end declare variant
#pragma omp begin declare variant match(implementation = {vendor(gnu)}, device = {kind(host)})
static int vendor(void)
{
    return 1;
}
#pragma omp end declare variant
#pragma omp begin declare variant match(construct = {parallel})
static int around(void)
{
    return 1;
}
#pragma omp end declare variant
#pragma omp begin declare variant match(construct = {target})
static int around(void)
{
    return 2;
}
#pragma omp end declare variant
static int around(void)
{
    return 0;
}
#endif

static int vendor(void)
{
#ifdef REFERENCE
    return 1;
#else
    return 0;
#endif
}

static int through(int x)
{
    return where(x) + 1;
}

static int offloaded(int x)
{
    return x + 500;
}

#pragma omp declare variant(offloaded) match(construct = {target})
static int placed(int x)
{
    return x;
}

static int scored(int x)
{
    return x + 4;
}

static int spread(int x)
{
    return x + 6;
}

/* A function of vectors, which only vectorised code calls. */
typedef float floats __attribute__((vector_size(16)));
floats halves(floats x)
{
    return x / 2;
}
#ifndef REFERENCE /* gcc 12 loses the function */
#pragma omp declare variant(halves) match(construct = {simd(simdlen(4), notinbranch)})
#endif
static float half(float x)
{
    return x / 2;
}

/* In a plain target region their values are 3, 21 and none, in one of all five constructs 33, 21 and 32. */
#ifndef REFERENCE /* gcc 12 knows no distribute there */
#pragma omp declare variant(on_gpu) match(device = {kind(nohost)})
#pragma omp declare variant(scored) match(implementation = {vendor(score(20): llvm)})
#pragma omp declare variant(spread) match(construct = {target, teams, distribute, parallel, for})
#endif
static int valued(int x)
{
    return x;
}

static void values(void)
{
    int found[2] = {0}, on_host = 1;
#pragma omp target map(tofrom: found, on_host)
    {
        found[0] = valued(1);
        on_host = omp_is_initial_device();
    }
#pragma omp target teams distribute parallel for map(tofrom: found)
    for (int i = 0; i < 1; ++i)
        found[1] = valued(1);
    CHECK(on_host || (found[0] == 5 && found[1] == 101));
#ifndef REFERENCE
    CHECK(!on_host || (found[0] == 1 && found[1] == 7));
#endif
    CHECK(valued(1) == 1);
}

/* Conditions that only the run decides are asked by their scores, each with the variables that it was written for. */
static int mode = 1;
#pragma omp declare target to(mode)

static int negated(int x)
{
    return -x;
}

static int doubled(int x)
{
    return 2 * x;
}

#ifndef REFERENCE /* gcc 12 takes constants only */
#pragma omp declare variant(doubled) match(user = {condition(mode > 1)}, device = {kind(nohost)})
#pragma omp declare variant(negated) match(user = {condition(score(100): mode % 2 == 0)})
#pragma omp declare variant(on_gpu) match(construct = {parallel}, device = {kind(nohost)})
#endif
static int by_mode(int x)
{
#ifdef REFERENCE
    return mode % 2 == 0 ? negated(x) : x;
#else
    return x;
#endif
}

static void modes(void)
{
    int found[4] = {0}, on_host = 1;
    for (int next = 1; next <= 4; ++next) {
        mode = next;
#pragma omp target update to(mode)
#pragma omp target map(tofrom: found, on_host)
        {
            int mode = by_mode(10); /* not the one that is asked */
            found[next - 1] = by_mode(mode);
            on_host = omp_is_initial_device();
        }
        CHECK(found[next - 1] == (next % 2 == 0 || on_host ? 10 : next == 1 ? 10 : 40));
        int in_parallel = 0;
#pragma omp target map(tofrom: in_parallel)
#pragma omp parallel num_threads(1)
        in_parallel = by_mode(1);
        CHECK(in_parallel == (next % 2 == 0 ? -1 : on_host ? 1 : 101));
        int mode = 7;
        CHECK(by_mode(mode) == (next % 2 == 0 ? -7 : 7));
    }
}

int main(void)
{
    values();
    modes();
    int a[N], device = 0, through_target = 0;

    float x[N];
    for (int i = 0; i < N; ++i)
        x[i] = i + 1.0f;
#pragma omp target teams distribute parallel for simd map(tofrom: x)
    for (int i = 0; i < N; ++i)
        x[i] = half(x[i]);
#pragma omp simd
    for (int i = 0; i < N; ++i)
        x[i] = half(x[i]);
    for (int i = 0; i < N; ++i)
        CHECK(x[i] == (i + 1.0f) / 4);

    /* Also where the host runs it. */
#pragma omp target map(from : through_target)
    through_target = placed(1);
    CHECK(through_target == 501 && placed(2) == 2);

#pragma omp target map(from: a, device)
    {
        a[0] = where(5);
        a[1] = through(5);
        a[2] = kind_of(10);
        device = !omp_is_initial_device();
#pragma omp parallel for
        for (int i = 3; i < N; ++i)
            a[i] = where(i);
    }
    CHECK(a[0] == (device ? 105 : 5) && a[1] == (device ? 106 : 6));
    CHECK(a[2] == (device ? 30 : 20));
    for (int i = 3; i < N; ++i)
        CHECK(a[i] == (device ? i + 1000 : i));
    CHECK(where(5) == 5 && kind_of(10) == 20 && vendor() == 1);
#ifndef REFERENCE
    int found[2] = {0};
#pragma omp parallel num_threads(1)
    found[0] = around();
#pragma omp target map(tofrom: found)
    found[1] = around();
    CHECK(around() == 0 && found[0] == 1 && found[1] == 2);
#pragma omp target map(tofrom: found)
    found[0] = architecture();
    CHECK(architecture() == 1 && found[0] == 1 + device);

    CHECK(of_instructions() == 2 && of_others() == 0);
    int counted = 0;
#pragma omp target map(from: found) map(tofrom: counted)
    {
        found[0] = of_instructions();
        found[1] = of_others();
#pragma omp metadirective when(device = {isa(sm_60)}: parallel num_threads(1))                                          \
    when(device = {arch(nvptx), isa("sm_70")}: single) otherwise(masked)
        counted += 10;
    }
    CHECK(found[0] == (device ? 0 : 2) && found[1] == 0 && counted == 10);
#endif
    return CHECK_RESULT();
}

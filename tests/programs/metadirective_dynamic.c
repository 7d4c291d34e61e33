/* metadirective with conditions that only the run decides, on the host and inside regions, nested, with macros. */
// reference: -fopenmp -foffload=disable -Wno-unknown-pragmas -w -DREFERENCE
#include "check.h"

#define N 128
#define LARGE (n > 64)
#define SPREAD teams distribute parallel for
#define KIND nohost

#ifdef REFERENCE /* gcc knows no metadirective */
#define META(text)
#else
#define STRING(text) #text
#define META(text) _Pragma(STRING(omp metadirective text))
#endif

static int where(int n)
{
    int on_host[2] = {-1, -1};
#pragma omp metadirective when(user = {condition(n > 3)}: target map(from: on_host)) otherwise(nothing)
    {
        on_host[0] = n;
        on_host[1] = n + 1;
    }
    return on_host[0] + on_host[1];
}

static long sum(const int *a, int n, int serial)
{
    long total = 0;
    int steps = 0;

    META(when(user = {condition(serial)}: nothing) \
         when(user = {condition(score(2): LARGE)}: target SPREAD map(to: a[0:n]) reduction(+: total)) \
         default(parallel for reduction(+: total)))
    for (int i = 0; i < n; ++i)
        total += a[i];

#pragma omp target map(tofrom: total, steps) map(to: a[0:n])
    {
#pragma omp metadirective when(user = {condition(n % 2 == 0 && !serial)}, device = {kind(KIND)}: parallel for reduction(+: total)) \
    otherwise(nothing)
        for (int i = 0; i < n; ++i) {
            total += a[i];
#pragma omp metadirective when(user = {condition(serial != 0)}: nothing) otherwise(atomic)
            ++steps;
        }
    }
#pragma omp metadirective when(user = {condition(serial)}: barrier) otherwise(taskwait)
    return total + steps;
}

/* The clause with the highest score of those whose conditions hold. */
static int highest(int n)
{
    int threads = 0;
#pragma omp metadirective when(user = {condition(n == 1)}: parallel num_threads(2)) \
    when(user = {condition(score(70): n == 1 || n == 5)}: parallel num_threads(3)) \
    when(user = {condition(score(80): n < 3)}: nothing) \
    when(user = {condition(score(60): (n & 1) == 1)}: parallel num_threads(4)) \
    when(user = {condition(score(50): n == 8)}, device = {kind(nohost)}: parallel num_threads(6)) \
    when(user = {condition(score(40): n > 8)}: parallel num_threads(5)) otherwise(parallel num_threads(7))
    {
#pragma omp atomic
        ++threads;
    }
    return threads;
}

int main(void)
{
    int a[N];
    long results = 0;

    for (int i = 0; i < N; ++i)
        a[i] = i;
    for (int serial = 0; serial < 2; ++serial)
        for (int n = 63; n < 128; n += 32) {
            long expected = 2 * (n * (n - 1L) / 2) + n;
            CHECK(sum(a, n, serial) == expected);
            CHECK(sum(a, n + 1, serial) == expected + 2 * n + 1);
            results += sum(a, n, serial);
        }
#ifndef REFERENCE
    CHECK(highest(1) == 1 && highest(5) == 3 && highest(7) == 4 && highest(8) == 7 && highest(10) == 5);
#endif
    CHECK(where(3) == 7 && where(4) == 9);
    {
#pragma omp metadirective when(user = {condition(results == 0)}: error at(execution) message("never")) otherwise(nothing)
        results += 2;
    }
    if (results > 0)
#ifndef REFERENCE
#pragma omp begin metadirective when(user = {condition(results % 2)}: parallel for reduction(+: results)) \
    otherwise(target teams distribute parallel for reduction(+: results))
#endif
        for (int i = 0; i < N; ++i)
            results += 1;
#ifndef REFERENCE
#pragma omp end metadirective
#endif
    else
        results = -1;
    printf("%ld\n", results);
    return CHECK_RESULT();
}

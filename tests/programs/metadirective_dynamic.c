/* metadirective with conditions that only the run decides, on the host and inside regions, nested, with macros. */
// reference: -fopenmp -foffload=disable -Wno-unknown-pragmas -w -DREFERENCE
#include <omp.h>
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

/* What a device number means. */
static int is_of_host(int number)
{
    int answer = 0;
#pragma omp metadirective when(target_device = {device_num(number), kind(host)}: nothing) otherwise(masked filter(7))
    answer = 1;
    return answer;
}

static int runs_on_host(int number)
{
    int answer = 7;
#pragma omp metadirective when(target_device = {device_num(number), kind(nohost)}: target map(from: answer) device(number)) \
    otherwise(nothing)
    answer = omp_is_initial_device();
    return answer;
}

static int is_default(void)
{
    int answer = 0;
#pragma omp metadirective when(target_device = {kind(host)}: nothing) otherwise(masked filter(7))
    answer = 1;
    return answer;
}

static void device_numbers(void)
{
    int host = omp_get_initial_device(), before = omp_get_default_device();
    CHECK(is_of_host(host) && runs_on_host(host));
    for (int number = 0; number < omp_get_num_devices(); ++number)
        CHECK(!is_of_host(number) && !runs_on_host(number));
    CHECK(!is_of_host(host + 5));
    omp_set_default_device(host);
    CHECK(is_default());
    omp_set_default_device(0);
    CHECK(is_default() == (omp_get_num_devices() == 0));
    omp_set_default_device(before);
}

#ifndef REFERENCE
/* Metadirectives that stand for loop transformations, other ones on the device than on the host. */
#pragma omp declare target
static int visited(int *at, int n, int tiled)
{
    int next = 0;
#pragma omp metadirective when(user = {condition(tiled)}: tile sizes(4)) otherwise(reverse)
    for (int i = 0; i < n; ++i)
        at[next++] = i;
#pragma omp metadirective when(implementation = {vendor(gnu)}, device = {kind(host)}: reverse) otherwise(nothing)
    for (int i = 0; i < n; ++i)
        at[next++] = i;
    return next;
}
#pragma omp end declare target

static void transformations(int n)
{
    int at[2][10], sum[16] = {0}, rows[4][4], next = 0, on_host = 0;
    for (int tiled = 0; tiled < 2; ++tiled) {
        CHECK(visited(at[0], 5, tiled) == 10);
#pragma omp target map(tofrom: at, on_host)
        {
            on_host = omp_is_initial_device();
            visited(at[1], 5, tiled);
        }
        for (int i = 0; i < 5; ++i) {
            CHECK(at[0][i] == (tiled ? i : 4 - i) && at[1][i] == at[0][i]);
            CHECK(at[0][5 + i] == 4 - i && at[1][5 + i] == (on_host ? 4 - i : i));
        }
    }
#pragma omp target map(from: rows) map(tofrom: next)
#pragma omp metadirective when(construct = {target}: tile sizes(2, 2)) otherwise(nothing)
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            rows[i][j] = next++;
    CHECK(rows[0][1] == 1 && rows[1][0] == 2 && rows[0][2] == 4 && rows[3][3] == 15);
    for (int large = 0; large < 2; ++large) { /* below loop directives */
#pragma omp target teams distribute parallel for map(tofrom: sum)
#pragma omp metadirective when(user = {condition(large)}: unroll partial(2)) otherwise(nothing)
        for (int i = 0; i < n; ++i)
            sum[i] += i;
#pragma omp target map(tofrom: sum)
#pragma omp parallel
#pragma omp for
#pragma omp begin metadirective when(device = {kind(nohost)}, user = {condition(large)}: tile sizes(3)) otherwise(nothing)
        for (int i = 0; i < n; ++i)
            sum[i] += i;
#pragma omp end metadirective
    }
    for (int i = 0; i < n; ++i)
        CHECK(sum[i] == 4 * i);
}
#endif

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
    device_numbers();
    transformations(16);
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

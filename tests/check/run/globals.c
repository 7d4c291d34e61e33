/* Variables of `declare target` that no clause maps: each wrong one in front of its right form. */
#include <stdio.h>

enum { N = 64 };
static int seen;

#pragma omp declare target
int limit = 3, other_limit = 3;
static int table[N], other_table[N];
double total, other_total;
struct settings { int first, second; } settings = {1, 2}, other_settings = {1, 2};
int counts[4], other_counts[4];
static int rows[4][N], other_rows[4][N];
static const int fixed[4] = {1, 2, 3, 4};
int before, other_before;
float scale = 2, other_scale = 2;
int *place, *other_place;
int flags[N], other_flags[N];
int result, other_result, third_result;
long sum, other_sum;
static int limited(int value) { return value < other_limit ? value : other_limit; }
#pragma omp end declare target

static void host_writes_a_scalar(int *a)
{
    limit = 5;
#pragma omp target map(tofrom: a[0:N])
    a[0] = limit; // rex-expect: stale-read-on-device
    other_limit = 5;
#pragma omp target update to(other_limit)
#pragma omp target map(tofrom: a[0:N])
    a[0] = limited(a[1]);
}

static void host_fills_a_table(int *a)
{
    for (int i = 0; i < N; ++i)
        table[i] = other_table[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] += table[i]; // rex-expect: stale-read-on-device
#pragma omp target update to(other_table)
#pragma omp target teams distribute parallel for map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] += other_table[i] + fixed[i % 4];
}

static void host_reads_a_result(int *a)
{
#pragma omp target map(to: a[0:N])
    total = other_total = a[3];
    seen += total > 1; // rex-expect: stale-read-on-host
#pragma omp target update from(other_total)
    seen += other_total > 1;
}

static void one_member(int *a)
{
    settings.second = 4;
#pragma omp target map(tofrom: a[0:N])
    a[1] = settings.first + settings.second; // rex-expect: stale-read-on-device
    other_settings.second = 4;
#pragma omp target update to(other_settings)
#pragma omp target map(tofrom: a[0:N])
    a[1] = other_settings.first + other_settings.second;
}

static void counted(const int *a)
{
#pragma omp target teams distribute parallel for map(to: a[0:N])
    for (int i = 0; i < N; ++i)
        counts[a[i] % 4]++; // rex-expect: race
#pragma omp target teams distribute parallel for map(to: a[0:N])
    for (int i = 0; i < N; ++i)
#pragma omp atomic
        other_counts[a[i] % 4]++;
}

static void part_of_an_update(int *a)
{
    for (int i = 0; i < N; ++i)
        rows[1][i] = rows[2][i] = other_rows[1][i] = other_rows[2][i] = i;
#pragma omp target update to(rows[1:1]) to(other_rows[1:2])
#pragma omp target teams distribute parallel for map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] += rows[1][i] + rows[2][i]; // rex-expect: stale-read-on-device
#pragma omp target teams distribute parallel for map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] += other_rows[1][i] + other_rows[2][i];
}

static void map_copies_nothing(int *a)
{
    scale = 3;
#pragma omp target map(to: scale) map(tofrom: a[0:N])
    a[2] = (int)scale; // rex-expect: stale-read-on-device
    other_scale = 3;
#pragma omp target map(always, to: other_scale) map(tofrom: a[0:N])
    a[2] = (int)other_scale;
}

static void neither_back(void)
{
#pragma omp target map(tofrom: result)
    result = 4;
    seen += result; // rex-expect: stale-read-on-host
#pragma omp target map(always, tofrom: other_result)
    other_result = 4;
    seen += other_result;
#pragma omp target
    third_result = 4;
#pragma omp target update from(third_result)
    seen += third_result;
}

static void a_pointer(int *a)
{
    place = other_place = a;
#pragma omp target map(tofrom: a[0:N])
    a[1] = place != 0; // rex-expect: stale-read-on-device
#pragma omp target map(tofrom: other_place[0:N])
    other_place[1] = 2;
}

static void shared_sum(const int *a)
{
#pragma omp target teams distribute parallel for map(to: a[0:N])
    for (int i = 0; i < N; ++i)
        sum += a[i]; // rex-expect: race
#pragma omp target teams distribute parallel for map(to: a[0:N]) reduction(+: other_sum)
    for (int i = 0; i < N; ++i)
        other_sum += a[i];
}

static void neighbours(void)
{
#pragma omp target teams distribute parallel for
    for (int i = 1; i < N; ++i)
        flags[i] = flags[i - 1] + 1; // rex-expect: race
#pragma omp target teams distribute parallel for
    for (int i = 1; i < N; ++i)
        other_flags[i] += 1;
}

int main(void)
{
    int a[N];
    for (int i = 0; i < N; ++i)
        a[i] = i;
    before = other_before = 7;
#pragma omp target update to(other_before)
#pragma omp target map(tofrom: a)
    a[0] += other_before;
#pragma omp target map(tofrom: a)
    a[0] += before; // rex-expect: stale-read-on-device
    host_writes_a_scalar(a);
    host_fills_a_table(a);
    host_reads_a_result(a);
    one_member(a);
    counted(a);
    part_of_an_update(a);
    map_copies_nothing(a);
    neither_back();
    a_pointer(a);
    shared_sum(a);
    neighbours();
    printf("%d\n", seen);
    return 0;
}

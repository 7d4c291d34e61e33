/* Variables that the device has one of its own of, without a directive that maps them. */
#include <stdio.h>

#pragma omp declare target
int table[32], same[32], factor = 3;
static int offset;
#pragma omp end declare target

static int old_elements(void)
{
    int s = 0;
    for (int i = 0; i < 32; ++i)
        table[i] = i + 1;
#pragma omp target map(tofrom: s)
    s += table[3] + factor; // rex-expect: stale-read-on-device
#pragma omp target update to(table)
#pragma omp target map(tofrom: s)
    s += table[3] + factor;
    return s;
}

static int old_scalar(void)
{
    int s = 0;
    offset = 4;
#pragma omp target map(tofrom: s)
    s += offset; // rex-expect: stale-read-on-device
    offset = 5;
#pragma omp target update to(offset)
#pragma omp target map(tofrom: s)
    s += offset;
    return s;
}

static int not_brought_back(void)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 32; ++i)
        same[i] = i;
    int s = same[4]; // rex-expect: stale-read-on-host
#pragma omp target update from(same)
    return s + same[4];
}

int main(void)
{
    printf("%d\n", old_elements() + old_scalar() + not_brought_back());
    return 0;
}

/* More of what `nowait` lets run beside the host: each wrong one in front of its right form. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64 };
static int seen;

static void exit_data(int *a)
{
#pragma omp target enter data map(to: a[0:N])
#pragma omp target
    a[1] = 10;
#pragma omp target exit data map(from: a[0:N]) nowait
    seen += a[1]; // rex-expect: nowait
#pragma omp taskwait
    seen += a[1];
}

static void enter_data(int *a)
{
#pragma omp target enter data map(to: a[0:N]) nowait
    a[2] = 3; // rex-expect: nowait
#pragma omp taskwait
    seen += a[2];
#pragma omp target exit data map(release: a[0:N])
}

static void update_to(int *a)
{
#pragma omp target enter data map(to: a[0:N])
    a[3] = 3;
#pragma omp target update to(a[3:1]) nowait
    a[3] = 4; // rex-expect: nowait
#pragma omp taskwait
#pragma omp target update to(a[3:1]) nowait
#pragma omp taskwait
    a[3] = 5;
#pragma omp target exit data map(release: a[0:N])
}

static int sum_of(const int *a)
{
    int sum = 0;
    for (int i = 0; i < N; ++i)
        sum += a[i]; // rex-expect: nowait
    return sum;
}

static void in_a_function(int *a)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:N]) nowait
    for (int i = 0; i < N; ++i)
        a[i] = i;
    seen += sum_of(a);
#pragma omp taskwait
}

static void in_a_loop(int *a)
{
    for (int k = 0; k < 3; ++k) {
        a[k] = k; // rex-expect: nowait
#pragma omp target map(tofrom: a[0:N]) nowait // rex-expect: nowait
        a[k] += 1;
    }
#pragma omp taskwait
    for (int k = 0; k < 3; ++k) {
        a[k] = k;
#pragma omp target map(tofrom: a[0:N]) nowait
        a[k] += 1;
#pragma omp taskwait
    }
}

static void wrong_condition(int *a, int waits)
{
#pragma omp target map(tofrom: a[0:N]) nowait
    a[6] += 1;
    if (waits) {
#pragma omp taskwait
    }
    seen += a[6]; // rex-expect: nowait
#pragma omp taskwait
}

static void copied(int *a)
{
    int own[N];
#pragma omp target map(from: a[0:N]) nowait
    for (int i = 0; i < N; ++i)
        a[i] = i;
    memcpy(own, a, sizeof(own)); // rex-expect: nowait
#pragma omp taskwait
    memcpy(own, a, sizeof(own));
    seen += own[1];
}

static void other_dependence(int *a, int *b)
{
#pragma omp target map(tofrom: a[0:N]) nowait depend(out: a[0])
    a[7] += 1;
#pragma omp taskwait depend(in: b[0])
    seen += a[7]; // rex-expect: nowait
#pragma omp taskwait depend(in: a[0])
    seen += a[7];
#pragma omp taskwait
}

static int kept_for_later(void)
{
    int last = 0;
#pragma omp target map(from: last) nowait
    last = 9;
    const int result = last; // rex-expect: nowait
#pragma omp taskwait
    return result + last;
}

/* ---- regions that nothing orders ---- */

static void both_read_and_write(int *a, int *b)
{
#pragma omp target data map(tofrom: a[0:N], b[0:N])
    {
#pragma omp target teams distribute parallel for nowait
        for (int i = 0; i < N; ++i)
            b[i] = i;
#pragma omp target teams distribute parallel for nowait
        for (int i = 0; i < N; ++i)
            a[i] = b[i]; // rex-expect: race
#pragma omp taskwait
#pragma omp target teams distribute parallel for nowait depend(out: b[0])
        for (int i = 0; i < N; ++i)
            b[i] = i;
#pragma omp target teams distribute parallel for nowait depend(in: b[0])
        for (int i = 0; i < N; ++i)
            a[i] = b[i];
#pragma omp taskwait
    }
}

static void two_readers_and_a_writer(int *a)
{
    int one = 0, two = 0;
#pragma omp target data map(tofrom: a[0:N], one, two)
    {
#pragma omp target nowait depend(in: a[0]) map(tofrom: one)
        one += a[3];
#pragma omp target nowait depend(in: a[0]) map(tofrom: two)
        two += a[3];
#pragma omp target nowait depend(in: a[0])
        a[3] = 1; // rex-expect: race
#pragma omp taskwait
#pragma omp target nowait depend(in: a[0]) map(tofrom: one)
        one += a[4];
#pragma omp target nowait depend(out: a[0])
        a[4] = 1;
#pragma omp taskwait
    }
    seen += one + two;
}

static void half_a_chain(int *a)
{
#pragma omp target data map(tofrom: a[0:N])
    {
#pragma omp target nowait depend(out: a[0])
        a[5] = 1;
#pragma omp target nowait depend(inout: a[0])
        a[5] += 1;
#pragma omp target nowait depend(inout: a[1])
        a[5] += 1; // rex-expect: race
#pragma omp taskwait
#pragma omp target nowait depend(out: a[0], a[1])
        a[6] = 1;
#pragma omp target nowait depend(inout: a[0])
        a[7] += 1;
#pragma omp target nowait depend(inout: a[1])
        a[6] += 1;
#pragma omp taskwait
    }
}

static void of_a_group(int *a)
{
#pragma omp target data map(tofrom: a[0:N])
    {
#pragma omp target nowait
        a[8] = 1;
#pragma omp taskgroup
        {
#pragma omp target nowait
            a[9] = 1;
        }
#pragma omp target
        a[8] += 1; // rex-expect: race
#pragma omp taskwait
#pragma omp taskgroup
        {
#pragma omp target nowait
            a[10] = 1;
        }
#pragma omp target
        a[10] += 1;
    }
}

int main(void)
{
    int *a = calloc(N, sizeof(int)), *b = calloc(N, sizeof(int));
    exit_data(a);
    enter_data(a);
    update_to(a);
    in_a_function(a);
    in_a_loop(a);
    wrong_condition(a, 0);
    wrong_condition(b, 1);
    copied(a);
    other_dependence(a, b);
    seen += kept_for_later();
    both_read_and_write(a, b);
    two_readers_and_a_writer(a);
    half_a_chain(a);
    of_a_group(a);
    printf("%d\n", seen != 0);
    free(a);
    free(b);
    return 0;
}

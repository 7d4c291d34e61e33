/* Barriers that some threads of a team do not come to. */
#include <omp.h>
#include <stdio.h>

enum { N = 64, T = 4 };
static int a[N], b[N], limit = 2, count;

static void first_only(void)
{
#pragma omp target parallel num_threads(T) map(tofrom: a)
    {
        a[omp_get_thread_num()] = 1;
        if (omp_get_thread_num() == 0) {
#pragma omp barrier // rex-expect: barrier
        }
    }
#pragma omp target parallel num_threads(T) map(tofrom: a)
    {
        a[omp_get_thread_num()] = 1;
        if (limit > 1) {
#pragma omp barrier
        }
    }
}

static void all_but_one(void)
{
#pragma omp target parallel num_threads(T) map(tofrom: a)
    {
        const int me = omp_get_thread_num();
        if (me == 1)
            a[me] = 3;
        else {
#pragma omp barrier // rex-expect: barrier
            a[me] = 4;
        }
    }
#pragma omp target parallel num_threads(T) map(tofrom: a)
    {
        const int me = omp_get_thread_num();
        if (me == 1)
            a[me] = 3;
#pragma omp barrier
        if (me != 1)
            a[me] = 4;
    }
}

static void two_barriers(void)
{
#pragma omp target parallel num_threads(T) map(tofrom: a)
    {
        if (omp_get_thread_num() % 2) {
            a[1] = 1; // rex-ignore: race
#pragma omp barrier
        } else {
#pragma omp barrier // rex-expect: barrier
        }
    }
}

static void in_a_loop(void)
{
#pragma omp target parallel num_threads(T) map(tofrom: a)
    for (int i = 0; i <= omp_get_thread_num(); ++i) {
#pragma omp barrier // rex-expect: barrier
    }
#pragma omp target parallel num_threads(T) map(tofrom: a)
    for (int i = 0; i < omp_get_num_threads(); ++i) {
#pragma omp barrier
    }
}

static void of_a_loop(void)
{
#pragma omp target parallel num_threads(T) map(tofrom: a)
    if (omp_get_thread_num() < 1) {
#pragma omp for // rex-expect: barrier
        for (int i = 0; i < N; ++i)
            a[i] = i;
    }
#pragma omp target parallel num_threads(T) map(tofrom: a)
    if (omp_get_num_threads() > 1) {
#pragma omp for
        for (int i = 0; i < N; ++i)
            a[i] = i;
    }
}

static void of_single(void)
{
#pragma omp target parallel num_threads(T) map(tofrom: b)
    if (omp_get_thread_num() != 1) {
#pragma omp single // rex-expect: barrier
        b[0] = 1;
    }
#pragma omp target parallel num_threads(T) map(tofrom: b)
    {
#pragma omp single
        b[0] = 1;
        if (omp_get_thread_num() != 1)
            b[0] += 0; // rex-ignore: race
    }
}

static void of_sections(void)
{
#pragma omp target parallel num_threads(T) map(tofrom: b)
    if (omp_get_thread_num() == 1) {
#pragma omp sections // rex-expect: barrier
        {
#pragma omp section
            b[0] = 1;
#pragma omp section
            b[1] = 1;
        }
    }
#pragma omp target parallel num_threads(T) map(tofrom: b)
    {
#pragma omp sections
        {
#pragma omp section
            b[0] = 1;
#pragma omp section
            b[1] = 1;
        }
    }
}

static void early_end(void)
{
#pragma omp target parallel num_threads(T) map(tofrom: b)
    for (int i = 0; i < 3; ++i) {
        if (i == 2 && omp_get_thread_num() == 0)
            break;
#pragma omp barrier // rex-expect: barrier
    }
#pragma omp target parallel num_threads(T) map(tofrom: b)
    for (int i = 0; i < 3; ++i) {
        if (i == 2)
            break;
#pragma omp barrier
    }
}

#pragma omp declare target
static void wait_here(void)
{
#pragma omp barrier // rex-expect: barrier
}
static void wait_there(int *p)
{
    *p += 1;
#pragma omp barrier
}
#pragma omp end declare target

static void in_a_function(void)
{
#pragma omp target parallel num_threads(T) map(tofrom: b)
    if (omp_get_thread_num() > 0)
        wait_here();
#pragma omp target parallel num_threads(T) map(tofrom: b)
    if (omp_get_thread_num() > 0) /* both branches come to the same barrier */
        wait_there(&b[omp_get_thread_num()]);
    else
        wait_there(&b[0]);
}

static void by_data(void)
{
    for (int i = 0; i < N; ++i)
        a[i] = i;
#pragma omp target parallel num_threads(T) map(to: a) map(tofrom: count)
    if (a[omp_get_thread_num()] > 0) {
#pragma omp barrier // rex-expect: barrier
    }
    for (int i = 0; i < N; ++i)
        a[i] = 1;
#pragma omp target parallel num_threads(T) map(to: a) map(tofrom: count)
    if (a[omp_get_thread_num()] > 0) {
#pragma omp barrier
    }
}

static void in_teams(void)
{
#pragma omp target teams num_teams(2) map(tofrom: b)
#pragma omp parallel num_threads(T)
    if (omp_get_thread_num() == 0) {
#pragma omp barrier // rex-expect: barrier
    }
#pragma omp target teams num_teams(2) map(tofrom: b)
#pragma omp parallel num_threads(T)
    if (omp_get_team_num() == 0) {
#pragma omp barrier
    }
}

static void in_switch(void)
{
#pragma omp target parallel num_threads(T) map(tofrom: b)
    switch (omp_get_thread_num()) {
    case 0:
        b[0] = 1;
        break;
    default:;
#pragma omp barrier // rex-expect: barrier
        b[omp_get_thread_num()] = 2;
    }
}

static void by_goto(void)
{
#pragma omp target parallel num_threads(T) map(tofrom: b)
    {
        const int me = omp_get_thread_num();
        b[me] = me;
        if (me)
            goto end;
#pragma omp barrier // rex-expect: barrier
    end:
        b[me] += 1;
    }
}

static void of_scope_and_master(void)
{
#pragma omp target parallel num_threads(T) map(tofrom: b)
    {
#pragma omp masked
        {
            b[0] = 1;
        }
        if (omp_get_thread_num() == 0) {
#pragma omp scope // rex-expect: barrier
            b[0] = 2;
        }
    }
}

static void in_nested_data(void)
{
#pragma omp target data map(tofrom: b)
#pragma omp target
#pragma omp parallel num_threads(T)
    {
        b[omp_get_thread_num()] = 1;
        while (b[omp_get_thread_num()]++ < omp_get_thread_num() + 2) {
#pragma omp barrier // rex-expect: barrier
        }
    }
}

int main(void)
{
    first_only();
    all_but_one();
    two_barriers();
    in_a_loop();
    of_a_loop();
    of_single();
    of_sections();
    early_end();
    in_a_function();
    by_data();
    in_teams();
    in_switch();
    by_goto();
    of_scope_and_master();
    in_nested_data();
    printf("ok\n");
    return 0;
}

/* Any thread may run a `single`, a section or an iteration, so what another thread does beside them is not ordered. */
#include <omp.h>
#include <stdio.h>

enum { N = 64 };
static int a[N], seen;

static void after_masked(void)
{
    int x = 0, y = 0;
#pragma omp target parallel num_threads(4) map(tofrom: x, y)
    {
#pragma omp masked
        x = 1;
#pragma omp single
        y = x; // rex-expect: race
    }
#pragma omp target parallel num_threads(4) map(tofrom: x, y)
    {
#pragma omp masked
        x = 1;
#pragma omp barrier
#pragma omp single
        y = x;
    }
#pragma omp target parallel num_threads(4) map(tofrom: x, y)
    {
#pragma omp single
        x = 1;
#pragma omp masked
        y = x;
    }
    seen += x + y;
}

static void two_singles(void)
{
    int x = 0, y = 0;
#pragma omp target parallel num_threads(4) map(tofrom: x, y)
    {
#pragma omp single nowait
        x = 1;
#pragma omp single
        y = x; // rex-expect: race
    }
#pragma omp target parallel num_threads(4) map(tofrom: x, y)
    {
#pragma omp single
        x = 1;
#pragma omp single
        y = x;
    }
    seen += x + y;
}

/* Who runs it knows so, and goes on behind what it has done. */
static void known_by_thread(void)
{
    int x = 0, y = 0, all[4] = {0};
#pragma omp target parallel num_threads(4) map(tofrom: x, y, all)
    {
        int won = 0;
        all[omp_get_thread_num()] = 1;
#pragma omp single nowait
        {
            won = 1;
            x = all[omp_get_thread_num()];
        }
        if (won)
            y = x;
    }
    seen += x + y;
}

static void given_to_all(void)
{
    int all[4] = {0};
#pragma omp target parallel num_threads(4) map(tofrom: all)
    {
        int given;
#pragma omp single copyprivate(given)
        given = 7;
        all[omp_get_thread_num()] = given;
#pragma omp single copyprivate(given)
        given = 8;
        all[omp_get_thread_num()] += given;
    }
    seen += all[3];
    if (all[0] != 15 || all[3] != 15)
        printf("copyprivate gives %d and %d\n", all[0], all[3]);
}

static void sections(void)
{
    int x = 0, y = 0, z = 0;
#pragma omp target parallel num_threads(2) map(tofrom: x, y, z)
    {
#pragma omp sections
        {
#pragma omp section
            x = 1;
#pragma omp section
            y = 1;
#pragma omp section
            z = x; // rex-expect: race
        }
    }
#pragma omp target parallel num_threads(2) map(tofrom: x, y, z)
    {
#pragma omp sections
        {
#pragma omp section
            x = 1;
#pragma omp section
            y = 1;
#pragma omp section
            z = 1;
        }
#pragma omp masked
        z += x + y;
    }
#pragma omp target parallel num_threads(4) map(tofrom: x, y, z)
    {
#pragma omp sections nowait
        {
#pragma omp section
            x = 1;
#pragma omp section
            y = 1;
        }
#pragma omp masked
        z = x; // rex-expect: race
    }
    seen += x + y + z;
}

/* Many threads do what two do not show. */
static void threads_by_number(void)
{
#pragma omp target parallel num_threads(8) map(tofrom: a)
    {
        if (omp_get_thread_num() == 6)
            a[0] = 1;
        if (omp_get_thread_num() == 7)
            a[1] = a[0]; // rex-expect: race
    }
#pragma omp target parallel map(tofrom: a)
    {
        if (omp_get_thread_num() == 2)
            a[2] = 1;
#pragma omp barrier
        if (omp_get_thread_num() == 3)
            a[3] = a[2];
    }
}

/* A variable of one thread, of which others have a pointer. */
static void of_one_thread(void)
{
    int x = 0, *shared = 0;
#pragma omp target map(tofrom: x) firstprivate(shared)
    {
#pragma omp parallel num_threads(4) shared(shared)
        {
            int own = omp_get_thread_num(), sum = 0;
            if (own == 0)
                shared = &own;
#pragma omp barrier
            for (int k = 0; k < 8; ++k)
                *shared += 1; // rex-expect: race
#pragma omp barrier
        }
    }
#pragma omp target map(tofrom: x) firstprivate(shared)
    {
#pragma omp parallel num_threads(4) shared(shared)
        {
            int own = omp_get_thread_num(), sum = 0;
            if (own == 0)
                shared = &own;
#pragma omp barrier
            sum = *shared;
#pragma omp barrier
            own += sum;
#pragma omp for
            for (int i = 0; i < N; ++i) {
                int inner = i;
                own += inner;
                sum += own;
            }
#pragma omp critical
            *shared += sum;
#pragma omp barrier
            if (own == 0)
                x = sum;
        }
    }
    seen += x;
}

/* Tasks that a thread runs may have their own variables in the same place. */
static void of_one_task(void)
{
    int wrong = 0, *list[N];
#pragma omp target parallel num_threads(4) reduction(+: wrong) map(alloc: list)
    {
#pragma omp single
#pragma omp taskloop reduction(+: wrong)
        for (int i = 0; i < N; ++i) {
            list[i] = &i;
            wrong += *list[i] - i;
        }
    }
    seen += wrong;
}

int main(void)
{
    of_one_task();
    of_one_thread();
    after_masked();
    two_singles();
    known_by_thread();
    given_to_all();
    sections();
    threads_by_number();
    printf("%d\n", seen + a[1]);
    return 0;
}

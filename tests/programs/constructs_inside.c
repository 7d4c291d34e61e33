/* Constructs inside of regions whose meaning depends on the constructs around them: the copies of tasks, the parts of
   combined constructs, and what is sent to other threads. */
#include "check.h"

static void tasks(void)
{
    int implicit = 0, shared = 0, given = 0;
#pragma omp target map(tofrom : implicit, shared, given)
#pragma omp parallel num_threads(1)
    {
        int x = 1;
#pragma omp task
        {
            x++;
        }
#pragma omp taskwait
        implicit = x;
#pragma omp task shared(x)
        {
            x++;
        }
#pragma omp taskwait
        shared = x;
#pragma omp task default(firstprivate) shared(given)
        {
            x += 5;
            given = x;
        }
#pragma omp taskwait
        shared += 10 * x;
    }
    CHECK(implicit == 1 && shared == 22 && given == 7);
}

static void combined(void)
{
    int masked = 0, first = 0, second = 0, a[8] = {0}, sum = 0, last = -1;
#pragma omp target map(tofrom : masked)
    {
#pragma omp parallel masked
        masked += 1;
#pragma omp parallel master num_threads(3)
        masked += 10;
    }
#pragma omp target map(tofrom : a)
#pragma omp parallel masked taskloop
    for (int i = 0; i < 8; i++)
        a[i] = i;
#pragma omp target map(tofrom : first, second)
#pragma omp parallel sections
    {
        first = 2;
#pragma omp section
        second = 3;
    }
#pragma omp target map(tofrom : sum, last)
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop reduction(+ : sum) lastprivate(last)
        for (int i = 0; i < 10; i++) {
            sum += i;
            last = i;
        }
    }
    CHECK(masked == 11 && a[7] == 7 && first == 2 && second == 3 && sum == 45 && last == 9);
}

static void sent(void)
{
    int sum = 0, kept = 0, copied = 4;
#pragma omp target map(tofrom : sum)
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
        int x = 0;
#pragma omp single copyprivate(x)
        {
            x = 3;
        }
        sum += x == 3 ? 0 : 1;
    }
#pragma omp target map(tofrom : kept)
    {
#pragma omp assume holds(kept == 0)
        {
            kept = 5;
        }
    }
#pragma omp target defaultmap(tofrom : scalar)
    copied += 1;
    CHECK(sum == 0 && kept == 5 && copied == 5);
}

int main(void)
{
    tasks();
    combined();
    sent();
    return CHECK_RESULT();
}

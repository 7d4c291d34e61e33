/* sections and parallel sections inside a region: each runs once; private copies, reductions, the end's barrier. */
#include "check.h"

int main(void)
{
    int ran[6] = {0}, first = 0, second = 0, total = 5, last = 0, copy = 40;

#pragma omp target map(tofrom: ran)
#pragma omp parallel sections
    {
        ran[0] += 1;
#pragma omp section
        ran[1] += 1;
#pragma omp section
        {
            int more = 2;
            ran[2] += more - 1;
        }
    }
    CHECK(ran[0] == 1 && ran[1] == 1 && ran[2] == 1);

#pragma omp target parallel num_threads(4) map(tofrom: ran, first, second)
    {
#pragma omp sections
        {
#pragma omp section
            first = 7;
#pragma omp section
            ran[3] += 1;
        }
        /* The barrier: everybody sees it. */
        if (first != 7) {
#pragma omp atomic
            second += 1;
        }
#pragma omp sections nowait
        {
            ran[4] += 1;
#pragma omp section
            ran[5] += 1;
        }
    }
    CHECK(first == 7 && second == 0 && ran[3] == 1 && ran[4] == 1 && ran[5] == 1);

#pragma omp target map(tofrom: total, last)
    {
        int seen = copy;
#pragma omp parallel sections reduction(+: total) lastprivate(last) firstprivate(seen)
        {
            total += 10;
#pragma omp section
            {
                seen += 1;
                total += seen;
            }
#pragma omp section
            {
                total += 100;
                last = 77;
            }
        }
        last += seen;
    }
    CHECK(total == 5 + 10 + 41 + 100 && last == 77 + 40);

    /* By the initial thread: one after the other. */
    int order = 0;
#pragma omp target map(tofrom: order)
    {
#pragma omp sections
        {
            order = order * 10 + 1;
#pragma omp section
            order = order * 10 + 2;
        }
    }
    CHECK(order == 12);
    return CHECK_RESULT();
}

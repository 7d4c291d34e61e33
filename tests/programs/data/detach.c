/* Tasks with a detach clause around target constructs: complete when their event is fulfilled, by whomever. */
#include "data.h"

#include <stdint.h>

#ifndef _OPENMP
#error "this program needs OpenMP"
#endif

static void with_dependences(int threads)
{
    int x = 0, y = 0, a[4] = {0};
#pragma omp parallel num_threads(threads)
#pragma omp master
    {
        omp_event_handle_t event;
#pragma omp task depend(out : x) depend(inout : a[1:2]) detach(event) shared(x, a)
        {
            x = 1;
            a[1] = 2;
        }
#pragma omp target nowait map(tofrom : x, a) depend(inout : x, a[1])
        {
            x += 10;
            a[1] *= 5;
        }
#pragma omp task shared(y) firstprivate(event)
        {
            y = 1;
            omp_fulfill_event(event);
        }
#pragma omp taskwait
    }
    CHECK(x == 11 && y == 1 && a[1] == 10);
}

static void alone(int threads)
{
    int x = 0, steps[20] = {0};
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 20; ++i) {
        omp_event_handle_t event;
#pragma omp task detach(event) shared(steps)
        {
#pragma omp target map(tofrom : steps[i:1])
            steps[i] += 1;
            omp_fulfill_event(event);
        }
        if (i % 2)
            x += 1;
        else
#pragma omp task detach(event) shared(x)
            x += 1;
        if (i % 2 == 0)
            omp_fulfill_event(event);
#pragma omp taskwait
    }
    CHECK(x == 20);
    for (int i = 0; i < 20; ++i)
        CHECK(steps[i] == 1);
}

int main(void)
{
    for (int threads = 1; threads < 5; threads += 3) {
        with_dependences(threads);
        alone(threads);
    }
    return CHECK_RESULT();
}

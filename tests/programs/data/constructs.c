/* if, device, nowait and depend on every data construct; detach; tasks on host and device in one order. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#define N 64

int main(void)
{
    int a[N], b[N], step = 0;
    for (int i = 0; i < N; ++i)
        a[i] = b[i] = i;

    for (int on = 0; on < 2; ++on) {
#pragma omp target data map(tofrom : a) if (on)
        {
#ifdef _OPENMP
            CHECK(!SEPARATE || omp_target_is_present(a, omp_get_default_device()) == on);
#endif
        }
#pragma omp target enter data map(to : b) if (target enter data : on)
#ifdef _OPENMP
        CHECK(!SEPARATE || omp_target_is_present(b, omp_get_default_device()) == on);
#endif
#pragma omp target update to(b) if (on)
#pragma omp target exit data map(release : b) if (on)
        ABSENT(a);
        ABSENT(b);
    }

#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp target enter data map(to : a, b) nowait depend(out : a)
#pragma omp target nowait depend(inout : a) map(alloc : a, b)
        for (int i = 0; i < N; ++i)
            a[i] += b[i];
#pragma omp target update from(a) nowait depend(inout : a)
#pragma omp task depend(inout : a) shared(a)
        for (int i = 0; i < N; ++i)
            a[i] += 1;
#pragma omp target update to(a[0:N/2]) nowait depend(inout : a)
#pragma omp target teams distribute parallel for nowait depend(inout : a) map(alloc : a)
        for (int i = 0; i < N / 2; ++i)
            a[i] *= 10;
#pragma omp target update from(a[0:N/2]) nowait depend(mutexinoutset : step) depend(inout : a)
#pragma omp target exit data map(delete : a, b) nowait depend(inout : a)
#pragma omp taskwait
    }
    CHECK(a[0] == 10 && a[5] == 110 && a[40] == 81);
    ABSENT(a);
    ABSENT(b);

    /* Undeferred, after a host task. */
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : step) shared(step)
        step = 5;
#pragma omp target depend(inout : step) map(tofrom : step)
        step *= 3;
        CHECK(step == 15);
#pragma omp target data map(tofrom : step)
        {
#pragma omp target nowait depend(inout : step) map(tofrom : step)
            step += 1;
#pragma omp task depend(in : step)
            (void)step;
#pragma omp taskwait
#pragma omp target update from(step)
        }
        CHECK(step == 16);
    }

#ifdef _OPENMP
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : step)
#pragma omp target depend(depobj : object) map(tofrom : step) nowait
    step = 20;
#pragma omp taskwait
#pragma omp depobj(object) destroy
#else
    step = 20;
#endif
    CHECK(step == 20);
    return CHECK_RESULT();
}

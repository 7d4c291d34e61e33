/* device(ancestor: 1) outside of target regions is the host: regions there in their order among deferred ones. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#include <omp.h>

#ifdef REFERENCE /* gcc refuses it */
#define ANCESTOR
#else
#pragma omp requires reverse_offload
#define ANCESTOR device(ancestor: 1)
#endif

int main(void)
{
    int a[8] = {0}, on_host = 0, n = 8, k = 2;

#pragma omp parallel
#pragma omp single
    {
#pragma omp target nowait depend(out: a) map(tofrom: a)
        for (int i = 0; i < 8; ++i)
            a[i] = i;
#pragma omp target parallel for ANCESTOR nowait depend(inout: a) firstprivate(k) map(tofrom: a, on_host)
        for (int i = 0; i < n; ++i) {
            a[i] *= k;
            if (i == 3)
                on_host = omp_is_initial_device();
        }
#pragma omp target nowait depend(in: a) map(tofrom: a)
        a[7] += 1;
    }
#pragma omp target ANCESTOR
    k += on_host;
    CHECK(on_host == 1 && a[7] == 15 && a[3] == 6 && k == 2);
    printf("%d %d\n", a[7], k);
    return CHECK_RESULT();
}

/* A program without any kernel: data constructs and the runtime's functions alone. */
#include "data.h"

int main(void)
{
    int a[10] = {1, 2, 3}, out = 0;
#pragma omp target data map(to : a) use_device_addr(a)
    {
        CHECK(omp_target_memcpy(&out, a, sizeof out, 0, 2 * sizeof out, omp_get_initial_device(), omp_get_default_device()) == 0);
    }
    CHECK(out == 3);
    ABSENT(a);
    return CHECK_RESULT();
}

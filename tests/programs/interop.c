/* interop on the host: objects are made, used and destroyed in the order of tasks; the functions that ask them. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define N 100
#define TYPE targetsync

struct holder {
    int n;
#ifndef REFERENCE /* gcc 12 has no such type */
    omp_interop_t object;
#endif
};

#ifndef REFERENCE
/* Without a foreign runtime, as on the cpu device, there is no object, and every question says so. */
static void ask(omp_interop_t object, int device)
{
    int code = 7;
    omp_interop_rc_t *other = NULL;
    omp_intptr_t number = omp_get_interop_int(object, omp_ipr_device_num, &code);

    if (object == omp_interop_none)
        CHECK(number == 0 && code == omp_irc_empty);
    else
        CHECK(number == device && code == omp_irc_success && omp_get_interop_int(object, omp_ipr_fr_id, NULL) == omp_ifr_cuda);
    CHECK(omp_get_interop_ptr(object, omp_ipr_first - 1, &code) == NULL && code == omp_irc_out_of_range);
    CHECK(omp_get_interop_str(object, omp_ipr_vendor_name, (int *)other) != NULL || object == omp_interop_none);
    CHECK(strcmp(omp_get_interop_name(object, omp_ipr_targetsync), "targetsync") == 0);
    CHECK(omp_get_num_interop_properties(object) == 0 && omp_get_interop_type_desc(object, omp_ipr_fr_id) != NULL);
    CHECK(omp_get_interop_rc_desc(object, omp_irc_empty) != NULL);
}
#endif

int main(void)
{
    const int device = omp_get_default_device();
    int *p = (int *)malloc(N * sizeof *p), made = 0;
    struct holder h[2];

    for (int i = 0; i < N; ++i)
        p[i] = i;
#pragma omp target enter data map(to: p[0:N])
#pragma omp target nowait depend(out: p[0:N])
    for (int i = 0; i < N; ++i)
        p[i] += 1;
#ifndef REFERENCE
    omp_interop_t plain = omp_interop_none, second = omp_interop_none;
#pragma omp interop init(prefer_type("cuda", "hip"), TYPE : h[1].object) device(device) depend(in: p[0:N]) nowait
#pragma omp interop init(target: plain, second)
    ask(h[1].object, device);
    ask(plain, device);
    ask(second, device);
    if (N > 0)
#pragma omp interop use(h[1].object), use(plain, second)
#pragma omp interop destroy(h[1].object) destroy(plain, second) depend(inout: p[0:N])
    made = h[1].object != omp_interop_none || plain != omp_interop_none || second != omp_interop_none;
#endif
#pragma omp taskwait
#pragma omp target exit data map(from: p[0:N])
    h[0].n = 0;
    for (int i = 0; i < N; ++i)
        h[0].n += p[i];
    CHECK(h[0].n == N * (N + 1) / 2 && !made);
    free(p);
    return CHECK_RESULT();
}

// reference: -fopenmp -foffload=disable -DREFERENCE
/* The runtime's own memory functions beside constructs: allocation, copies, association, queries. */
#include "data.h"

#include <stdlib.h>
#include <string.h>

#define N 24
#ifndef REFERENCE
#define NEWER_API /* not in the omp.h of every host compiler */
#endif

int main(void)
{
    const int device = omp_get_default_device(), host = omp_get_initial_device();
    double a[N], b[N], grid[4][6], part[2][3];
    for (int i = 0; i < N; ++i)
        a[i] = grid[i / 6][i % 6] = i;

    double *d = (double *)omp_target_alloc(sizeof a, device);
    CHECK(d != NULL);
    CHECK(omp_target_memcpy(d, a, sizeof a, 0, 0, device, host) == 0);
#pragma omp target teams distribute parallel for is_device_ptr(d) device(device)
    for (int i = 0; i < N; ++i)
        d[i] *= 2;
    CHECK(omp_target_memcpy(b, d, 4 * sizeof *d, sizeof *b, 2 * sizeof *d, host, device) == 0);
    CHECK(b[1] == 4 && b[4] == 10);

    /* A block of a matrix. */
    const size_t volume[2] = {2, 3}, to_offset[2] = {0, 0}, from_offset[2] = {1, 2}, to[2] = {2, 3}, from[2] = {4, 6};
    CHECK(omp_target_memcpy(d, grid, sizeof grid, 0, 0, device, host) == 0);
    CHECK(omp_target_memcpy_rect(part, d, sizeof(double), 2, volume, to_offset, from_offset, to, from, host, device) == 0);
    CHECK(part[0][0] == 8 && part[1][2] == 16);

    if (SEPARATE) {
        CHECK(omp_target_associate_ptr(a, d, sizeof a, 0, device) == 0);
        CHECK(omp_target_is_present(a, device));
        memset(a, 0, sizeof a);
#pragma omp target update to(a)
#pragma omp target
        a[5] = 50;
        CHECK(a[5] == 0); // rex-ignore: stale: nothing comes back yet
#pragma omp target update from(a)
        CHECK(a[5] == 50 && a[4] == 0);
#pragma omp target map(always, tofrom : a)
        a[6] = 60;
        CHECK(a[6] == 60 && omp_target_is_present(a, device));
        CHECK(omp_target_disassociate_ptr(a, device) == 0);
        ABSENT(a);
    }
    omp_target_free(d, device);

#pragma omp target data map(tofrom : b)
    {
#ifdef NEWER_API
        const int flush = omp_control_tool_flush;
        CHECK(omp_control_tool(flush, 0, NULL) < 0 && omp_control_tool(omp_control_tool_end, 0, a) < 0); /* no tool */
        double *there = omp_get_mapped_ptr(b, device);
        CHECK(omp_target_is_accessible(b, sizeof b, device) == 0 || device == host);
#pragma omp target is_device_ptr(there)
        there[2] = 42;
        omp_depend_t done;
#pragma omp depobj(done) depend(inout : a)
        CHECK(omp_target_memcpy_async(a, there, sizeof *a, 0, 2 * sizeof *a, host, device, 1, &done) == 0);
#pragma omp taskwait
#pragma omp depobj(done) destroy
        CHECK(a[0] == 42);
        /* The copy waits for the task that its depend object names. */
#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(out : a) shared(a)
            {
                const double until = omp_get_wtime() + 0.05;
                while (omp_get_wtime() < until)
                    ;
                a[1] = 43;
            }
            omp_depend_t objects[2];
#pragma omp depobj(objects[0]) depend(in : b)
#pragma omp depobj(objects[1]) depend(in : a)
            CHECK(omp_target_memcpy_async(there, a, sizeof *a, 0, sizeof *a, device, host, 2, objects) == 0);
        }
#pragma omp target is_device_ptr(there) map(from : a[1 : 1])
        a[1] = there[0] + 1;
        CHECK(a[1] == 44);
#endif
        CHECK(!SEPARATE || (omp_target_is_present(b, device) && omp_target_is_present(&b[N - 1], device)));
    }
    CHECK(omp_target_is_present(b, host));
    char text[64] = "";
    omp_set_affinity_format("format %%");
    CHECK(omp_get_affinity_format(text, sizeof text) == 9 && strcmp(text, "format %%") == 0);
    CHECK(omp_capture_affinity(text, sizeof text, "of %N") == 4 && strcmp(text, "of 1") == 0);
    return CHECK_RESULT();
}

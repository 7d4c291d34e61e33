/* target enter data and target exit data: unstructured lifetimes, release, delete and reference counts. */
#include "check.h"
#include "headers/device.h"

#include <stdlib.h>

#define N 200

static void begin(float *p, int n)
{
#pragma omp target enter data map(to: p[0:n]) // rex-ignore: stale, lost-result: what does not come back is tested
}

static void end(float *p, int n)
{
#pragma omp target exit data map(from: p[0:n])
}

static void scale(float *p, int n, float factor)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        p[i] *= factor;
}

int main(void)
{
    const int host = regions_on_host();
    const int device = omp_get_default_device();
    float *p = (float *)malloc(N * sizeof *p);
    int scratch[N], kept[N];

    for (int i = 0; i < N; ++i) {
        p[i] = (float)i;
        kept[i] = i;
    }

    begin(p, N);
    scale(p, N, 2.0f);
    scale(p, N, 3.0f);
    CHECK(p[10] == (host ? 60.0f : 10.0f));
    end(p, N);
    for (int i = 0; i < N; ++i)
        CHECK(p[i] == 6.0f * (float)i);

    /* Counted: the data comes back with the last exit only. */
    begin(p, N);
    begin(p, N);
    scale(p, N, 0.5f);
    end(p, N);
    CHECK(p[2] == (host ? 6.0f : 12.0f));
    end(p, N);
    CHECK(p[2] == 6.0f);

#pragma omp target enter data map(alloc: scratch) map(to: kept)
#pragma omp target
    for (int i = 0; i < N; ++i) {
        scratch[i] = 7 * i;
        kept[i] += scratch[i];
    }
#pragma omp target exit data map(release: scratch) map(from: kept)
    for (int i = 0; i < N; ++i)
        CHECK(kept[i] == 8 * i);

    /* delete ends the mapping whatever the count, without a transfer. */
    begin(p, N);
    begin(p, N);
    scale(p, N, 100.0f);
#pragma omp target exit data map(delete: p[0:N])
    CHECK(p[2] == (host ? 600.0f : 6.0f));
    CHECK(host || !omp_target_is_present(p, device));
    begin(p, N);
    CHECK(omp_target_is_present(p, device));
    end(p, N);
    free(p);
    return CHECK_RESULT();
}

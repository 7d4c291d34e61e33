/* A target region in a header: whether regions run on the host (no device, or offloading disabled). */
#ifndef DEVICE_H
#define DEVICE_H

#ifdef _OPENMP
#include <omp.h>
#endif

static inline int regions_on_host(void)
{
    int on_host = 1;
#ifdef _OPENMP
#pragma omp target map(from: on_host)
    on_host = omp_is_initial_device();
#endif
    return on_host;
}

#endif

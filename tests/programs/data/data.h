/* For the programs about the data environment: what a device holds, asked in a way that also works without one. */
#ifndef DATA_H
#define DATA_H

#include "../check.h"

#ifdef _OPENMP
#include <omp.h>
#define SEPARATE (omp_get_num_devices() > 0) /* whether the device has memory of its own */
#define PRESENT(address) CHECK(!SEPARATE || omp_target_is_present((address), omp_get_default_device()))
#define ABSENT(address) CHECK(!SEPARATE || !omp_target_is_present((address), omp_get_default_device()))
#else
#define SEPARATE 0
#define PRESENT(address) ((void)(address))
#define ABSENT(address) ((void)(address))
#endif

#endif

/* Atomics that are acq_rel by default. */
#pragma omp requires atomic_default_mem_order(acq_rel)

#define COUNT count_acq_rel
#include "count.h"

/* Atomics that are relaxed by default. */
#pragma omp requires atomic_default_mem_order(relaxed)

#define COUNT count_relaxed
#include "count.h"

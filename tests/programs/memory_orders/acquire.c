/* Atomics that are acquire by default. */
#ifndef REFERENCE /* newer than gcc 12 */
#pragma omp requires atomic_default_mem_order(acquire)
#endif

#define COUNT count_acquire
#include "count.h"

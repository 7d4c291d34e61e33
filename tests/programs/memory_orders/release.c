/* Atomics that are release by default. */
#ifndef REFERENCE /* newer than gcc 12 */
#pragma omp requires atomic_default_mem_order(release)
#endif

#define COUNT count_release
#include "count.h"

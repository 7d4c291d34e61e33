/* What one registration, of a unit or of a whole program or library, has for the functions that all registrations share. */
#ifndef REX_PART_H
#define REX_PART_H

#include "rex_host_images.h"

struct rex_part {
    struct __tgt_bin_desc *units;
    rex_size count;
    char *ready; /* the kernel that rex_offload_init() launches, or 0 */
    struct rex_part *next; /* in the list of rex_in_order.h */
};

#endif

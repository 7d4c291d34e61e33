/* omp_initial_device (-1) for the functions of section 18.8 of OpenMP 5.2, in units that use the name. LLVM's functions (19
 * to 22) know the host only by the number omp_get_num_devices(). */
#ifndef REX_INITIAL_DEVICE_H
#define REX_INITIAL_DEVICE_H

#include <omp.h>

#define omp_set_default_device(device) omp_set_default_device(rex_device_number(device))
#define omp_target_alloc(size, device) omp_target_alloc(size, rex_device_number(device))
#define omp_target_free(pointer, device) omp_target_free(pointer, rex_device_number(device))
#define omp_target_is_present(pointer, device) omp_target_is_present(pointer, rex_device_number(device))
#define omp_target_is_accessible(pointer, size, device) omp_target_is_accessible(pointer, size, rex_device_number(device))
#define omp_target_memcpy(to, from, size, to_offset, from_offset, to_device, from_device) \
    omp_target_memcpy(to, from, size, to_offset, from_offset, rex_device_number(to_device), rex_device_number(from_device))
#define omp_target_memcpy_rect(to, from, size, dimensions, volume, to_offsets, from_offsets, to_dimensions,            \
                               from_dimensions, to_device, from_device)                                                \
    omp_target_memcpy_rect(to, from, size, dimensions, volume, to_offsets, from_offsets, to_dimensions,                \
                           from_dimensions, rex_device_number(to_device), rex_device_number(from_device))
#define omp_target_memset(pointer, value, size, device) omp_target_memset(pointer, value, size, rex_device_number(device))
#define omp_target_associate_ptr(host, there, size, offset, device) \
    omp_target_associate_ptr(host, there, size, offset, rex_device_number(device))
#define omp_target_disassociate_ptr(host, device) omp_target_disassociate_ptr(host, rex_device_number(device))
#define omp_get_mapped_ptr(pointer, device) omp_get_mapped_ptr(pointer, rex_device_number(device))

#endif

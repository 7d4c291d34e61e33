/* Types, values and functions for interoperability objects (OpenMP 5.2, section 18.12), for host compilers whose omp.h
 * lacks them (gcc 12). An object is one of LLVM's, or omp_interop_none if there is no foreign runtime, as on the cpu
 * device, or if libomptarget is older than LLVM 22. */
#pragma once /* a macro would be one in the user's text */
#pragma GCC system_header

#ifdef __cplusplus
extern "C" {
#endif

typedef __INTPTR_TYPE__ omp_intptr_t;
typedef void *omp_interop_t;
#define omp_interop_none ((omp_interop_t)0)

typedef enum omp_interop_property_t {
    omp_ipr_fr_id = -1,
    omp_ipr_fr_name = -2,
    omp_ipr_vendor = -3,
    omp_ipr_vendor_name = -4,
    omp_ipr_device_num = -5,
    omp_ipr_platform = -6,
    omp_ipr_device = -7,
    omp_ipr_device_context = -8,
    omp_ipr_targetsync = -9,
    omp_ipr_first = -9
} omp_interop_property_t;

typedef enum omp_interop_rc_t {
    omp_irc_no_value = 1,
    omp_irc_success = 0,
    omp_irc_empty = -1,
    omp_irc_out_of_range = -2,
    omp_irc_type_int = -3,
    omp_irc_type_ptr = -4,
    omp_irc_type_str = -5,
    omp_irc_other = -6
} omp_interop_rc_t;

typedef enum omp_interop_fr_t {
    omp_ifr_cuda = 1,
    omp_ifr_cuda_driver = 2,
    omp_ifr_opencl = 3,
    omp_ifr_sycl = 4,
    omp_ifr_hip = 5,
    omp_ifr_level_zero = 6,
    omp_ifr_hsa = 7,
    omp_ifr_last = 7
} omp_interop_fr_t;

extern omp_intptr_t rex_get_interop_int(omp_interop_t, int, int *) __asm__("omp_get_interop_int");
extern void *rex_get_interop_ptr(omp_interop_t, int, int *) __asm__("omp_get_interop_ptr");
extern const char *rex_get_interop_str(omp_interop_t, int, int *) __asm__("omp_get_interop_str");

/* The functions of this header by the same names are other symbols: without inlining they would call themselves. */
static omp_intptr_t omp_get_interop_int(const omp_interop_t, omp_interop_property_t, int *) __asm__("rex_interop_int");
static void *omp_get_interop_ptr(const omp_interop_t, omp_interop_property_t, int *) __asm__("rex_interop_ptr");
static const char *omp_get_interop_str(const omp_interop_t, omp_interop_property_t, int *) __asm__("rex_interop_str");

/* The runtime's functions read the object and write the return code without checking for null. This checks first. */
static __inline__ int rex_no_property(omp_interop_t object, int property, int *code)
{
    *code = property >= 0 || property < omp_ipr_first ? omp_irc_out_of_range : object ? omp_irc_success : omp_irc_empty;
    return *code != omp_irc_success;
}

static __inline__ omp_intptr_t omp_get_interop_int(const omp_interop_t object, omp_interop_property_t property, int *code)
{
    int unwanted;
    code = code ? code : &unwanted;
    return rex_no_property(object, property, code) ? 0 : rex_get_interop_int(object, property, code);
}

static __inline__ void *omp_get_interop_ptr(const omp_interop_t object, omp_interop_property_t property, int *code)
{
    int unwanted;
    code = code ? code : &unwanted;
    return rex_no_property(object, property, code) ? (void *)0 : rex_get_interop_ptr(object, property, code);
}

static __inline__ const char *omp_get_interop_str(const omp_interop_t object, omp_interop_property_t property, int *code)
{
    int unwanted;
    code = code ? code : &unwanted;
    return rex_no_property(object, property, code) ? (const char *)0 : rex_get_interop_str(object, property, code);
}

/* There are no properties other than those that OpenMP defines. */
static __inline__ int omp_get_num_interop_properties(const omp_interop_t object)
{
    (void)object;
    return 0;
}

static __inline__ const char *omp_get_interop_name(const omp_interop_t object, omp_interop_property_t property)
{
    (void)object;
    switch ((int)property) {
    case omp_ipr_fr_id: return "fr_id";
    case omp_ipr_fr_name: return "fr_name";
    case omp_ipr_vendor: return "vendor";
    case omp_ipr_vendor_name: return "vendor_name";
    case omp_ipr_device_num: return "device_num";
    case omp_ipr_platform: return "platform";
    case omp_ipr_device: return "device";
    case omp_ipr_device_context: return "device_context";
    case omp_ipr_targetsync: return "targetsync";
    default: return (const char *)0;
    }
}

static __inline__ const char *omp_get_interop_type_desc(const omp_interop_t object, omp_interop_property_t property)
{
    (void)object;
    switch ((int)property) {
    case omp_ipr_fr_id: case omp_ipr_vendor: case omp_ipr_device_num: return "int";
    case omp_ipr_fr_name: case omp_ipr_vendor_name: return "const char *";
    case omp_ipr_platform: case omp_ipr_device: case omp_ipr_device_context: case omp_ipr_targetsync: return "void *";
    default: return (const char *)0;
    }
}

static __inline__ const char *omp_get_interop_rc_desc(const omp_interop_t object, omp_interop_rc_t code)
{
    (void)object;
    switch ((int)code) {
    case omp_irc_no_value: return "the property has no value";
    case omp_irc_success: return "success";
    case omp_irc_empty: return "the object is omp_interop_none";
    case omp_irc_out_of_range: return "there is no such property";
    case omp_irc_type_int: return "the property is an integer";
    case omp_irc_type_ptr: return "the property is a pointer";
    case omp_irc_type_str: return "the property is a string";
    default: return "the property cannot be told";
    }
}

#ifdef __cplusplus
}
#endif

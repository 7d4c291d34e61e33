"""Which functions of the C library and which compiler builtins exist in device code."""

from __future__ import annotations

from ..source.library_functions import ALLOCATING, MATH, OTHERS
from ..source.library_functions import words as _words

MATH_FUNCTIONS = frozenset(name + suffix for name in MATH for suffix in ("", "f")) - _words(
    "frexp frexpf modf modff remquo remquof sincos sincosf lgamma lgammaf"  # these write to memory
)
_VALUES = _words("inf inff huge_val huge_valf nan nanf")  # what INFINITY and its like are
_LIBRARY = _words(
    """
    printf memcpy memset abs labs llabs alloca __assert_fail omp_get_thread_num
    omp_get_num_threads omp_get_max_threads omp_get_thread_limit omp_in_parallel omp_get_level
    omp_get_active_level omp_get_ancestor_thread_num omp_get_team_size omp_get_team_num omp_get_num_teams
    omp_is_initial_device omp_get_num_devices omp_get_device_num omp_get_default_device omp_get_initial_device
    omp_get_num_procs omp_get_wtime omp_get_wtick omp_get_dynamic omp_get_nested omp_get_max_active_levels
    omp_get_schedule omp_get_supported_active_levels omp_get_cancellation omp_get_proc_bind omp_get_num_places
    omp_get_place_num omp_get_place_num_procs omp_get_place_proc_ids omp_get_partition_num_places
    omp_get_partition_place_nums omp_get_max_task_priority omp_in_final omp_in_explicit_task
    omp_set_num_threads omp_set_schedule
    omp_get_max_teams omp_get_teams_thread_limit omp_set_num_teams omp_set_teams_thread_limit
    omp_set_default_device omp_set_dynamic omp_set_nested omp_set_max_active_levels omp_alloc
    omp_aligned_alloc omp_calloc omp_aligned_calloc omp_realloc omp_free omp_init_allocator omp_destroy_allocator
    omp_init_lock omp_init_lock_with_hint omp_destroy_lock omp_set_lock omp_unset_lock omp_test_lock omp_init_nest_lock
    omp_init_nest_lock_with_hint omp_destroy_nest_lock omp_set_nest_lock omp_unset_nest_lock omp_test_nest_lock
    """
) | {name + suffix for name in MATH for suffix in ("", "f")}
# Functions that the device library has under its own names (rex_c_strlen), because CUDA lacks them, or has them as
# macros or as functions of the host.
_OWN = (
    ALLOCATING
    | OTHERS
    | _words("__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc isinff isnanf lgamma_r lgammaf_r")
    | {
        name + suffix
        for name in _words("creal cimag cabs carg conj cproj cexp clog csqrt csin ccos ctan csinh ccosh ctanh cpow")
        for suffix in ("", "f")
    }
    | {
        name + suffix
        for name in _words("nexttoward finite drem gamma significand roundeven nextup nextdown llogb jn yn")
        for suffix in ("", "f")
    }
)

# Functions that CUDA can call but not take the address of. They are macros there, or built into its compiler.
ONLY_CALLED = _words("printf alloca abort __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc")

# Builtins that both nvcc and g++ accept unchanged in device code; for nvcc, the device library has macros for some.
_BUILTINS = _words(
    """
    __builtin_inf __builtin_inff __builtin_huge_val __builtin_huge_valf __builtin_nan __builtin_nanf
    __builtin_expect __builtin_unreachable __builtin_isnan __builtin_isinf __builtin_isfinite __builtin_signbit
    __builtin_add_overflow __builtin_sub_overflow __builtin_mul_overflow __atomic_load_n __atomic_store_n
    __atomic_exchange_n __atomic_compare_exchange_n __atomic_thread_fence __sync_val_compare_and_swap
    __sync_bool_compare_and_swap __sync_lock_test_and_set __sync_lock_release __sync_synchronize
    __atomic_load __atomic_store __atomic_exchange __atomic_compare_exchange __atomic_test_and_set __atomic_clear
    __atomic_always_lock_free __atomic_is_lock_free __atomic_signal_fence
    """
) | {
    name
    for op in _words("add sub and or xor nand")
    for name in (f"__atomic_fetch_{op}", f"__atomic_{op}_fetch", f"__sync_fetch_and_{op}", f"__sync_{op}_and_fetch")
}
# The builtins of clang's <stdatomic.h>, and the ones above that do the same. They count sums of pointers in elements.
C11_ATOMICS = {
    f"__c11_atomic_{of_clang}": f"__atomic_{plain}"
    for of_clang, plain in (
        *((name, f"{name}_n") for name in ("load", "store", "exchange")),
        *((f"compare_exchange_{name}", "compare_exchange_n") for name in ("strong", "weak")),
        *((name, name) for name in (*(f"fetch_{op}" for op in _words("add sub and or xor nand")), "is_lock_free")),
        *((name, name) for name in ("thread_fence", "signal_fence")),
        ("init", "store_n"),
    )
}
ATOMIC_SUMS = _words(
    """
    __atomic_fetch_add __atomic_fetch_sub __atomic_add_fetch __atomic_sub_fetch __sync_fetch_and_add
    __sync_fetch_and_sub __sync_add_and_fetch __sync_sub_and_fetch
    """
)
ATOMIC_PREFIXES = ("__atomic_", "__sync_", "__c11_atomic_")
# Atomic builtins for any type, with pointers as arguments.
GENERIC_ATOMICS = _words("__atomic_load __atomic_store __atomic_exchange __atomic_compare_exchange")
# Builtins without a library function that the device library has.
_OWN_BUILTINS = frozenset(
    "__builtin_" + name
    for name in _words(
        """
        clrsb clrsbl clrsbll bswap128 powi powif iceil iceilf ifloor ifloorf irint irintf iround iroundf lceil lceilf
        lfloor lfloorf llceil llceilf llfloor llfloorf
        addcb addcs addc addcl addcll subcb subcs subc subcl subcll popcountg clzg ctzg is_aligned align_up align_down
        iszero issubnormal
        """
    )
) | {f"__builtin_{name}{bits}" for name in _words("bitreverse rotateleft rotateright") for bits in (8, 16, 32, 64)}
# Builtins that are macros on CUDA and evaluate their arguments several times.
REPEATING_BUILTINS = _words(
    """
    __builtin_isnormal __builtin_isinf_sign __builtin_isunordered __builtin_isgreater __builtin_isgreaterequal
    __builtin_isless __builtin_islessequal __builtin_islessgreater __builtin_fpclassify __builtin_signbitf
    """
)
# Builtins that are printed in another form, by the name of the form (see render.cuda_calls).
REPLACED_BUILTINS = {
    f"__builtin_{form}{suffix}": form
    for forms, suffixes in (
        ("popcount clz ffs ctz parity", ("", "l", "ll")),
        ("bswap16 bswap32 bswap64 trap constant_p offsetof choose_expr types_compatible_p", ("",)),
    )
    for form in forms.split()
    for suffix in suffixes
}
# The overflow builtins for one type are printed as the generic ones.
REPLACED_BUILTINS |= {
    f"__builtin_{sign}{op}{suffix}_overflow": f"__builtin_{op}_overflow"
    for sign in "su"
    for op in ("add", "sub", "mul")
    for suffix in ("", "l", "ll")
}
REPLACED_BUILTINS |= {f"__builtin_{op}_overflow_p": f"{op}_overflow_p" for op in ("add", "sub", "mul")}
REPLACED_BUILTINS["__builtin_rex_isa"] = "isa"  # context selectors use it (see directives/selectors.py)
REPLACED_BUILTINS["__builtin_prefetch"] = "prefetch"
REPLACED_BUILTINS["__builtin_assume_aligned"] = "assume_aligned"
REPLACED_BUILTINS["__builtin_object_size"] = "object_size"
REPLACED_BUILTINS["__builtin_dynamic_object_size"] = "object_size"
REPLACED_BUILTINS.update(dict.fromkeys(("__builtin_expect", "__builtin_expect_with_probability"), "expect"))
REPLACED_BUILTINS["__builtin_assume"] = "assume"
REPLACED_BUILTINS["__builtin_unpredictable"] = "unpredictable"
REPLACED_BUILTINS |= {f"__builtin_nontemporal_{form}": f"nontemporal_{form}" for form in ("load", "store")}
REPLACED_BUILTINS["__builtin_complex"] = "complex"
REPLACED_BUILTINS["__builtin_shuffle"] = REPLACED_BUILTINS["__builtin_shufflevector"] = "shuffle"
REPLACED_BUILTINS["__builtin_convertvector"] = "convertvector"
REPLACED_BUILTINS |= {f"__builtin_{name}f16": f"{name}f16" for name in ("fabs", "copysign", "inf", "huge_val", "nan")}
REPLACED_BUILTINS |= {f"__builtin_va_{form}": f"va_{form}" for form in ("start", "arg", "copy", "end")}
REPLACED_BUILTINS["__builtin_c23_va_start"] = "va_start"
REPLACED_BUILTINS["offsetof"] = "offsetof"  # pycparser reads it under this name
_OF_BITS = _words("popcount clz ffs ctz parity bswap16 bswap32 bswap64 expect")
_OF_NUMBERS = {
    *_words("__builtin_isnan __builtin_isinf __builtin_isfinite __builtin_signbit __builtin_signbitl"),
    *REPEATING_BUILTINS,
    *(name for name, form in REPLACED_BUILTINS.items() if form in _OF_BITS),
}
_INTEGER_OVERLOADS = frozenset(("abs", "labs", "llabs", "div", "ldiv", "lldiv"))


# Enumerations of omp.h that the device library has, too, because its functions take them.
ENUMERATIONS = _words(
    """
    omp_sched_t omp_proc_bind_t omp_sync_hint_t omp_allocator_handle_t omp_memspace_handle_t omp_alloctrait_key_t
    """
)


def is_overloaded(name: str) -> bool:
    """Whether C++ has several functions of that name. The argument's type then decides which one is called."""
    return name in _INTEGER_OVERLOADS or name in MATH or (name.endswith("f") and name[:-1] in MATH)


def library_name(name: str) -> str | None:
    """The library function that a call of ``name`` calls on the device, or None if there is none.

    ``__builtin_memcpy`` gives ``memcpy``. A builtin without a library function gives its own name.
    """
    tables = (_LIBRARY, _OWN, _BUILTINS, _OWN_BUILTINS, REPEATING_BUILTINS, REPLACED_BUILTINS, C11_ATOMICS)
    if any(name in table for table in tables):
        return name
    plain = name.removeprefix("__builtin_")
    return plain if plain != name and (plain in _LIBRARY or plain in _OWN) else None


def device_name(name: str) -> str:
    """The name of a library function in device code."""
    return f"rex_c_{name.removeprefix('__builtin_')}" if name in _OWN or name in _OWN_BUILTINS else name


def only_computes(name: str) -> bool:
    """Whether a function of C's or C++'s library, or a builtin, computes a value from numbers and does nothing else."""
    plain = name.removeprefix("std::").removeprefix("__builtin_")
    return plain in MATH_FUNCTIONS or plain in _VALUES or name in _OF_NUMBERS

"""Which functions of the C library, and which compiler builtins, exist in device code."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MATH = _words(
    """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1 fabs fdim
    floor fma fmax fmin fmod frexp hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb
    lrint lround modf nan nearbyint nextafter pow remainder remquo rint round scalbln scalbn sin sincos sinh
    sqrt tan tanh tgamma trunc y0 y1 yn
    """
)
_LIBRARY = _words(
    """
    printf puts putchar malloc calloc free memcpy memset memmove memcmp memchr strlen strcmp strncmp strcpy
    strncpy strcat strncat strchr strrchr abs labs llabs div ldiv lldiv abort __assert_fail omp_get_thread_num
    omp_get_num_threads omp_get_max_threads omp_get_thread_limit omp_in_parallel omp_get_level
    omp_get_active_level omp_get_ancestor_thread_num omp_get_team_size omp_get_team_num omp_get_num_teams
    omp_is_initial_device omp_get_num_devices omp_get_device_num omp_get_default_device omp_get_initial_device
    omp_get_num_procs omp_get_wtime omp_get_wtick omp_get_dynamic omp_get_nested omp_get_max_active_levels
    omp_get_schedule omp_get_supported_active_levels omp_get_cancellation omp_get_proc_bind omp_get_num_places
    omp_get_place_num omp_get_place_num_procs omp_get_place_proc_ids omp_get_partition_num_places
    omp_get_partition_place_nums omp_get_max_task_priority omp_in_final omp_set_num_threads omp_set_schedule
    omp_set_default_device omp_set_dynamic omp_set_nested omp_set_max_active_levels omp_alloc omp_free
    omp_init_lock omp_destroy_lock omp_set_lock omp_unset_lock omp_test_lock omp_init_nest_lock
    omp_destroy_nest_lock omp_set_nest_lock omp_unset_nest_lock omp_test_nest_lock
    """
) | {name + suffix for name in _MATH for suffix in ("", "f")}

# Builtins that nvcc (some through the device library's macros) and g++ accept in device code as they stand.
_BUILTINS = _words(
    """
    __builtin_inf __builtin_inff __builtin_huge_val __builtin_huge_valf __builtin_nan __builtin_nanf
    __builtin_expect __builtin_unreachable __builtin_isnan __builtin_isinf __builtin_isfinite __builtin_signbit
    """
)
# Those that are macros on CUDA and evaluate their arguments repeatedly.
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
REPLACED_BUILTINS["offsetof"] = "offsetof"  # how pycparser reads it
_INTEGER_OVERLOADS = frozenset(("abs", "labs", "llabs", "div", "ldiv", "lldiv"))


def is_overloaded(name: str) -> bool:
    """Whether C++ has several functions of that name, so that an argument's type decides which is called."""
    return name in _INTEGER_OVERLOADS or name in _MATH or (name.endswith("f") and name[:-1] in _MATH)


def library_name(name: str) -> str | None:
    """The library function that a call of ``name`` reaches on the device, None when there is none.

    ``__builtin_memcpy`` is ``memcpy``. Builtins without a library name stand for themselves.
    """
    if name in _LIBRARY or name in _BUILTINS or name in REPEATING_BUILTINS or name in REPLACED_BUILTINS:
        return name
    plain = name.removeprefix("__builtin_")
    return plain if plain != name and plain in _LIBRARY else None

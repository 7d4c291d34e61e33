"""Which functions of the C library, and which compiler builtins, exist in device code."""

from __future__ import annotations

_MATH = ["acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "erf", "erfc", "exp", "exp10", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "frexp", "hypot", "ilogb", "j0", "j1", "jn", "ldexp", "lgamma", "llrint", "llround", "log", "log10", "log1p", "log2", "logb", "lrint", "lround", "modf", "nan", "nearbyint", "nextafter", "pow", "remainder", "remquo", "rint", "round", "scalbln", "scalbn", "sin", "sincos", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc", "y0", "y1", "yn"]
_LIBRARY = frozenset(
    ["printf", "malloc", "free", "memcpy", "memset", "memmove", "memcmp", "strlen", "strcmp", "strncmp", "strcpy", "strncpy", "strcat", "strchr", "strrchr", "abs", "labs", "llabs", "div", "ldiv", "lldiv", "abort", "assert", "__assert_fail", "omp_get_thread_num", "omp_get_num_threads", "omp_get_max_threads", "omp_get_thread_limit", "omp_in_parallel", "omp_get_level", "omp_get_active_level", "omp_get_ancestor_thread_num", "omp_get_team_size", "omp_get_team_num", "omp_get_num_teams", "omp_is_initial_device", "omp_get_num_devices", "omp_get_device_num", "omp_get_default_device", "omp_get_initial_device", "omp_get_num_procs", "omp_get_wtime", "omp_get_wtick", "omp_get_dynamic", "omp_get_nested", "omp_get_max_active_levels", "omp_get_schedule", "omp_get_supported_active_levels", "omp_get_cancellation", "omp_get_proc_bind", "omp_get_team_size", "omp_get_max_teams", "omp_get_teams_thread_limit", "omp_in_final"]
) | {name + suffix for name in _MATH for suffix in ("", "f")}

# Builtins that nvcc and g++ both accept in device code as they stand.
_BUILTINS = frozenset(
    ["__builtin_inf", "__builtin_inff", "__builtin_huge_val", "__builtin_huge_valf", "__builtin_nan", "__builtin_nanf", "__builtin_expect", "__builtin_unreachable", "__builtin_popcount", "__builtin_popcountll", "__builtin_clz", "__builtin_clzll", "__builtin_ffs", "__builtin_ffsll"]
)
# Builtins that are printed in another form, by the name of the form (see render.cuda_expr).
REPLACED_BUILTINS = {
    "__builtin_isnan": "isnan",
    "__builtin_isinf": "isinf",
    "__builtin_isinf_sign": "isinf_sign",
    "__builtin_isfinite": "isfinite",
    "__builtin_finite": "isfinite",
    "__builtin_isnormal": "isnormal",
    "__builtin_signbit": "signbit",
    "__builtin_signbitf": "signbit",
    "__builtin_fpclassify": "fpclassify",
    "__builtin_isgreater": ">",
    "__builtin_isgreaterequal": ">=",
    "__builtin_isless": "<",
    "__builtin_islessequal": "<=",
    "__builtin_islessgreater": "<>",
    "__builtin_isunordered": "unordered",
    "__builtin_popcountl": "__builtin_popcountll",
    "__builtin_clzl": "__builtin_clzll",
    "__builtin_ffsl": "__builtin_ffsll",
    "__builtin_ctz": "ctz",
    "__builtin_ctzl": "ctzll",
    "__builtin_ctzll": "ctzll",
    "__builtin_parity": "parity",
    "__builtin_parityl": "parityll",
    "__builtin_parityll": "parityll",
    "__builtin_bswap16": "bswap16",
    "__builtin_bswap32": "bswap32",
    "__builtin_bswap64": "bswap64",
    "__builtin_trap": "trap",
    "__builtin_constant_p": "constant_p",
    "__builtin_offsetof": "offsetof",
    "__builtin_choose_expr": "choose_expr",
    "__builtin_types_compatible_p": "types_compatible_p",
}
# The declarations that glibc's classification macros and functions reach without builtins.
_CLASSIFICATION = frozenset(["isnan", "isinf", "finite", "isnanf", "isinff", "finitef", "__isnan", "__isinf", "__finite", "__signbit"])


def library_name(name: str) -> str | None:
    """The library function that a call of ``name`` reaches on the device, None when there is none.

    ``__builtin_memcpy`` is ``memcpy``. Builtins without a library name stand for themselves.
    """
    if name in _LIBRARY or name in _BUILTINS or name in REPLACED_BUILTINS or name in _CLASSIFICATION:
        return name
    plain = name.removeprefix("__builtin_")
    return plain if plain != name and plain in _LIBRARY else None

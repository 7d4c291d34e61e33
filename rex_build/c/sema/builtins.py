"""Result types of gcc's builtin functions, which no header declares."""

from __future__ import annotations

from ..source.library_functions import MATH, words
from .ctype import C, CType, Pointer, Scalar, qualified

_PREFIXES = ("__builtin_", "__sync_", "__atomic_", "__c11_atomic_")
_VOID_POINTER = Pointer(C.VOID)
_CHAR_POINTER = Pointer(C.CHAR)
_CONST_CHAR_POINTER = Pointer(qualified(C.CHAR, frozenset({"const"})))
_CONST_VOID_POINTER = Pointer(qualified(C.VOID, frozenset({"const"})))

_RESULTS: dict[CType, str] = {
    C.VOID: """unreachable trap abort exit prefetch va_start va_end va_copy free bzero bcopy __clear_cache return
        cpu_init set_thread_pointer assume nontemporal_store""",
    C.LONG: """expect unpredictable expect_with_probability labs llabs imaxabs lceil lceilf lfloor lfloorf llceil
        llceilf llfloor llfloorf""",
    C.UNSIGNED_LONG: """strlen object_size dynamic_object_size offsetof strspn strcspn bswap64 bitreverse64 rotateleft64
        rotateright64 addcl subcl""",
    C.UNSIGNED_LONG_LONG: "addcll subcll",
    C.UNSIGNED_INT: "bswap32 bitreverse32 rotateleft32 rotateright32 addc subc",
    C.UNSIGNED_SHORT: "bswap16 bitreverse16 rotateleft16 rotateright16 addcs subcs",
    C.UNSIGNED_CHAR: "bitreverse8 rotateleft8 rotateright8 addcb subcb",
    C.UNSIGNED_INT128: "bswap128",
    _VOID_POINTER: """malloc calloc realloc alloca alloca_with_align alloca_with_align_and_max aligned_alloc
        memcpy memmove memset mempcpy memchr assume_aligned frame_address return_address extract_return_addr
        __memcpy_chk __memset_chk __memmove_chk __mempcpy_chk thread_pointer apply_args""",
    _CHAR_POINTER: """strcpy strncpy strcat strncat strchr strrchr strstr strpbrk stpcpy stpncpy strdup strndup
        index rindex __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk FILE FUNCTION""",
    C.BOOL: """add_overflow sub_overflow mul_overflow sadd_overflow saddl_overflow saddll_overflow
        uadd_overflow uaddl_overflow uaddll_overflow ssub_overflow ssubl_overflow ssubll_overflow
        usub_overflow usubl_overflow usubll_overflow smul_overflow smull_overflow smulll_overflow
        umul_overflow umull_overflow umulll_overflow add_overflow_p sub_overflow_p mul_overflow_p
        is_aligned has_attribute""",
}  # fmt: skip
_DOUBLE_MATH = MATH - words("ilogb llrint llround lrint lround sincos") | words(
    "cabs carg cimag creal drem gamma huge_val inf jn nans nexttoward powi roundeven scalb significand yn"
)
_COMPLEX_MATH = frozenset(
    """cacos cacosh casin casinh catan catanh ccos ccosh cexp clog clog10 conj cpow cproj csin csinh csqrt ctan
    ctanh""".split()  # noqa: SIM905
)
_LONG_MATH = frozenset(("lrint", "lround", "llrint", "llround"))
_TABLE = {name: t for t, names in _RESULTS.items() for name in names.split()}

# Builtins whose result has the type to which their first argument points.
_POINTEE_RESULTS = (
    "__sync_fetch_and_", "__sync_add_and_", "__sync_sub_and_", "__sync_or_and_", "__sync_and_and_", "__sync_xor_and_",
    "__sync_nand_and_", "__sync_val_", "__sync_lock_test_and_set", "__atomic_fetch_", "__atomic_add_fetch",
    "__atomic_sub_fetch", "__atomic_or_fetch", "__atomic_and_fetch", "__atomic_xor_fetch", "__atomic_nand_fetch",
    "__atomic_load_n", "__atomic_exchange_n", "__c11_atomic_load", "__c11_atomic_exchange", "__c11_atomic_fetch_",
    "__builtin_nontemporal_load",
)  # fmt: skip


_INTEGER_PARAMETERS: dict[tuple[str, int], CType] = {("ldexp", 1): C.INT, ("scalbn", 1): C.INT, ("scalbln", 1): C.LONG}
_ABSOLUTES: dict[str, CType] = {"abs": C.INT, "labs": C.LONG, "llabs": C.LONG_LONG}


def parameter_type(name: str, index: int) -> CType:
    """The type of a numeric parameter of a function of <math.h>, or of ``abs`` and its variants."""
    is_float = name.endswith("f") and (name[:-1] in _DOUBLE_MATH or name[:-1] in _LONG_MATH)
    real = C.FLOAT if is_float and name not in _DOUBLE_MATH else C.DOUBLE
    base = name.removesuffix("f") if real == C.FLOAT else name
    return _ABSOLUTES.get(name) or _INTEGER_PARAMETERS.get((base, index)) or real


_READ_STRINGS = frozenset(
    """puts strlen strnlen strcmp strncmp strcasecmp strncasecmp strchr strrchr strstr strspn strcspn strpbrk index
    rindex strdup strndup""".split()  # noqa: SIM905
)
_WRITTEN_STRINGS = frozenset(("strcpy", "strncpy", "stpcpy", "stpncpy", "strcat", "strncat"))
_READ_MEMORY = frozenset(("memcmp", "memchr", "bcmp"))
_WRITTEN_MEMORY = frozenset(("memcpy", "memmove", "mempcpy", "memset", "bzero"))


def pointer_parameter(name: str, index: int) -> CType | None:
    """The type of a pointer parameter of a function for strings or memory, or None for other functions."""
    if name in _WRITTEN_STRINGS and index == 0:
        return _CHAR_POINTER
    if name in _WRITTEN_MEMORY and index == 0:
        return _VOID_POINTER
    if name in _READ_STRINGS or name in _WRITTEN_STRINGS or (name == "printf" and index == 0):
        return _CONST_CHAR_POINTER
    return _CONST_VOID_POINTER if name in _READ_MEMORY or name in _WRITTEN_MEMORY else None


def is_builtin(name: str) -> bool:
    """Whether the compiler provides ``name`` without a declaration."""
    return name.startswith(_PREFIXES) or name == "__alignof__"


def has_pointee_result(name: str) -> bool:
    """Whether a call of ``name`` has the type to which its first argument points."""
    return name.startswith(_POINTEE_RESULTS)


def result_type(name: str) -> CType:
    """The result type of a builtin. It is ``int`` if not listed, as for comparisons, predicates and bit counting."""
    if name.startswith("__sync_"):
        return C.BOOL if name.startswith("__sync_bool_") else C.VOID
    if name.startswith(("__atomic_", "__c11_atomic_")):
        word = name.removeprefix("__c11_atomic_").removeprefix("__atomic_")
        return C.BOOL if word.startswith(("compare_exchange", "test_and_set", "always", "is_lock")) else C.VOID
    name = name.removeprefix("__builtin_")
    if (known := _TABLE.get(name)) is not None:
        return known
    of_suffix = ("", C.DOUBLE), ("f", C.FLOAT), ("l", C.LONG_DOUBLE), ("f16", C.HALF)
    for word, t in ((name.removesuffix(suffix), t) for suffix, t in of_suffix):
        if word in _DOUBLE_MATH:
            return t
        if word in _COMPLEX_MATH:
            return Scalar(f"{t.name} _Complex")
        if word in _LONG_MATH:
            return C.LONG
    return C.INT

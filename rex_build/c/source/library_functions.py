"""Functions of the C library: those of mathematics, and those that the device library has under its own names."""

from __future__ import annotations

import re

from ...base.names import identifiers
from ...base.patterns import regex
from .preprocess import Preprocessed


def words(text: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(text.split())


MATH = words(
    """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1 fabs fdim
    floor fma fmax fmin fmod frexp hypot ilogb j0 j1 ldexp lgamma llrint llround log log10 log1p log2 logb
    lrint lround modf nan nearbyint nextafter pow remainder remquo rint round scalbln scalbn sin sincos sinh
    sqrt tan tanh tgamma trunc y0 y1
    """
)
ALLOCATING = words("malloc calloc realloc free aligned_alloc strdup strndup")
OTHERS = words(
    """
    puts putchar memmove memcmp memchr mempcpy strlen strnlen strcmp strncmp strcasecmp strncasecmp strcpy strncpy
    stpcpy strcat strncat strchr strrchr strstr strspn strcspn strpbrk strtok_r div ldiv lldiv atoi atol atoll strtol
    strtoll strtoul strtoull bsearch qsort abort isalnum isalpha isblank iscntrl isdigit isgraph islower isprint
    ispunct isspace isupper isxdigit tolower toupper bcmp bcopy bzero index rindex stpncpy isascii toascii imaxabs
    """
)


# Names that are macros in the headers which every device unit includes.

# They are macros for C++, whatever the user's unit includes and whatever -std says, so a program may use the names for
# something else. Those without capital letters are apart: most names have none, and the pattern takes long to compile.
_SMALL_MACROS = words(
    """
    math_errhandling be16toh be32toh be64toh le16toh le32toh le64toh htobe16 htobe32 htobe64 htole16 htole32 htole64
    assert_perror issubnormal iseqsig iscanonical iszero issignaling offsetof stderr stdin stdout strdupa strndupa
    isalnum_l isalpha_l isascii_l isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l
    isupper_l isxdigit_l isascii toascii toascii_l _tolower _toupper
    """
)
_MACROS = regex(
    r"""(?:
    (?:U?(?:CHAR|SHRT|INT|LONG|LLONG|LONG_LONG|INTMAX|INTPTR|INT(?:_FAST|_LEAST)?(?:8|16|32|64))|SCHAR|BOOL|WCHAR|WINT
        |SIZE|SSIZE|PTRDIFF|SIG_ATOMIC)_(?:MAX|MIN|WIDTH|BIT|C)
    |(?:FLT|DBL|LDBL|FP|ADJ|MOD|STA|BC|CLOCK|DL|DLFO|FD|LM_ID|NL|RENAME|RTLD|SEEK|XATTR|CUDART|CUDA|CU)_\w+|CUDARTAPI\w*
    |M_(?:1_PI|2_PI|2_SQRTPI|E|LN2|LN10|LOG2E|LOG10E|PI|PI_2|PI_4|SQRT1_2|SQRT2)(?:l|f(?:\d+x?)?)?
    |(?:HUGE_VAL|SNAN)\w*|MATH_ERR(?:NO|EXCEPT)|MAXFLOAT|DECIMAL_DIG
    |(?:AIO_PRIO_DELTA|CHARCLASS_NAME|COLL_WEIGHTS|DELAYTIMER|EXPR_NEST|FILENAME|FOPEN|HOST_NAME|IOV|LINE|LOGIN_NAME
        |MB_CUR|MB_LEN|MQ_PRIO|NAME|NGROUPS|OPEN|ARG|LINK|PATH|PTHREAD_KEYS|RAND|RE_DUP|RTSIG|SEM_VALUE|TMP|TTY_NAME)_MAX
    |MAX_CANON|MAX_INPUT|NZERO|PIPE_BUF|PTHREAD_DESTRUCTOR_ITERATIONS|PTHREAD_STACK_MIN|WORD_BIT
    |BUFSIZ|EOF|EXIT_(?:FAILURE|SUCCESS)|L_\w+|P_tmpdir|CLOCKS_PER_SEC|TIMER_ABSTIME|TIME_UTC|NFDBITS
    |(?:BIG|LITTLE|PDP)_ENDIAN|BYTE_ORDER
    |W(?:CONTINUED|EXITED|NOHANG|NOWAIT|STOPPED|UNTRACED|EXITSTATUS|STOPSIG|TERMSIG|IF[A-Z]+)
    |_GLIBCXX_\w+|cuda[A-Z]\w*
    )\Z""",
    re.VERBOSE,
)


def is_header_macro(name: str) -> bool:
    return name in _SMALL_MACROS if name.islower() else _MACROS.match(name) is not None


# The functions of LLVM's runtime that a host compiler's omp.h lacks, or that do not take what that compiler passes.

# The functions that LLVM 19 to 22 export, with types that need no header. An omp_depend_t is passed by its address.
_DEVICES = "rex_size, rex_size, int, int"
NEWER = {
    "omp_control_tool": (
        "enum { omp_control_tool_start = 1, omp_control_tool_pause, omp_control_tool_flush, omp_control_tool_end }; "
        "int omp_control_tool(int, int, void *)"
    ),
    "omp_initial_device": "enum { omp_initial_device = -1 }",
    "omp_invalid_device": "enum { omp_invalid_device = -2 }",
    "omp_in_explicit_task": "int omp_in_explicit_task(void)",
    "omp_get_mapped_ptr": "void *omp_get_mapped_ptr(const void *, int)",
    "omp_target_is_accessible": "int omp_target_is_accessible(const void *, rex_size, int)",
    "omp_target_memcpy_async": f"int omp_target_memcpy_async(void *, const void *, rex_size, {_DEVICES}, int, void *)",
    "omp_target_memcpy_rect_async": (
        "int omp_target_memcpy_rect_async(void *, const void *, rex_size, int, const rex_size *, const rex_size *, "
        "const rex_size *, const rex_size *, const rex_size *, int, int, int, void *)"
    ),
    "omp_target_memset": "void *omp_target_memset(void *, int, rex_size, int)",
    "omp_target_memset_async": "void *omp_target_memset_async(void *, int, rex_size, int, int, void *)",
}
# LLVM's functions cannot read gcc's depend objects. rex_kmp.h has versions that wait for the objects' dependences and
# do the work at once, which OpenMP 5.1, section 3.8.9, allows.
WITH_DEPEND_OBJECTS = {
    "omp_target_memcpy_async": "rex_target_memcpy_now",
    "omp_target_memcpy_rect_async": "rex_target_memcpy_rect_now",
    "omp_target_memset_async": "rex_target_memset_now",
}
# In Fortran, strings are passed with their lengths. LLVM's own omp.h gives C programs other functions by these names.
WITH_STRINGS = {
    "omp_set_affinity_format": "rex_set_affinity_format",
    "omp_get_affinity_format": "rex_get_affinity_format",
    "omp_display_affinity": "rex_display_affinity",
    "omp_capture_affinity": "rex_capture_affinity",
}
# LLVM's function never finds memory accessible, whatever the program requires.
WITH_SHARED_MEMORY = {"omp_target_is_accessible": "rex_shared_is_accessible"}
# LLVM's functions know the teams of host constructs, but not those that rex_kmp.h makes for host versions of regions.
OF_TEAMS = {"omp_get_num_teams": "rex_num_teams", "omp_get_team_num": "rex_team_num"}
_SIZE = regex(r"\brex_size\b")


def is_about_missing(error: str) -> bool:
    """Whether an error of the host compiler may be about a name that its omp.h lacks, and that is declared for it."""
    return not identifiers(error).isdisjoint(NEWER)


def missing_functions(pre: Preprocessed) -> str:
    """The declarations of the functions that a C++ unit mentions and its omp.h lacks, or an empty text."""
    found = []
    for name, declaration in NEWER.items():
        if name in pre.text and name != "omp_initial_device":  # for that, calls need other arguments, too
            word = re.compile(rf"\b{name}\b")
            if len(word.findall(pre.text)) == sum(1 for _ in pre.in_own_parts(word)):
                found.append(f"{_SIZE.sub('__SIZE_TYPE__', declaration)}; ")
    return f'extern "C" {{ {"".join(found)}}}' if found else ""

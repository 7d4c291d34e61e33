"""Functions of the C library: those of mathematics, and those that the device library has under its own names."""

from __future__ import annotations

import re

from ...base.patterns import regex


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
    math_errhandling|(?:be|le)(?:16|32|64)toh|hto(?:be|le)(?:16|32|64)|assert_perror|issubnormal|iseqsig|iscanonical
    |iszero|issignaling|offsetof|stderr|stdin|stdout|strn?dupa|is[a-z]+_l|isascii|toascii|toascii_l|_tolower|_toupper
    )\Z""",
    re.VERBOSE,
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

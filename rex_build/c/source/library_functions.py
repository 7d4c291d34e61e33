"""Functions of the C library: those of mathematics, and those that the device library has under its own names."""


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

"""The functions of the C library, besides mathematics, that the device library has under its own names."""


def words(text: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(text.split())


ALLOCATING = words("malloc calloc realloc free aligned_alloc strdup strndup")
OTHERS = words(
    """
    puts putchar memmove memcmp memchr mempcpy strlen strnlen strcmp strncmp strcasecmp strncasecmp strcpy strncpy
    stpcpy strcat strncat strchr strrchr strstr strspn strcspn strpbrk strtok_r div ldiv lldiv atoi atol atoll strtol
    strtoll strtoul strtoull bsearch qsort abort isalnum isalpha isblank iscntrl isdigit isgraph islower isprint
    ispunct isspace isupper isxdigit tolower toupper bcmp bcopy bzero index rindex stpncpy isascii toascii imaxabs
    """
)

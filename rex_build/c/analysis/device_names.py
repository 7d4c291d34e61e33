"""Gives C entities names for C++, which has more keywords, CUDA's own names, and one name space for tags and others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...base.patterns import regex
from ..sema import Symbol
from ..sema.ctype import Record, RecordInfo
from ..sema.types import VA_LIST_TAG
from ..source.library_functions import MATH, is_header_macro, words
from .device_library import device_name
from .devicecode import UsedCode

# Words that are names in C11, but keywords or macros in C++17 or in the files that every device unit includes.
_WORDS = words(
    """
    alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t class compl concept const_cast
    constexpr consteval constinit co_await co_return co_yield decltype delete dynamic_cast explicit export false
    friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
    reinterpret_cast requires static_assert static_cast template this thread_local throw true try typeid
    typename using virtual wchar_t xor xor_eq final override import module std assert NULL INFINITY NAN HUGE_VAL
    HUGE_VALF linux unix alloca threadIdx blockIdx blockDim gridDim warpSize
    """
)
# The forms of the names in generated code and in the device library. A user's name of such a form gets a suffix in
# device code. A name with this suffix is of such a form, too, so two names never become one.
_GENERATED = regex(r"(?i:rex_)|^(?:XOMP_|OUT__|_dev_)|^__\w+__$|__c$")
# Functions with names of other forms that generated code calls. A user's local variable would hide them.
_CALLED = regex(r"(?:omp_\w+|memcpy|memset)$")
# Names at file scope that CUDA's headers declare as functions, types or variables.
_CUDA_NAMES = regex(
    r"""(?:
    (?:u?(?:char|short|int|long)|longlong|ulonglong|float|double)[1-4](?:_\w+)?|(?:cu|cuda|atomic|tex|surf)[A-Z]\w*
    |(?:tex|surf)[1-3]\w*|(?:CU|curand|make_|surface|texture|nv_|libraryPropertyType|syncthreads|threadfence|isglobal)\w*
    |(?:u|u?ll)?(?:min|max|abs)|[fsu]?(?:u?mul(?:24|hi|64hi)|u?sad|f?dividef)
    |(?:float|int|double|uint|longlong|half)_as_\w+|(?:float|double|u?int|u?ll|half)2\w+
    )$""",
    re.VERBOSE,
)
_CUDA_WORDS = words(
    "dim3 nvcuda cooperative_groups saturate tid sid lid clock clock64 prof_trigger trap brkpt warpsync"
)
_MATH = MATH | words(
    """
    cospi cyl_bessel_i0 cyl_bessel_i1 drem erfcinv erfcx erfinv fdivide gamma jn nexttoward norm norm3d norm4d normcdf
    normcdfinv pow10 powi rcbrt rhypot rnorm rnorm3d rnorm4d roundeven rsqrt scalb significand sincospi sinpi yn
    """
)
# What the C library headers that device units include declare at file scope.
_LIBRARY = words(
    """
    signgam isnan isinf isfinite signbit isnormal fpclassify isgreater isless isunordered finite float_t
    double_t memcpy memmove memset memcmp memchr memccpy memmem mempcpy memfrob strcpy strncpy strcat strncat
    strcmp strncmp strcoll strxfrm strchr strrchr strcspn strspn strpbrk strstr strtok strtok_r strlen strnlen
    strdup strndup strerror strsep strsignal stpcpy stpncpy strcasecmp strncasecmp strcasestr strchrnul
    strverscmp strfry index rindex bcmp bcopy bzero ffs ffsl ffsll basename explicit_bzero swab abort abs atexit
    at_quick_exit atof atoi atol atoll bsearch calloc div exit free getenv labs ldiv llabs lldiv malloc mblen
    mbstowcs mbtowc qsort qsort_r quick_exit rand rand_r random random_r realloc reallocarray srand srandom
    strtod strtof strtold strtol strtoll strtoul strtoull system wcstombs wctomb aligned_alloc posix_memalign
    alloca valloc a64l l64a drand48 erand48 lrand48 nrand48 mrand48 jrand48 srand48 seed48 lcong48 ecvt fcvt
    gcvt getloadavg getsubopt grantpt initstate setstate mkdtemp mkstemp mktemp on_exit ptsname putenv setenv
    unsetenv clearenv realpath rpmatch select pselect unlockpt secure_getenv arc4random printf fprintf sprintf
    snprintf vprintf scanf sscanf fscanf puts putchar putc fputs fputc getc getchar gets fopen fclose fread
    fwrite fseek ftell rewind fflush perror remove rename tmpfile tmpnam setbuf setvbuf feof ferror clearerr
    fileno popen pclose getline getdelim dprintf ungetc renameat tempnam ctermid cuserid stdin stdout stderr
    time difftime mktime asctime ctime gmtime localtime strftime clock_gettime nanosleep timer_create timezone
    daylight tzname tzset stime dysize getdate size_t ssize_t ptrdiff_t div_t ldiv_t lldiv_t clock_t time_t
    timer_t clockid_t pid_t uid_t gid_t off_t id_t key_t dev_t ino_t mode_t nlink_t fsid_t loff_t caddr_t
    fsblkcnt_t fsfilcnt_t pthread_t pthread_attr_t pthread_mutex_t pthread_mutexattr_t pthread_cond_t
    pthread_condattr_t pthread_key_t pthread_once_t pthread_rwlock_t pthread_rwlockattr_t pthread_spinlock_t
    pthread_barrier_t pthread_barrierattr_t
    daddr_t quad_t u_quad_t u_char u_short u_int u_long ulong ushort uint int8_t int16_t int32_t int64_t uint8_t
    uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t max_align_t register_t sigset_t fd_set
    fd_mask suseconds_t useconds_t blksize_t blkcnt_t locale_t FILE fpos_t va_list tm timeval timespec
    random_data drand48_data sigevent itimerspec
    """
) | {name + suffix for name in _MATH for suffix in ("", "f", "l")}
_SUFFIX = "__c"


def _is_reserved(name: str) -> bool:
    return name in _WORDS or _GENERATED.search(name) is not None or is_header_macro(name)


def local_name(name: str) -> str:
    """A C++ name for a local variable, parameter, label or member."""
    return name + _SUFFIX if _is_reserved(name) or _CALLED.match(name) else name


def global_name(name: str) -> str:
    """A C++ name for something of the user's at file scope."""
    of_cuda = name in _CUDA_WORDS or _CUDA_NAMES.match(name)
    is_declared = name in _LIBRARY or of_cuda or name.startswith("__")  # headers may use '__'
    if is_declared or name == "main" or _is_reserved(name):  # C++ forbids calling main
        return name + _SUFFIX
    return name if name.isascii() else ascii_name(name) + _SUFFIX


def ascii_name(name: str) -> str:
    """A name in which numbers stand for letters that are not ASCII, because nvcc takes these only in local names."""
    return "".join(char if char.isascii() else f"_u{ord(char):04x}_" for char in name)


def _nameless_members(info: RecordInfo) -> Iterator[str]:
    """The names of the members of nameless members, which in C++ must not be the record's own."""
    for member in info.fields:
        if member.name is None and isinstance(member.type, Record):
            yield from (local_name(inner.name) for inner in member.type.info.fields if inner.name is not None)
            yield from _nameless_members(member.type.info)


class DeviceNames:
    """The names of records, enumerators and functions in one unit's device text. A name never changes once it is given.

    The device text defines all types at file scope, so a tag that is declared in two scopes gets two names.
    """

    def __init__(self, code: UsedCode) -> None:
        self._records: dict[RecordInfo, str] = {}
        self._taken: set[str] = set()
        self._symbols = {symbol: f"{symbol.name}{_SUFFIX}" for symbol in code.own_versions}
        # What device units get from system headers keeps its name, but enumerators are printed as numbers.
        self.system_records = code.system_records
        self.system_symbols = code.system_symbols
        self.library_enums = code.library_enums

    def _unique(self, wanted: str) -> str:
        name, n = wanted, 1
        while name in self._taken:
            n += 1
            name = f"{wanted}__rex_{n}"
        self._taken.add(name)
        return name

    def record(self, info: RecordInfo) -> str:
        """The name of a record, as ``struct point``. A system header's record without a tag is named by its typedef."""
        if info.tag == VA_LIST_TAG:
            return "rex_va_list"
        if info in self.system_records:
            return f"{info.kind} {info.tag}" if info.tag else str(info.typedef_name)
        name = self._records.get(info)
        if name is None:
            name = global_name(info.tag or info.typedef_name or "anonymous")
            name = self._records[info] = self._unique(name + _SUFFIX if name in _nameless_members(info) else name)
        return f"{info.kind} {name}"

    def enumerator(self, symbol: Symbol) -> str:
        """The name of an enumeration constant, or its value if a system header defines it."""
        if symbol in self.system_symbols:
            return str(symbol.value)
        name = self._symbols.get(symbol)
        if name is None:
            name = global_name(symbol.name)
            if not symbol.is_global:
                name = self._unique(f"{name}__rex_in_{symbol.function}")
            self._symbols[symbol] = name
        return name

    def symbol(self, symbol: Symbol) -> str:
        """The name of any other identifier."""
        if symbol.is_global and symbol not in self.system_symbols:
            return self._symbols.get(symbol) or global_name(symbol.name)
        if symbol in self.system_symbols:
            return device_name(symbol.name)
        return local_name(symbol.name)

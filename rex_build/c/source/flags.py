"""What a unit's compiler flags mean for its device code. The device compilers do not get these flags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ...base.diagnostics import UsageError, error_at
from ...base.patterns import regex

# (what would differ on devices, the flags for it, the flags that undo them)
_REFUSED = (
    ("char", "-funsigned-char -fno-signed-char", "-fsigned-char -fno-unsigned-char"),
    ("bit-fields", "-funsigned-bitfields -fno-signed-bitfields", "-fsigned-bitfields -fno-unsigned-bitfields"),
    ("bit-fields", "-mms-bitfields", "-mno-ms-bitfields"),
    ("enumerations", "-fshort-enums", "-fno-short-enums"),
    ("wchar_t", "-fshort-wchar", "-fno-short-wchar"),
    ("structures", "-fpack-struct -fpack-struct=*", "-fno-pack-struct"),
    ("structures", "-fsso-struct=big-endian", "-fsso-struct=little-endian -fsso-struct=native"),
    ("pointers to structures", "-fplan9-extensions", "-fno-plan9-extensions"),
    ("pointers", "-m32 -mx32 -m16", "-m64"),
    ("long double", "-mlong-double-64 -mlong-double-128", "-mlong-double-80"),
    ("floating-point constants", "-fsingle-precision-constant", "-fno-single-precision-constant"),
    ("strings", "-fexec-charset=*", "-fexec-charset=utf-8 -fexec-charset=utf8"),
    ("strings", "-fwide-exec-charset=*", "-fwide-exec-charset=utf-32 -fwide-exec-charset=utf-32le"),
    ("the source's characters", "-finput-charset=*", "-finput-charset=utf-8 -finput-charset=utf8"),
    ("signed overflow", "-ftrapv", "-fno-trapv -fwrapv -fno-strict-overflow"),
)
# With these, a preprocessor prints something else than the text that a compilation of the same file sees.
_OTHER_TEXT = (
    *("-C", "-CC", "-P", "-dM", "-dD", "-dN", "-dI", "-dU", "-fdirectives-only", "-fdebug-cpp", "-fpch-preprocess"),
    *("--comments", "--comments-in-macros", "--no-line-commands"),
)
# The long names of options, which gcc takes with their value in the same word after '=', or in the next word.
LONG = {
    "--assemble": "-S", "--compile": "-c", "--define-macro": "-D", "--dependencies": "-M", "--entry": "-e",
    "--for-assembler": "-Xassembler", "--for-linker": "-Xlinker", "--force-link": "-u", "--imacros": "-imacros",
    "--include": "-include", "--include-directory": "-I", "--include-directory-after": "-idirafter",
    "--include-prefix": "-iprefix", "--include-with-prefix": "-iwithprefix",
    "--include-with-prefix-after": "-iwithprefix", "--include-with-prefix-before": "-iwithprefixbefore",
    "--language": "-x", "--library-directory": "-L", "--output": "-o", "--prefix": "-B", "--preprocess": "-E",
    "--print-missing-file-dependencies": "-MG", "--shared": "-shared", "--static": "-static", "--undefine-macro": "-U",
    "--user-dependencies": "-MM", "--write-dependencies": "-MD", "--write-user-dependencies": "-MMD",
}  # fmt: skip
_DEFINITIONS_TOO = regex(r"-g(?:gdb|stabs|xcoff)?3")  # gcc -E prints them for such debug information
_UNNAMED = {"-fms-extensions": True, "-fno-ms-extensions": False}
_INEXACT = {
    "-ffast-math": True, "-funsafe-math-optimizations": True,
    "-fno-fast-math": False, "-fno-unsafe-math-optimizations": False,
}  # fmt: skip
_WRAPS = {"-fwrapv": True, "-fno-strict-overflow": True, "-fno-wrapv": False, "-fstrict-overflow": False}


def check_name(source: Path) -> None:
    """Raise InputError for a file name that comments and directives of one line cannot have."""
    if "\n" in str(source) or "\r" in str(source):
        raise error_at(None, f"{str(source)!r}: a file name with a line break is not supported")


def check_flags(cflags: Sequence[str]) -> None:
    """Raise UsageError for a flag that changes the meaning of programs and has no counterpart on devices."""
    words = spelt_out(cflags)
    for what, changing, restoring in _REFUSED:
        in_force = ""
        for flag in words:
            if flag.lower() in restoring.split():
                in_force = ""
            elif any(flag == word or (word[-1] == "*" and flag.startswith(word[:-1])) for word in changing.split()):
                in_force = flag
        if in_force:
            raise UsageError(f"'{in_force}' makes {what} other than on devices")


def for_preprocessor(cflags: Iterable[str]) -> list[str]:
    """The flags with which a preprocessor prints what a compilation with ``cflags`` sees."""
    kept: list[str] = []
    for flag in cflags:
        parts = flag.split(",")[1:] if flag.startswith("-Wp,") else [flag]
        left = [part for part in parts if part not in _OTHER_TEXT and not _DEFINITIONS_TOO.fullmatch(part)]
        if left == parts:
            kept.append(flag)
        elif left:
            kept.append(",".join(["-Wp", *left]))
        elif kept[-1:] == ["-Xpreprocessor"]:
            kept.pop()
    return kept


def map_long(words: Iterable[str]) -> Iterator[str]:
    """The words with long options under their short names, and their values as words of their own."""
    for word in words:
        name, equals, value = word.partition("=")
        short = LONG.get(name)
        if short is None:
            yield word
        else:
            yield short
            if equals:
                yield value


def spelt_out(cflags: Iterable[str]) -> list[str]:
    """The flags under one name each, also those for the preprocessor alone, and definitions of macros as one word."""
    words: list[str] = []
    rest = iter(map_long(cflags))
    for word in rest:
        if word in ("-Xpreprocessor", "-Xclang"):
            words.append(next(rest, ""))
        elif word.startswith("-Wp,"):
            words += word.split(",")[1:]
        else:
            words.append(word)
    found: list[str] = []
    rest = iter(map_long(words))
    for word in rest:
        found.append(word + next(rest, "") if word in ("-D", "-U") else word)
    return found


def macro_flags(cflags: Iterable[str]) -> list[str]:
    """The -D and -U flags. They are part of a unit's digest, as one file may be compiled twice with other macros."""
    return [word for word in spelt_out(cflags) if word.startswith(("-D", "-U"))]


def products_fuse(cflags: Sequence[str]) -> bool:
    """Whether a product may be fused with a sum. As in gcc, ``on`` (within expressions only) means ``off``."""
    chosen = [flag for flag in spelt_out(cflags) if flag.startswith("-ffp-contract=")]
    return not chosen or chosen[-1].partition("=")[2] not in ("off", "on")


def quotients_round(cflags: Sequence[str]) -> bool:
    """Whether quotients and square roots are the nearest numbers, and subnormal numbers are kept. As in gcc, the last
    flag about it counts, and -Ofast goes with the last level of optimisation."""
    asked, level = False, ""
    for flag in spelt_out(cflags):
        asked = _INEXACT.get(flag, asked)
        level = flag if flag.startswith("-O") else level
    return not asked and level != "-Ofast"


def overflow_wraps(cflags: Sequence[str]) -> bool:
    """Whether signed overflow wraps around. As in gcc, the last flag about it counts."""
    return next((_WRAPS[flag] for flag in reversed(spelt_out(cflags)) if flag in _WRAPS), False)


def has_unnamed_members(cflags: Sequence[str]) -> bool:
    """Whether a structure's type alone, declared inside another structure, is an unnamed member."""
    return next((_UNNAMED[flag] for flag in reversed(spelt_out(cflags)) if flag in _UNNAMED), False)

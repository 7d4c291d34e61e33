"""Finds what device code uses of the host, in the text that nvcc makes of all device functions.

nvcc compiles a call of a host function in device code as a call of address 0, and its optimiser then drops the code
around it. It says no word of that in constexpr functions and in headers of the system. But its front end first writes
all device code as plain C (``<stem>.cudafe1.gpu``, which ``--keep`` keeps). In that text each device function has a
declaration, and what is the host's has none.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

from ..base.diagnostics import Diagnostic, SourceSpan, source_lines
from ..base.patterns import regex

_MARKER = regex(r'^# (\d+) "(.*)"', re.MULTILINE)
_DIRECTIVE = regex(r"^#.*", re.MULTILINE)
_LITERAL = regex(r'(?:\b(?:L|u8|u|U))?(?:"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')')
_ATTRIBUTE = regex(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)")
_NAME = regex(r"(?<![.>\w])[A-Za-z_]\w*")
_CALLED = regex(r"(?<![.>\w])([A-Za-z_]\w*)\(")
_ENUM = regex(r"\s*(?:typedef\s+)?enum\b")
_POINTER = regex(r"\(\*(\w+)\)")
_BRACE = regex(r"[{}]")
# What stands in front of a variable's name where it is declared.
_TYPE = regex(r"([A-Za-z_]\w*)\s+(?:\(?\*+(?:const\s+)?)?$")
# What a throw expression becomes.
_THROW = ("__throw", "typeinfo for ")
# Renamed variables, which are declared in their function, and what copies and arrays of objects become.
_NEVER_THE_HOSTS = ("__cuda_local_var_", "__T", "__gen_nvvm_memcpy", "__gen_nvvm_memset", "__cxa_vec_")

# Words of that text. The last are what nvcc makes of divisions, variable arguments, and parameters of kernels.
_WORDS = frozenset(
    """asm break case char const continue default do double else enum float for goto if int long restrict return short
    signed sizeof static struct switch typedef union unsigned void volatile while __asm __align__ __alignof __alignof__
    __attribute__ __extension__ __label__ __nv_bool wchar_t char8_t
    char16_t char32_t __int128 blockDim blockIdx gridDim threadIdx warpSize fdivide fdividef
    __builtin_va_arg __builtin_va_copy __builtin_va_end __builtin_va_start __builtin_stdarg_start __copy_param
    __val_param""".split()  # noqa: SIM905
)
_NO_TYPES = frozenset("return case goto else do sizeof".split())  # noqa: SIM905
# gcc's builtins that nvcc compiles for devices, as that text names them. It takes all others for functions of the host.
# Not here are those whose names functions of the C library have, too, such as ffs.
_BUILTINS = frozenset(
    """abs labs llabs clz clzll popcount popcountll isnan isinf isfinite signbit huge_val huge_valf inf inff nan nanf
    unreachable assume assume_aligned memcpy memset powi powif""".split()  # noqa: SIM905
) | {
    name + suffix
    for name in """fabs sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2
    log10 log1p cbrt ceil floor trunc round nearbyint rint lround llround lrint llrint erf erfc tgamma lgamma logb ilogb
    j0 j1 y0 y1 pow fmod remainder copysign fmax fmin fdim hypot atan2 nextafter fma ldexp scalbn scalbln""".split()  # noqa: SIM905
    for suffix in ("", "f")
}
# In constants, some have their whole names.
_KNOWN = _WORDS | _BUILTINS | {f"__builtin_{name}" for name in _BUILTINS}


def uses_of_the_host(text: str) -> list[Diagnostic]:
    """An error for each device function and what it uses of the host, in the text that nvcc's front end writes."""
    if not _found(_ATTRIBUTE.sub("", _LITERAL.sub("", _DIRECTIVE.sub("", text)))):
        return []
    found = _found(_ATTRIBUTE.sub(_blank, _LITERAL.sub(_blank, _DIRECTIVE.sub(_blank, text))))
    in_cxx = _as_in_cxx([name for pair in found for name in pair])
    errors = {}
    for i, at in enumerate(found.values()):
        used, user = in_cxx[2 * i : 2 * i + 2]
        thrown = used.startswith(_THROW)
        what = "throws an exception" if thrown else f"uses {used}, which is the host's"
        note = f"in {user}; nvcc says nothing of it, and drops the code around it"
        errors[what, user] = Diagnostic(
            "error", f"device code {what}", _span(text, at, "throw" if thrown else used), (note,)
        )
    return sorted(errors.values(), key=lambda error: str(error.span))


def _found(plain: str) -> dict[tuple[str, str], int]:
    """The first use of each name of the host in each function, in text without directives and literals."""
    bodies, outside, at = [], [], 0
    for head, start, end in _braces(plain):
        before = plain[head:start].rstrip()
        if not _ENUM.match(before):
            outside.append(plain[at : head if before.endswith(")") else start])
            at = end
            if before.endswith((")", "=")):
                bodies.append((head, start, end))
    declarations = "".join([*outside, plain[at:]])
    functions = set(_KNOWN).union(_CALLED.findall(declarations), _POINTER.findall(declarations))
    functions.update([_defined(plain[head:start]) for head, start, _ in bodies])
    called = [set(_CALLED.findall(plain, start, end)) - functions for _, start, end in bodies]
    known = functions.union(_NAME.findall(declarations)).difference(*called)
    found = {}
    for (head, start, end), calls in zip(bodies, called, strict=True):
        if not (unknown := set(_NAME.findall(plain, start, end)) - known):
            continue
        own = set(_NAME.findall(plain, head, start))
        for name in unknown:
            if name.startswith(_NEVER_THE_HOSTS) or (name not in own and _is_declared(name, plain, start, end)):
                continue
            if name not in own or (name in calls and _is_no_pointer(name, plain[head:start])):
                use = re.compile(rf"(?<![.>\w]){name}\b").search(plain, start, end)
                found[name, _defined(plain[head:start])] = use.start() if use else start
    return found


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _defined(head: str) -> str:
    """The name of the function or variable in the head of its definition, behind other words."""
    names = _CALLED.findall(head) if head.rstrip().endswith(")") else _NAME.findall(head)[-1:]
    return next((name for name in names if name.startswith("_Z") or not name.startswith("_")), "")


def _braces(plain: str) -> Iterator[tuple[int, int, int]]:
    """The outermost braces, of functions, types and initial values: where what is in front of each begins, and it."""
    depth = behind = start = 0
    for brace in _BRACE.finditer(plain):
        depth += 1 if brace[0] == "{" else -1
        if depth == 1 and brace[0] == "{":
            start = brace.start()
        elif depth == 0:
            yield max(plain.rfind(";", behind, start) + 1, behind), start, brace.end()
            behind = brace.end()


def _is_declared(name: str, plain: str, start: int, end: int) -> bool:
    """Whether a function declares a variable or label of this name: C does that with a variable before it is used."""
    first = re.compile(rf"(?<![.>\w]){name}\b").search(plain, start, end)
    before = _TYPE.search(plain[start : first.start()][-200:]) if first else None
    return bool(before and before[1] not in _NO_TYPES) or bool(re.search(rf"\bgoto {name}\b", plain[start:end]))


def _is_no_pointer(name: str, head: str) -> bool:
    """Whether a parameter cannot be a pointer to a function, so that a call by its name means another function."""
    return bool(
        re.search(rf"\b(?:char|int|short|long|unsigned|float|double|__nv_bool|struct\s+\w+)\s+\**{name}\b", head)
    )


def _span(text: str, at: int, name: str) -> SourceSpan | None:
    """The place of what stands at an offset: the line that nvcc says, and the column if the line has the name."""
    markers = list(_MARKER.finditer(text, 0, at))
    if not markers:
        return None
    file, line = markers[-1][2], int(markers[-1][1]) + text.count("\n", markers[-1].end(), at) - 1
    lines = source_lines(file)
    word = re.split(r"[(<]", name)[0].rpartition("::")[2].strip()
    found = re.search(rf"\b{re.escape(word)}\b", lines[line - 1]) if word and 0 < line <= len(lines) else None
    return SourceSpan(file, line, found.start() + 1, len(word)) if found else SourceSpan(file, line)


def _as_in_cxx(names: list[str]) -> list[str]:
    """Linkage names as C++ writes them, by binutils' c++filt; as they are, where that is missing."""
    try:
        done = subprocess.run(["c++filt", "--", *names], capture_output=True, text=True, check=True)
    except (OSError, subprocess.SubprocessError):
        return names
    return [re.sub(r"\b_INTERNAL_\w+::", "", name) for name in done.stdout.splitlines()]

"""Finds out whether a unit has anything to lower, in the preprocessed text: lowering reads the same."""

from __future__ import annotations

import re

from ... import __version__
from ...base.line_directives import line_directive
from ...base.names import in_comment
from ...base.patterns import regex
from .gnu_text import OMP_ATTRIBUTE
from .tokens import directive_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .preprocess import Preprocessed


# Words of directives that concern the device, or that the host compiler may not know.
_WORDS = frozenset(
    (
        *("target", "declare", "metadirective", "requires", "inscan", "error", "assume", "assumes", "tile", "unroll"),
        *("reverse", "interchange", "dispatch", "interop", "allocate", "detach", "doacross", "scope", "inoutset"),
        *("omp_all_memory", "destroy", "linear", "conditional"),
    )
)
# Words with which the names of other directives begin. Any other word is a macro, or an unknown directive.
_HOST_DIRECTIVES = frozenset(
    (
        *("atomic", "barrier", "begin", "cancel", "cancellation", "critical", "depobj", "distribute", "end", "flush"),
        *("for", "loop", "masked", "master", "nothing", "ordered", "parallel", "scan", "section", "sections", "simd"),
        *("single", "task", "taskgroup", "taskloop", "taskwait", "taskyield", "teams", "threadprivate"),
    )
)
_DIRECTIVE = regex(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b[ \t]*(.*)$", re.MULTILINE)
_WORD = regex(r"\w+")
# Those with which headers of the system speak to the host: glibc's <math.h> declares its functions for vectors.
_HOST_WORDS = frozenset(("linear", "inscan", "conditional"))
_OF_HEADERS = regex(r"declare[ \t]+(?:simd|reduction)\b")
# Functions that omp.h may lack, or declare differently from LLVM's (see c/analysis/host_version.py).
_FUNCTION = regex(
    r"\bomp_(?:control_tool|get_mapped_ptr|get_(?:num_)?interop_\w+|in_explicit_task|target_(?:is_accessible|memset|\w+_async)"
    r"|\w+_affinity(?:_format)?)[ \t\n]*\(|\bomp_(?:initial|invalid)_device\b"
)
# A directive that begins a line of a source, in the spelling that nearly all of them have.
_TARGET = regex(rb"^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+(?:target|declare[ \t]+target)\b", re.MULTILINE)
# The beginning of main, up to where its first statement can stand.
_MAIN = regex(rb"^[^\n#\"'/]*\bmain[ \t\n]*\([^;{}()]*\)[ \t\n]*\{(?:[ \t\n]*__label__[^;]*;)*", re.MULTILINE)


def concerns_device(pre: Preprocessed) -> bool:
    """Whether the unit has a directive about devices, or one that the host compiler may not know, or such a call."""
    text = pre.text
    if "omp" not in text:
        return False
    for match in directive_lines(_DIRECTIVE, text):
        words = _WORD.findall(match[1])
        known = not words or words[0] in _HOST_DIRECTIVES
        if known and _WORDS.isdisjoint(words):
            continue
        of_the_host = _OF_HEADERS.match(match[1]) or (known and _WORDS.intersection(words) <= _HOST_WORDS)
        if not (of_the_host and _of_the_system(pre, match)):
            return True
    # omp.h itself declares the functions that it has.
    if any(not _of_the_system(pre, match) for match in _FUNCTION.finditer(text)):
        return True
    return OMP_ATTRIBUTE.search(text) is not None  # in a literal, too: C++ has raw ones


def _of_the_system(pre: Preprocessed, match: re.Match[str]) -> bool:
    return pre.origin_of(pre.line_at(match.start()))[0].system


def has_target_directive(source: bytes) -> bool:
    """Whether a source has a plain target directive. "No" says nothing: conditions, macros and headers are not read."""
    return _TARGET.search(source) is not None


def main_body(text: bytes) -> int | None:
    """The offset at which the first statement of ``main`` can stand, or None if ``main`` is not found."""
    match = _MAIN.search(text)
    return match.end() if match else None


# Makes the outputs for a unit that has nothing to lower: the user's unchanged text.

def passthrough_host(text: bytes, file: str, name: str, anchor: str | None, own_name: str, init: bool) -> str:
    """The user's text with a reference to the anchor, if there is one.

    With ``init``, ``rex_offload_init()`` is called at the head of ``main``, if the program has one: it comes with the
    registration of other units."""
    head = [f"/* rex-build {__version__}: lowered from {in_comment(name)}; unit {'0' * 16}; entries 0 */"]
    at = main_body(text) if init else None
    if at is not None:
        head += ["#ifdef __cplusplus", 'extern "C"', "#endif"]
        head.append('void rex_offload_init(void) __attribute__((__weak__, __visibility__("hidden")));')
        call = b"if (rex_offload_init) rex_offload_init(); 0;"
        ready = b" int __rex_ready __attribute__((__unused__)) = __extension__({ " + call + b" });"
        text = text[:at] + ready + text[at:]  # it is a declaration, as more declarations may follow
    body = text.decode("utf-8", "surrogateescape")
    lines = [*head, line_directive(1, file), body.rstrip("\n")]
    if anchor is not None:
        count = sum(line.count("\n") + 1 for line in lines)
        lines.append(line_directive(count + 2, own_name))
        lines.append(f'__attribute__((__visibility__("hidden"))) extern const char {anchor};')
        lines.append(f"__attribute__((__used__)) static const char *const __rex_keep_{anchor} = &{anchor};")
    return "\n".join(lines) + "\n"


def passthrough_device(name: str) -> str:
    return f"/* rex-build {__version__}: no device code in {in_comment(name)} */\n"

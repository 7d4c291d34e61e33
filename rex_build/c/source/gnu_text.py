"""Rewrites GNU C and newer C in words that pycparser reads. Each text keeps its length, so every offset stays."""

from __future__ import annotations

import re

from ...base.records import dataclass
from .tokens import LITERAL, STRING, arguments_at, closing_paren, directive_pattern, unclosed


@dataclass(frozen=True)
class LayoutAttribute:
    """A part of the text that the parser does not see, but others need.

    It is a GNU attribute or pragma that matters for the layout of a type or for a variable, a constant whose type
    pycparser cannot express (``1.0i``), or the word that makes a variable local to its thread.
    """

    offset: int
    text: str


_SAME_LENGTH = {
    "__inline": "inline",
    "__inline__": "inline",
    "__restrict": "restrict",
    "__restrict__": "restrict",
    "__const": "const",
    "__const__": "const",
    "__volatile": "volatile",
    "__volatile__": "volatile",
    "__signed": "signed",
    "__signed__": "signed",
    "__alignof": "_Alignof",
    "__alignof__": "_Alignof",
    "__typeof": "typeof",
    "__typeof__": "typeof",
    "_Float64": "double",
    "_Float32x": "double",
    "_Float32": "float",
    "__complex__": "_Complex",
    "__complex": "_Complex",
    "__extension__": "",
    "_Nonnull": "",
    "_Nullable": "",
    "_Null_unspecified": "",
    "__thread": "",
    "_Thread_local": "",
    "thread_local": "",
    "__auto_type": "auto signed",  # sema takes the type from the initialiser
    "__builtin_offsetof": "offsetof",
}
THREAD_LOCAL = ("__thread", "_Thread_local", "thread_local")
# A constant with a suffix that the parser does not know: an imaginary one, or the name of a floating type.
_NAMED_FLOAT = "[fF](?:16|32|64|128)x?"
_SUFFIX = rf"(?:(?:[fFlLqQwW]|{_NAMED_FLOAT})?[iIjJ]|[iIjJ][fFlLqQwW]|[qQwW]|[dD][fFdDlL]|{_NAMED_FLOAT}|[bB][fF]16)"
_INTEGER_SUFFIX = r"[uUlL]*[iIjJ][uUlL]*"
_CONSTANT = (
    rf"(?:\b\d[\d.]*|(?<![\w.])\.\d+)(?:[eE][+-]?\d+)?(?:{_SUFFIX}|{_INTEGER_SUFFIX})\b"
    rf"|\b0[xX][\da-fA-F.]*(?:[pP][+-]?\d+{_SUFFIX}|{_INTEGER_SUFFIX})\b"
)
_WORDS = re.compile(
    LITERAL
    + r"|^[ \t]*#[^\n]*|[{}]|\[\s*\[|"
    + _CONSTANT
    + r"|\b(?:typedef (?:float|double|long double|__float128) _Float\d+x?;|"
    + r"(?:__attribute__|__attribute|__asm__|__asm|asm|"
    + "|".join(sorted(map(re.escape, _SAME_LENGTH), key=len, reverse=True))
    + r")\b)",
    re.MULTILINE,
)
_DIRECTIVE = directive_pattern("")
_LAYOUT = re.compile(
    r"\b_*(packed|aligned|vector_size|mode|ms_struct|scalar_storage_order|transparent_union|cleanup|alias"
    r"|ext_vector_type|matrix_type|address_space)_*\b"
)
OMP_ATTRIBUTE = re.compile(r"\[\s*\[\s*(?:using\s+)?omp\s*:")


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def normalise_gnu(text: str, c23: bool = False) -> tuple[str, tuple[LayoutAttribute, ...]]:
    """(the text with GNU extensions replaced by what pycparser reads, what the parser does not see and others need)

    With ``c23``, the new words of C23 are replaced, too. Every offset stays.
    """
    out: list[str] = []
    layout: list[LayoutAttribute] = []
    at = depth = brace = 0
    for match in _WORDS.finditer(text):
        word, start, end = match[0], match.start(), match.end()
        if start < at:  # it is inside an attribute that is already blanked
            continue
        if word in "{}":
            depth += 1 if word == "{" else -1
            brace = end
            continue
        if word[0] in "\"'" or (word == "thread_local" and not c23):
            continue
        if word[0] in ".0123456789":
            layout.append(LayoutAttribute(start, word))
            new = _known_constant(word).ljust(len(word))
        elif word.lstrip()[0] == "#":
            if _DIRECTIVE.match(word):
                continue
            if re.match(r"\s*#\s*pragma\s+(?:pack|scalar_storage_order)\b", word):
                layout.append(LayoutAttribute(start, word.strip()))
            new = _blank(word)
        elif word in _SAME_LENGTH:
            if word in THREAD_LOCAL:
                layout.append(LayoutAttribute(start, word))
            new = _SAME_LENGTH[word].ljust(len(word))
        elif word.startswith("typedef"):  # with clang, the C library declares what are keywords for gcc
            new = _blank(word)
        elif word[0] == "[":  # a C23 attribute
            if not (inside := arguments_at(text, start)):
                continue  # it is not closed, which the parser reports
            end = inside[-1][1] + 1
            old = text[start:end]
            new = _blank(old)
            if told := old if OMP_ATTRIBUTE.match(old) else _of_layout(old):
                layout.append(LayoutAttribute(start, told))
        else:
            end = closing_paren(text, end)
            old = text[start:end]
            new = _blank(old)
            is_assembly = "asm" in word and depth > 0 and _is_statement(text, brace, start, old)
            if is_assembly and not _is_barrier(old):
                new = "__rex_asm".ljust(len(word)) + new[len(word) :] if len(word) >= 9 else "asm".ljust(3) + new[3:]
            elif "attribute" in word and (told := _of_layout(old)):
                layout.append(LayoutAttribute(start, told))
        out += [text[at:start], new]
        at = end
    out.append(text[at:])
    return "".join(out), tuple(layout)


_SPACE = re.compile(r"\s*")
_PREFIX = re.compile(r"\s*(?:_*(?:gnu|clang(?=\W+(?:ext|matrix|address)_))_*\s*::\s*(?=\w))?")


def _of_layout(text: str) -> str:
    """A list of attributes, ``__attribute__((...))`` or ``[[...]]``, in which only those of layout are not blanked.

    It is empty if none is left. In brackets, ``gnu::`` must stand before an attribute, or ``clang::`` before clang's
    own: without it, the attribute means nothing or is one of C's.
    """
    if not _LAYOUT.search(text):
        return ""
    is_standard = text[0] == "["
    kept = False
    opening = "[" if is_standard else "("
    for low, high in arguments_at(text, text.index(opening, text.index(opening) + 1)):
        name = (_PREFIX if is_standard else _SPACE).match(text[low:high])
        assert name is not None
        if (name[0].strip() or not is_standard) and _LAYOUT.match(text, low + name.end()):
            kept = True
        else:
            text = text[:low] + _blank(text[low:high]) + text[high:]
    return text if kept else ""


def _is_statement(text: str, brace: int, start: int, asm: str) -> bool:
    """Whether an ``asm`` in a function is a statement, not the name that a declaration gives (``int x asm("r12")``).

    ``brace`` is where the last brace before it ends.
    """
    if not re.fullmatch(rf"\w+\s*\((?:\s*{STRING})+\s*\)", asm):
        return True
    before = text[brace:start].rstrip()
    if not before or before[-1] in ";:":
        return True
    if before[-1] != ")":
        return re.search(r"\b(?:else|do)$", before) is not None
    around = unclosed(before, 0, len(before) - 1)
    if len(around) > 1:
        return True
    return bool(around) and re.search(r"\b(?:if|while|for|switch)\s*$", before[: around[0]]) is not None


def _is_barrier(asm: str) -> bool:
    """Whether an ``asm`` has no instructions and only hides values from the optimiser, so that it can be left out."""
    operands = re.sub(STRING, " ", asm.partition("(")[2])
    acts = re.search(r"\w\s*\(|\+\+|--|[^=!<>]=[^=]", operands) is not None
    return re.search(r'\(\s*(?:""\s*)+[:)]', asm) is not None and '"=' not in asm and not acts


_NAMED_SUFFIXES = (
    (re.compile("[fF]32$|[bB]?[fF]16$"), "f"),
    (re.compile("[fF](?:32x|64)$|[dD][fFdDlL]$"), ""),
    (re.compile("[fF](?:64x|128x?)$|[qQwW]$"), "L"),
)


def _known_constant(word: str) -> str:
    """A constant with a suffix that the parser knows, of the nearest type."""
    word = re.sub("[iIjJ]", "", word)
    hexadecimal = word[:2] in ("0x", "0X")
    for pattern, suffix in _NAMED_SUFFIXES if not hexadecimal or re.search("[pP]", word) else ():
        if pattern.search(word):
            return pattern.sub(suffix, word)
    return word


_OTHERS = ((re.compile("[dD][fF]$"), "_Decimal32"), (re.compile("[dD][dD]$"), "_Decimal64"),
           (re.compile("[dD][lL]$"), "_Decimal128"), (re.compile("[bB][fF]16$"), "__bf16"),
           (re.compile("[fF]16$"), "_Float16"))  # fmt: skip


def constant_type(written: str, read: str) -> str:
    """The type of a constant with one of these suffixes. The user wrote ``written``, and the parser saw ``read``."""
    if re.search("[iIjJ]", written):
        real = read if read in ("float", "double", "long double") else "int"
        real = "_Float16" if real == "float" and "16" in written[-4:] else real
        return f"{real} _Complex"
    if written[:2] not in ("0x", "0X") or re.search("[pP]", written):
        return next((name for pattern, name in _OTHERS if pattern.search(written)), read)
    return read

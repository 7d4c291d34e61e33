"""Rewrites GNU C and newer C in words that pycparser reads. Each text keeps its length, so every offset stays."""

from __future__ import annotations

import re

from ...base.patterns import regex
from ...base.records import dataclass
from .tokens import LITERAL, STRING, arguments_at, closing_paren, directive_pattern


@dataclass(frozen=True)
class Attribute:
    """One attribute: ``packed`` for ``__packed__``, and the text in its parentheses, or None without them.

    ``start`` and ``end`` are its place in the text of its list.
    """

    name: str
    argument: str | None
    start: int
    end: int


@dataclass(frozen=True)
class AttributeList:
    """A list of attributes, ``__attribute__((...))`` or ``[[...]]``, and those in it that matter.

    They matter for the layout of a type, or for a variable or function. In ``text`` the others are blanked.
    """

    offset: int
    text: str
    attributes: tuple[Attribute, ...]

    @property
    def is_standard(self) -> bool:
        """Whether it is a list in brackets, as in C23."""
        return self.text.startswith("[")

    def names(self, name: str) -> bool:
        """Whether an attribute of this name is in the list."""
        return any(attribute.name == name for attribute in self.attributes)


@dataclass(frozen=True)
class Unseen:
    """What the parser does not see of a text, but others need, in the order of the text."""

    attributes: tuple[AttributeList, ...] = ()
    openmp: tuple[int, ...] = ()  # the offsets of OpenMP's attributes
    pragmas: tuple[tuple[int, str], ...] = ()  # those that change layouts, with their offsets
    constants: tuple[tuple[int, str], ...] = ()  # those whose types the parser cannot express, such as ``1.0i``


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
    "__auto_type": "auto signed",  # sema takes the type from the initialiser
    "__builtin_offsetof": "offsetof",
}
# A constant with a suffix that the parser does not know: an imaginary one, or the name of a floating type.
_NAMED_FLOAT = "[fF](?:16|32|64|128)x?"
_SUFFIX = rf"(?:(?:[fFlLqQwW]|{_NAMED_FLOAT})?[iIjJ]|[iIjJ][fFlLqQwW]|[qQwW]|[dD][fFdDlL]|{_NAMED_FLOAT}|[bB][fF]16)"
_INTEGER_SUFFIX = r"[uUlL]*[iIjJ][uUlL]*"
_CONSTANT = (
    rf"(?:\b\d[\d.]*|(?<![\w.])\.\d+)(?:[eE][+-]?\d+)?(?:{_SUFFIX}|{_INTEGER_SUFFIX})\b"
    rf"|\b0[xX][\da-fA-F.]*(?:[pP][+-]?\d+{_SUFFIX}|{_INTEGER_SUFFIX})\b"
)
_WORDS = regex(
    LITERAL
    + r"|^[ \t]*#[^\n]*|[{}]|\[\s*\[|"
    + _CONSTANT
    + r"|\b(?:typedef (?:float|double|long double|__float128) _Float\d+x?;|asm\b|_\w+)",
    re.MULTILINE,
)
_WITH_PARENTHESES = ("__attribute__", "__attribute", "__asm__", "__asm", "asm")
_DIRECTIVE = directive_pattern("")
_LAYOUT = regex(
    r"\b_*(packed|aligned|vector_size|mode|ms_struct|scalar_storage_order|transparent_union|cleanup|alias|weak"
    r"|ext_vector_type|matrix_type|address_space)_*\b"
)
# Other attributes may stand in front of it in the same brackets.
OMP_ATTRIBUTE = regex(
    r"\[\s*\[(?:[^][;(){}]|\((?:[^();]|\([^();]*\))*\))*?(?<!\w)(?:using\s+)?(?:omp|__omp__)\s*:"
)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def normalise_gnu(text: str) -> tuple[str, Unseen]:
    """(the text with GNU extensions replaced by what pycparser reads, what the parser does not see and others need)

    Every offset stays. Inline assembly inside functions becomes the word ``asm``, which is a token of our parser. So
    does the name that a declaration there gives a variable in assembly.
    """
    out: list[str] = []
    attributes: list[AttributeList] = []
    openmp: list[int] = []
    pragmas: list[tuple[int, str]] = []
    constants: list[tuple[int, str]] = []
    at = depth = 0
    for match in _WORDS.finditer(text):
        word, start, end = match[0], match.start(), match.end()
        if start < at:  # it is inside an attribute that is already blanked
            continue
        if word in "{}":
            depth += 1 if word == "{" else -1
            continue
        if word[0] in "\"'":
            continue
        if word[0] in ".0123456789":
            constants.append((start, word))
            new = _known_constant(word).ljust(len(word))
        elif word.lstrip()[0] == "#":
            if _DIRECTIVE.match(word):
                continue
            if re.match(r"\s*#\s*pragma\s+(?:pack|scalar_storage_order)\b", word):
                pragmas.append((start, word.strip()))
            new = _blank(word)
        elif word in _SAME_LENGTH:
            new = _SAME_LENGTH[word].ljust(len(word))
        elif word.startswith("typedef"):  # with clang, the C library declares what are keywords for gcc
            new = _blank(word)
        elif word[0] == "[":  # a C23 attribute
            if not (inside := arguments_at(text, start)):
                continue  # it is not closed, which the parser reports
            end = inside[-1][1] + 1
            old = text[start:end]
            new = _blank(old)
            if OMP_ATTRIBUTE.match(old):
                openmp.append(start)
            else:
                attributes += _that_matter(old, start)
        elif word in _WITH_PARENTHESES:
            end = closing_paren(text, end)
            old = text[start:end]
            new = _blank(old)
            if "attribute" in word:
                attributes += _that_matter(old, start)
            elif depth > 0 and not is_barrier(old):
                new = "asm" + new[3:]
        else:
            continue
        out += [text[at:start], new]
        at = end
    out.append(text[at:])
    return "".join(out), Unseen(tuple(attributes), tuple(openmp), tuple(pragmas), tuple(constants))


_SPACE = regex(r"\s*")
_PREFIX = regex(r"\s*(?:_*(?:gnu|clang(?=\W+(?:ext|matrix|address)_))_*\s*::\s*(?=\w))?")


def _that_matter(text: str, offset: int) -> list[AttributeList]:
    """The list of attributes at ``offset``, if one of them matters.

    In brackets, ``gnu::`` must stand before an attribute, or ``clang::`` before clang's own: without it, the attribute
    means nothing or is one of C's.
    """
    if not _LAYOUT.search(text):
        return []
    is_standard = text[0] == "["
    opening = "[" if is_standard else "("
    found: list[Attribute] = []
    for low, high in arguments_at(text, text.index(opening, text.index(opening) + 1)):
        prefix = (_PREFIX if is_standard else _SPACE).match(text[low:high])
        assert prefix is not None
        name = _LAYOUT.match(text, low + prefix.end()) if prefix[0].strip() or not is_standard else None
        if name:
            rest = text[name.end() : high].strip()
            found.append(Attribute(name[1], rest[1:-1] if rest.startswith("(") else None, low, high))
        else:
            text = text[:low] + _blank(text[low:high]) + text[high:]
    return [AttributeList(offset, text, tuple(found))] if found else []


def is_barrier(asm: str) -> bool:
    """Whether an ``asm`` has no instructions and only hides values from the optimiser, so that it can be left out."""
    operands = re.sub(STRING, " ", asm.partition("(")[2])
    acts = re.search(r"\w\s*\(|\+\+|--|[^=!<>]=[^=]", operands) is not None
    return re.search(r'\(\s*(?:""\s*)+[:)]', asm) is not None and '"=' not in asm and not acts


_NAMED_SUFFIXES = (
    (regex("[fF]32$|[bB]?[fF]16$"), "f"),
    (regex("[fF](?:32x|64)$|[dD][fFdDlL]$"), ""),
    (regex("[fF](?:64x|128x?)$|[qQwW]$"), "L"),
)


def _known_constant(word: str) -> str:
    """A constant with a suffix that the parser knows, of the nearest type."""
    word = re.sub("[iIjJ]", "", word)
    hexadecimal = word[:2] in ("0x", "0X")
    for pattern, suffix in _NAMED_SUFFIXES if not hexadecimal or re.search("[pP]", word) else ():
        if pattern.search(word):
            return pattern.sub(suffix, word)
    return word


_OTHERS = ((regex("[dD][fF]$"), "_Decimal32"), (regex("[dD][dD]$"), "_Decimal64"),
           (regex("[dD][lL]$"), "_Decimal128"), (regex("[bB][fF]16$"), "__bf16"),
           (regex("[fF]16$"), "_Float16"))  # fmt: skip


def constant_type(written: str, read: str) -> str:
    """The type of a constant with one of these suffixes. The user wrote ``written``, and the parser saw ``read``."""
    if re.search("[iIjJ]", written):
        real = read if read in ("float", "double", "long double") else "int"
        real = "_Float16" if real == "float" and "16" in written[-4:] else real
        return f"{real} _Complex"
    if written[:2] not in ("0x", "0X") or re.search("[pP]", written):
        return next((name for pattern, name in _OTHERS if pattern.search(written)), read)
    return read

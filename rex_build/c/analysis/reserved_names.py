"""Refuses names of the user's that would change what ``rex_kmp.h`` declares in the host file.

Generated variables give way to the user's names. The functions, types and macros of that header cannot, because their
names are the same in every unit. But a program may declare a function that the header only declares, as it may call
``rex_offload_init()``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from pycparser import c_ast

from ...base.diagnostics import InputError, error_at
from ...base.names import GeneratedNames, identifiers
from ...base.paths import INITIAL_DEVICE_HEADER, INTEROP_HEADER, include_dir
from ...base.patterns import regex
from ...base.spans import SourceSpan, source_lines
from ..sema import Sema
from ..sema.ctype import Record
from ..source.preprocess import Preprocessed
from ..syntax.nodes import OmpConstruct, ParsedUnit

_HEADER = "rex_kmp.h"
_PREFIXES = ("rex_", "REX_", "__tgt_")
_DECLARED = regex(r"^(?:extern )?(?:void|int)\b[^;{]*?(\w+)\([^;{]*\)[^;{]*;", re.MULTILINE)


def check_declarations(unit: ParsedUnit, sema: Sema, names: GeneratedNames, constructs: Sequence[OmpConstruct]) -> None:
    """Raise InputError if a declaration of the user's has a name that means something else in generated text."""
    for name in _suspects(names):
        symbol = sema.file_symbol(name)
        only_declared = symbol is not None and symbol.is_function and symbol.definition is None
        if not (only_declared and name in _declared()):
            for node in sema.file_declarations(name):
                _refuse(unit, node, name)
        for construct in constructs:
            local = sema.lookup(construct, name)
            if local is not None and not local.is_global:
                _refuse(unit, local.node, name)
            record = sema.named_type(construct, f"struct {name}")
            if isinstance(record, Record):
                _refuse(unit, record.info.node, name)


def check_macros(
    names: GeneratedNames, pre: Preprocessed, defines: Sequence[str], definitions: Callable[[], Preprocessed]
) -> None:
    """Raise InputError if a macro of the user's has such a name.

    ``definitions`` preprocesses the unit and keeps its ``#define`` lines. It is called only if one of them may matter.
    """
    suspects = _suspects(names)
    if not suspects:
        return
    for flag in defines:
        if flag.startswith("-D") and (found := re.match(r"\w+", flag[2:])) and found[0] in suspects:
            raise _reserved(SourceSpan(pre.main_file, 1), f"the macro '{found[0]}' of the command line")
    define = re.compile(rf"^\s*#\s*(define|undef)\s+({'|'.join(suspects)})\b")
    files = [file for file in pre.files_with_names if not _is_ours(file)]
    if not any(origin.file.rpartition("/")[2] == _HEADER for origin in pre.origins):
        _check_replaced(pre, set(suspects) & _macros())
    if not any(define.match(line) for file in files for line in source_lines(file)):
        return
    kept = definitions()
    active: dict[str, SourceSpan] = {}
    for number, start in enumerate(kept.line_starts, 1):
        match = define.match(kept.text[start : kept.line_end(number)])
        if match and match[1] == "define":
            if kept.origin_of(number)[0].file in files:
                active[match[2]] = kept.span_at(number, match.start(2) + 1)
        elif match:
            active.pop(match[2], None)
    for name, span in active.items():
        raise _reserved(span, f"the macro '{name}'")


def _check_replaced(pre: Preprocessed, macros: set[str]) -> None:
    """Raise InputError where the user's text, which knows nothing of the header, has a name that is a macro there."""
    if not macros:
        return
    for match in re.finditer(rf'"(?:\\.|[^"\\\n])*"|\b({"|".join(sorted(macros))})\b', pre.text):
        if match[1]:
            line = pre.line_at(match.start())
            column = match.start() - pre.line_starts[line - 1] + 1
            raise _reserved(pre.span_at(line, column), f"'{match[1]}'")


def _suspects(names: GeneratedNames) -> list[str]:
    """The names that both the user's program and the header have."""
    found = sorted(name for name in names.taken if name.startswith(_PREFIXES))
    return [name for name in found if name in _names()] if found else []


@cache
def _names() -> frozenset[str]:
    return identifiers("\n".join(_headers().values()))


@cache
def _macros() -> frozenset[str]:
    found = re.findall(r"^#define (\w+)", "\n".join(_headers().values()), re.MULTILINE)
    return frozenset(found)


@cache
def _headers() -> dict[str, str]:
    """The texts of all headers that host files include, by their names."""
    text = (include_dir() / _HEADER).read_text()
    inner = re.findall(r'^#include "(\w+\.h)"', text, re.MULTILINE)
    others = (*inner, INTEROP_HEADER, INITIAL_DEVICE_HEADER)
    return {_HEADER: text} | {name: (include_dir() / name).read_text() for name in others}


@cache
def _declared() -> frozenset[str]:
    """The functions that the header declares under their own names, and does not define."""
    found = (match for text in _headers().values() for match in _DECLARED.finditer(text))
    return frozenset(match[1] for match in found if "__asm__" not in match[0])


def _is_ours(file: str) -> bool:
    return file.rpartition("/")[2] in _headers()


def _refuse(unit: ParsedUnit, node: c_ast.Node | None, name: str) -> None:
    """Raise InputError for a declaration in the user's own text."""
    coord = getattr(node, "coord", None)
    if coord is not None and not _is_ours(unit.pre.origin_of(coord.line)[0].file):
        raise _reserved(unit.span_of(node), f"'{name}'")


def _reserved(span: SourceSpan, what: str) -> InputError:
    return error_at(span, f"{what} has a name that generated code uses for something else ({_HEADER})")

"""The names that a unit's kernels, variables and tables have in the image and in the offload table, and those that the
user cannot have."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from pycparser import c_ast

from ...base.diagnostics import InputError, SourceSpan, error_at, source_lines
from ...base.digests import digest_of
from ...base.names import GeneratedNames, identifiers
from ...base.paths import INITIAL_DEVICE_HEADER, INTEROP_HEADER, include_dir
from ...base.patterns import regex
from ...base.records import dataclass
from ...plan.unit import DeclareTargetVariable
from ..sema import Sema, Symbol
from ..sema.ctype import Record
from ..sema.type_questions import is_sizeless
from ..source.preprocess import Preprocessed
from ..source.user_names import user_names
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .closure import DeviceClosure, is_constant
from .device_names import ascii_name, global_name
from .found import FoundConstruct, UnitConstructs


@dataclass(frozen=True)
class UnitNames:
    """The names of a unit.

    ``hash`` is part of the names of kernels, and ``unit`` names the unit. Both depend only on the unit's name, its
    defines and the text of its regions, so neither a comment nor the build path changes the name of a kernel.
    """

    hash: str
    unit: str
    variables: tuple[DeclareTargetVariable, ...]
    generated: GeneratedNames
    hosts: frozenset[Symbol]

    @property
    def functions_table(self) -> str:
        """The array of the host addresses of indirect functions."""
        return f"__rex_functions_{self.hash}"

    @property
    def links(self) -> dict[Symbol, str]:
        """The variables to which mappings give the device pointers, with the names of these."""
        found = {v.symbol: v.device_name for v in self.variables if v.link and isinstance(v.symbol, Symbol)}
        return {symbol: name for symbol, name in found.items() if symbol not in self.hosts}

    @property
    def stored(self) -> dict[Symbol, str]:
        """The variables that the device always finds, in storage there or, of shared memory, the host's."""
        found = {v.symbol: v.device_name for v in self.variables if isinstance(v.symbol, Symbol)}
        links = self.links
        return {symbol: name for symbol, name in found.items() if symbol not in links}


def name_unit(
    unit: ParsedUnit, source_name: str, defines: Sequence[str], found: UnitConstructs, closure: DeviceClosure
) -> UnitNames:
    """The unit's names.

    ``defines`` are the -D and -U flags, which may be all that differs when a file is compiled twice.
    """
    digest = _digest(unit, source_name, defines, found.regions)
    variables = tuple(_device_variables(closure, digest[:8]))
    generated = GeneratedNames(user_names(unit.pre, defines))
    return UnitNames(digest[:8], digest[:16], variables, generated, frozenset(closure.declared.hosts))


def _digest(unit: ParsedUnit, source_name: str, defines: Sequence[str], regions: Sequence[FoundConstruct]) -> str:
    text = unit.pre.text
    parts = [source_name, *defines]
    for region in regions:
        end = text.find("\n", region.construct.start)
        parts += [region.function.decl.name, text[region.construct.start : end]]
    return digest_of(parts)


def _device_variables(closure: DeviceClosure, name_hash: str) -> list[DeclareTargetVariable]:
    """The variables that live on the device: because they are declared so, or because a function uses them there.

    A file-scope variable that a device function uses is declared target implicitly (OpenMP 5.2, section 7.8). Constants
    need no storage shared with the host, as the device code has its own copy. With ``device_type(host)`` there is no
    device version, and target regions map the variable like any other.
    """
    declared = closure.declared.named
    symbols = {s: declared[s][1] for s in closure.declared.on_device if s.is_object}
    symbols.update(dict.fromkeys(closure.declared.hosts, "link"))
    symbols.update({s: "to" for s in closure.code.globals if s not in symbols and not is_constant(s)})
    found = []
    earlier: list[Symbol] = []
    for s, how in symbols.items():
        own = s.is_static or (how == "link" and s not in closure.shared)
        name = f"{ascii_name(s.name)}__{name_hash}" if own else global_name(s.name)
        if how == "link":
            entry = own or s.definition is not None
            found.append(DeclareTargetVariable(s, f"{name}_decl_tgt_ref_ptr", entry, link=True))
        elif not s.is_global:
            same = sum(other.name == s.name and not other.is_global for other in earlier)
            name = ascii_name(f"{s.name}__{s.function}_{same}_{name_hash}")
            place = None if is_sizeless(s.type) else declared[s][0].start
            function = closure.calls.sema.file_symbol(s.function or "")
            static = function.name if function is not None and function.is_static else ""
            found.append(DeclareTargetVariable(s, name, place is not None, place=place, static_function=static))
        else:  # an entry of size 0 would mean a kernel
            found.append(DeclareTargetVariable(s, name, s.definition is not None and not is_sizeless(s.type)))
        earlier.append(s)
    return found


_HEADER = "rex_kmp.h"
_PREFIXES = ("rex_", "REX_", "__tgt_")
_DECLARED = regex(r"^(?:extern )?(?:void|int)\b[^;{]*?(\w+)\([^;{]*\)[^;{]*;", re.MULTILINE)


def check_declarations(unit: ParsedUnit, sema: Sema, names: GeneratedNames, constructs: Sequence[OmpConstruct]) -> None:
    """Raise InputError if a declaration of the user's has a name that means something else in generated text.

    Generated variables give way to the user's names. The functions, types and macros of ``rex_kmp.h`` cannot, because
    their names are the same in every unit. But a program may declare a function that the header only declares.
    """
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

"""The names that a unit's kernels, variables and tables have in the image and in the offload table."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.digests import digest_of
from ...base.names import GeneratedNames
from ...base.records import dataclass
from ...plan.unit import DeclareTargetVariable
from ..sema import Symbol
from ..sema.type_questions import is_sizeless
from ..source.user_names import user_names
from ..syntax.nodes import ParsedUnit
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

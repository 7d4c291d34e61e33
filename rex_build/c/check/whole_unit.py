"""Questions about a unit that do not change while it is followed. Each answer is found once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cached_property

from pycparser import c_ast

from ...base.records import dataclass
from ...base.spans import SourceSpan
from ...directives.model import ExprClause, Locator
from ...tree.calls import UnknownError
from ...tree.symbols import Function
from ..analysis.optimise.accesses import calls_of
from ..analysis.unit import PlannedUnit
from ..reading.statements import reader_of
from ..sema import Symbol, walk
from ..sema.traversal import Parts
from ..syntax.nodes import OmpConstruct, ParsedUnit
from ..syntax.parser import StmtExpr
from .extents import AllExtents
from .kernels import Kernel, Mapped, last_name, mapped_by
from .mapped_types import MappedTypes
from .memory import Place
from .places import item_root
from .plain_functions import PlainFunctions
from .uses import Lent, Reader

_OF_DEVICES = ("omp_target_", "omp_get_mapped_ptr")  # so begin the names of functions for memory of devices
DATA_DIRECTIVES = ("target data", "target enter data", "target exit data", "target update")


@dataclass(frozen=False)
class Survey:
    """What a function's body has: the ``names`` in it, those of functions that are ``called``, and at the places
    ``acting`` of its ``parts`` directives for devices and calls of functions of the unit that have some. It ``jumps``
    with a ``goto`` that is not followed."""

    parts: Parts
    names: set[str]
    called: set[str]
    acting: list[int]
    has_constructs: bool
    jumps: bool

    def acts_in(self, node: c_ast.Node) -> bool:
        """Whether a part of the body, or something in it, acts."""
        if not self.acting:
            return False
        inside = self.parts.inside(node)
        at = bisect_left(self.acting, inside.start - 1)
        return at < len(self.acting) and self.acting[at] < inside.stop


class WholeUnit:
    """A unit with what its regions do, and its functions."""

    def __init__(
        self,
        unit: ParsedUnit,
        planned: PlannedUnit,
        reader: Reader,
        extents: AllExtents,
        kernels: Mapping[OmpConstruct, Kernel],
    ) -> None:
        self.extents = extents
        self.parsed, self.planned, self.sema, self.reader, self.kernels = unit, planned, planned.sema, reader, kernels
        self.plain = PlainFunctions(unit, planned.sema)
        self.by_mappers = MappedTypes(planned.mappers)
        self._names = self._names_of_regions()
        self._entered: dict[c_ast.FuncDef, dict[SourceSpan, Mapped]] | None = None
        self._uses_device_memory = any(name in unit.pre.text for name in _OF_DEVICES)
        self._of_system: dict[c_ast.Node, bool] = {}
        self._places: dict[c_ast.Node, Place] = {}
        self._surveys: dict[c_ast.FuncDef, Survey] = {}
        self._reaching: dict[str, bool] = {}

    def can_be_followed(self) -> bool:
        return bool(self._names) and not self._uses_one_memory() and not self._uses_several_devices()

    def is_of_regions(self, name: str) -> bool:
        """Whether regions or data directives use a variable of this name."""
        return name in self._names

    def own_functions(self) -> list[c_ast.FuncDef]:
        """The functions that the user has written, without those of the system's headers."""
        return self._own

    @cached_property
    def _own(self) -> list[c_ast.FuncDef]:
        return [i for i in self.parsed.ast.ext if isinstance(i, c_ast.FuncDef) and not self.is_of_system(i)]

    def acting_functions(self) -> list[c_ast.FuncDef]:
        """Those of them that are not plain: they may have directives for devices, or call functions that have some."""
        return [function for function in self._own if self.plain.names_in(function.decl.name) is None]

    def is_of_system(self, node: c_ast.Node) -> bool:
        if node not in self._of_system:
            self._of_system[node] = self._find_of_system(node)
        return self._of_system[node]

    def _find_of_system(self, node: c_ast.Node) -> bool:
        coord = getattr(node, "coord", None) or getattr(getattr(node, "decl", None), "coord", None)
        return coord is not None and self.parsed.pre.origin_of(coord.line)[0].system

    def survey(self, function: c_ast.FuncDef) -> Survey:
        """What a function's body has."""
        if function not in self._surveys:
            sema = self.sema
            parts = sema.parts(function.body)
            constructs = parts.of(OmpConstruct)
            names = parts.of(c_ast.ID)
            calls = [n for n in names if n.name in sema.functions and not _is_variable(sema.symbol(n))]
            jumps = bool(parts.of(c_ast.Goto)) and _jumps_freely(function.body)
            found = Survey(parts, {n.name for n in names}, {n.name for n in calls}, [], bool(constructs), jumps)
            self._surveys[function] = found
            found.acting = sorted(parts.place(node) for node in (*constructs, *calls) if self._is_acting(node))
        return self._surveys[function]

    def launching(self) -> Iterator[tuple[c_ast.FuncDef, OmpConstruct]]:
        """The constructs by which threads of the host launch regions, with their functions."""
        for function in self.acting_functions() if "parallel" in self.parsed.pre.text else ():
            survey = self.survey(function)
            for node in survey.parts.of(OmpConstruct) if survey.acting else ():
                own = node.directive
                if "parallel" in own.constructs and not own.is_target and survey.acts_in(node):
                    self.sema.analyse(function, on_host=True)
                    yield function, node

    def entered_by(self, function: c_ast.FuncDef) -> Mapping[SourceSpan, Mapped]:
        """The items of ``enter data`` in a function, if this and no other function has ``exit data`` with them. What
        another function has entered itself, by a variable of its own, it removes by that name."""
        if self._entered is None:
            self._entered = {}
            entered: list[tuple[c_ast.FuncDef, Mapped]] = []
            removing: list[tuple[c_ast.FuncDef, Mapped]] = []
            for found in self.planned.found.data:
                for mapped in mapped_by(self.sema, found.construct):
                    if found.construct.directive.name == "target exit data":
                        removing.append((found.function, mapped))
                    elif found.construct.directive.name == "target enter data":
                        entered.append((found.function, mapped))
            own = {mapped.root.symbol for _, mapped in entered if not mapped.root.symbol.is_global}
            for where, mapped in entered:
                name = last_name(mapped.root)
                others = (f for f, m in removing if last_name(m.root) == name and m.root.symbol not in own)
                if any(f is where and last_name(m.root) == name for f, m in removing) and set(others) <= {where}:
                    self._entered.setdefault(where, {})[mapped.span] = mapped
        return self._entered.get(function, {})

    @cached_property
    def items(self) -> Mapping[SourceSpan, tuple[Locator, OmpConstruct]]:
        """The list items of map clauses by their places, with their constructs."""
        constructs = [f.construct for f in self.planned.found.lowered]
        mapped = ((m, construct) for construct in constructs for m in mapped_by(self.sema, construct))
        return {m.span: (m.item, construct) for m, construct in mapped if m.item is not None}

    def place_of(self, node: c_ast.Node) -> Place:
        """Where a node is: the same value each time."""
        if node not in self._places:
            self._places[node] = Place(self.parsed.span_of, node)
        return self._places[node]

    @cached_property
    def may_map_rows(self) -> bool:
        """Whether the unit may store addresses of the device in arrays: a list item leads through an element, or there
        are mappers or functions for addresses of devices."""
        if self._uses_device_memory or self.planned.mappers:
            return True
        constructs = [found.construct for found in self.planned.found.lowered]
        if any(construct.directive.has("use_device_ptr", "use_device_addr") for construct in constructs):
            return True
        for construct in constructs:
            for clause in construct.directive.clauses:
                roots = (item_root(self.sema, construct, item) for item in getattr(clause, "items", ()))
                if any(root is not None and root.one_of for root in roots):
                    return True
        return False

    def reaches(self, name: str) -> bool:
        """Whether a function, or one that it calls, concerns what is followed."""
        if name not in self._reaching:
            self._reaching[name] = False
            function = self.sema.functions[name]
            survey = self.survey(function)
            # A parameter may be a pointer to what is followed, whatever its name is.
            # The result may be new memory.
            pointers = any(isinstance(n, c_ast.PtrDecl | c_ast.ArrayDecl) for n in walk(function.decl))
            concerned = survey.has_constructs or pointers or not self._names.isdisjoint(survey.names)
            self._reaching[name] = concerned or any(self.reaches(other) for other in survey.called)
        return self._reaching[name]

    def reaches_device(self, name: str) -> bool:
        """Whether a function may concern devices without its callers: by directives, or by functions for them."""
        acts = self._uses_device_memory or bool(self.survey(self.sema.functions[name]).acting)
        return acts and self.reaches(name)

    def writes_argument(self, call: Lent, number: int) -> bool:
        """Whether a function that a region calls may write to what an argument leads to."""
        if call.name not in self.sema.functions:
            return True
        try:
            symbol = self.sema.decl_symbol(self.sema.functions[str(call.name)])
            function = reader_of(self.sema).types.symbol(symbol)
            assert isinstance(function, Function)
            return not {number, None}.isdisjoint(calls_of(self.sema).of_function(function).writes)
        except UnknownError:
            return True

    # -- what is found once, at the beginning -------------------------------------------------------------------------

    def _names_of_regions(self) -> frozenset[str]:
        """The names of variables that regions or data directives use, or that the device always has."""
        names = {c.symbol.name for r in self.planned.plan.regions for c in r.captures}
        names.update(variable.symbol.name for variable in self.planned.plan.variables)
        for found in self.planned.found.lowered:
            for clause in found.construct.directive.clauses:
                names.update(item.name for item in getattr(clause, "items", ()))
        return frozenset(names)

    def _uses_one_memory(self) -> bool:
        """Whether host and devices share memory."""
        return bool({"unified_shared_memory", "self_maps"}.intersection(self.parsed.requirements))

    def _uses_several_devices(self) -> bool:
        setter = "omp_set_default_device"
        if setter in self.parsed.pre.text and any(
            isinstance(n, c_ast.ID) and n.name == setter for f in self.own_functions() for n in walk(f)
        ):
            return True
        devices: set[int | None] = set()
        for found in self.planned.found.lowered:
            clause = found.construct.directive.clause("device")
            if not isinstance(clause, ExprClause) or clause.expr is None:
                devices.add(None)
                continue
            number = self.sema.value(clause.expr.node)
            if number is None:
                return True
            devices.add(number)
        return len(devices) > 1 or bool(self.planned.found.on_host)

    def _is_acting(self, node: c_ast.Node) -> bool:
        if isinstance(node, OmpConstruct):
            return node.directive.is_target or node.directive.name in DATA_DIRECTIVES
        assert isinstance(node, c_ast.ID)
        function = self.sema.functions[node.name]
        if self.is_of_system(function) or self.plain.names_in(node.name) is not None:
            return False
        return bool(self.survey(function).acting)


def _is_variable(symbol: Symbol | None) -> bool:
    return symbol is not None and symbol.is_variable


def _jumps_freely(body: c_ast.Node) -> bool:
    """Whether a ``goto`` leads backward or into a block."""
    ahead: set[object] = set()  # the labels to which a jump from here leads forward and out of blocks
    stack: list[c_ast.Node | list[object] | set[object]] = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, list):  # labels that are reached now
            ahead.difference_update(node)
        elif isinstance(node, set):  # what was ahead before a statement expression
            ahead = node
        elif isinstance(node, c_ast.Goto) and node.name not in ahead:
            return True
        elif isinstance(node, StmtExpr):
            stack += [ahead, node.body]
            ahead = set()
        elif isinstance(node, c_ast.Compound):
            for item in reversed(node.block_items or ()):
                labels = _labels_of(item)
                stack += [item, labels] if labels else [item]
                ahead.update(labels)
        else:
            stack.extend(node)
    return False


def _labels_of(item: c_ast.Node) -> list[object]:
    labels: list[object] = []
    while isinstance(item, c_ast.Label):
        labels.append(item.name)
        item = item.stmt
    return labels

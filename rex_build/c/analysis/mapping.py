"""Maps data: makes rows of the offload arrays from list items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.names import GeneratedNames
from ...base.records import dataclass, field, replace
from ...directives import model
from ...directives.model import Expr, Locator
from ...openmp.kernel_rows import KernelRows
from ...openmp.mapped_objects import MappedObject, Place, pointer_to
from ...plan.captures import Temporary
from ...plan.host_expression import (
    ONE,
    ZERO,
    Binary,
    Cast,
    HostExpression,
    SizeOf,
    Variable,
    element_count,
)
from ...plan.rows import (
    MAP_FROM,
    MAP_TARGET_PARAM,
    MAP_TO,
    RowLoop,
    RowNote,
)
from ..sema import Sema, Symbol, walk
from ..sema.ctype import Array, CType, RecordInfo
from ..sema.type_questions import is_array, is_pointer
from ..syntax.nodes import OmpConstruct
from .host_expressions import host_expression, replaced_names
from .places import (
    SECTIONS,
    HostIndex,
    HostSection,
    HostStep,
    MapItem,
    add_places,
    is_whole,
    reached,
    stepped_types,
)
from .purity import called_name, is_pure

_TRANSFERS = MAP_TO | MAP_FROM
_Renamed = Mapping[str, HostExpression]


def pure(node: c_ast.Node, sema: Sema | None = None) -> bool:
    """Whether evaluating an expression twice is the same as evaluating it once. With ``sema``, the expression may call
    functions of the unit whose results depend on nothing but their arguments."""
    for part in walk(node):
        if isinstance(part, c_ast.FuncCall):
            name = called_name(sema, part) if sema is not None else None
            if sema is None or name is None or not is_pure(sema, name):
                return False
        if isinstance(part, c_ast.Assignment) or type(part).__name__ == "StmtExpr":
            return False
        if isinstance(part, c_ast.UnaryOp) and part.op in ("++", "--", "p++", "p--"):
            return False
    return True


@dataclass(frozen=True)
class HostNames:
    """How the host reaches variables that are not simply passed to the kernel.

    - ``generated`` gives names to what the host block declares.
    - ``links`` are ``declare target link`` variables, each with the pointer through which device code reaches it.
    - ``renamed`` are variables that an enclosing ``use_device_addr`` replaces, each with the expression for it.
    - ``declared`` are the other declare target variables.
    - ``stored`` are pointers that data constructs may map themselves.
    - ``members`` are pointers in structures by value, each with the expression for it.
    - ``carrying`` are objects and types in which data constructs map pointers for the sections behind them.
    """

    generated: GeneratedNames = GeneratedNames()
    links: Mapping[Symbol, str] = field(default_factory=dict)
    renamed: Mapping[Symbol, HostExpression] = field(default_factory=dict)
    declared: frozenset[Symbol] = frozenset()
    threadprivate: frozenset[Symbol] = frozenset()
    stored: frozenset[Symbol] = frozenset()
    carrying: frozenset[Symbol | RecordInfo] = frozenset()
    members: Mapping[Symbol, HostExpression] = field(default_factory=dict)

    def variable(self, symbol: Symbol) -> HostExpression:
        return self.renamed.get(symbol) or self.members.get(symbol) or Variable(symbol.name)


class Mapper(KernelRows):
    """Builds the rows of one construct. ``parameters`` are the symbols that are kernel parameters."""

    def __init__(
        self, sema: Sema, construct: OmpConstruct, parameters: Iterable[Symbol] = (), names: HostNames | None = None
    ) -> None:
        names = names or HostNames()
        super().__init__(names.generated.fresh, may_carry=bool(names.carrying))
        self.sema = sema
        self.construct = construct
        self.parameters = frozenset(parameters)
        self.names = names
        self._hoisted: dict[HostExpression, Variable] = {}

    # -- the user's expressions ---------------------------------------------------------------------------------

    def item(
        self, locator: Locator, symbol: Symbol, flags: int, note: RowNote, loops: tuple[RowLoop, ...] = ()
    ) -> MapItem:
        """The item that a clause's list item means."""
        shape = tuple(self.expression(length, loops) for length in locator.shape)
        return MapItem(locator, symbol, flags, note, loops, self.steps(locator, loops), shape)

    def steps(
        self, locator: Locator, loops: tuple[RowLoop, ...], renamed: _Renamed | None = None
    ) -> tuple[HostStep, ...]:
        """The steps of a list item; for ``loops`` and ``renamed`` see :meth:`expression`."""

        def expression(expr: Expr | None) -> HostExpression | None:
            return None if expr is None else self.expression(expr, loops, renamed)

        found: list[HostStep] = []
        for step in locator.steps:
            if isinstance(step, model.Index):
                found.append(HostIndex(self.expression(step.expr, loops, renamed)))
            elif isinstance(step, model.Section):
                lower, length, stride = map(expression, (step.lower, step.length, step.stride))
                found.append(HostSection(lower, length, stride, step.length.node if step.length is not None else None))
            else:
                found.append(step)
        return tuple(found)

    def expression(
        self, expr: Expr, loops: tuple[RowLoop, ...] = (), renamed: _Renamed | None = None
    ) -> HostExpression:
        """A clause's expression for use in the arrays. One with side effects is evaluated once, before the arrays.

        ``loops`` are the loops around the rows. For the clauses of mappers, ``renamed`` says what some names mean.
        """
        found = host_expression(self.sema, expr) if renamed is None else replaced_names(expr, renamed)
        if pure(expr.node, self.sema if loops else None):
            return found
        if loops:
            raise error_at(expr.span, f"'{expr.text}' has side effects, and is evaluated once per iteration", SECTIONS)
        if found not in self._hoisted:
            name = self.names.generated.fresh(f"__rex_section_{len(self._hoisted)}")
            self._hoisted[found] = Variable(name)
            self.temporaries.append(Temporary("long long", name, found))
        return self._hoisted[found]

    # -- whole constructs ---------------------------------------------------------------------------------------

    def map_symbol(self, symbol: Symbol, items: Iterable[MapItem]) -> None:
        """Add the rows for everything that is mapped of one variable."""
        root, itself = MappedObject(), MappedObject()
        for item in items:
            self._add_places(item, root, itself)
        variable = self.names.variable(symbol)
        value, address, size = Cast("void *", variable), pointer_to(variable), SizeOf(variable)
        if symbol in self.names.links:
            # Device code reaches the variable through a pointer of ours, so its row always has this pointer as parent.
            pointer = pointer_to(Variable(self.names.links[symbol]))
            cell = Place(pointer, SizeOf("void *"), True, None, None, 0, RowNote("link", symbol.name))
            root.places[:0] = itself.places
            self.add_target(cell, root, 0)
        elif symbol in self.names.declared and is_pointer(symbol.type) and (root.places or root.cells):
            if itself.places:
                self._emit_root(symbol, address, itself)
            cell = Place(address, size, True, 0, 8, 0, RowNote("declare target", symbol.name))
            self.add_target(cell, root, 0)
        elif itself.places and (root.places or root.cells):
            cell = Place(address, size, True, 0, 8, 0, RowNote("target of the pointer", symbol.name))
            self._emit_root(symbol, address, MappedObject(itself.places, {(variable, ()): (cell, root)}))
        elif root.places or root.cells:
            through = is_pointer(symbol.type) or is_array(symbol.type)
            self._emit_root(symbol, value if through else address, root)
        elif itself.places:
            self._emit_root(symbol, address, itself)

    def _emit_root(self, symbol: Symbol, base: HostExpression, root: MappedObject) -> None:
        parameter = MAP_TARGET_PARAM if symbol in self.parameters else 0
        construct, variable = self.construct.directive.name, self.names.variable(symbol)
        stored = symbol in self.names.stored and base == Cast("void *", variable)
        stored = stored and bool(root.places) and not any(place.loops for place in root.places)
        self.add_object(
            base, root, symbol.name, parameter,
            carries=construct in ("target data", "target enter data", "target exit data"),
            attach=pointer_to(variable) if stored and construct != "target exit data" else None,
        )  # fmt: skip

    def _add_places(self, item: MapItem, root: MappedObject, itself: MappedObject) -> None:
        """Add the storage of an item to what is mapped ``itself`` of a variable, or through it, in ``root``."""
        is_linked = item.symbol in self.names.links
        add_places(self.sema, item, self.names.variable(item.symbol), is_linked, root, itself)

    def update(self, item: MapItem) -> None:
        """Add the rows of one list item of ``target update``. Nothing is mapped, so these rows have no parents.

        Each contiguous run gets a row. libomptarget has rows for storage with gaps, but their meaning differs between
        releases, and all releases move too little.
        """
        item = self._runs(item)
        root, itself = MappedObject(), MappedObject()
        self._add_places(item, root, itself)
        obj = root if root.places or root.cells else itself
        while obj.cells:
            (_, obj), *_ = obj.cells.values()
        direct = all(isinstance(step, (HostIndex, HostSection)) for step in item.steps)
        direct = direct and obj is root and not item.locator.shape
        whole = direct and (is_pointer(item.symbol.type) or is_array(item.symbol.type))
        for place in obj.places:
            base = Cast("void *", self.names.variable(item.symbol)) if whole else place.pointer
            self.rows.append(self.row(base, place, item.flags))

    def _runs(self, item: MapItem) -> MapItem:
        """The item, with a loop for each section that leaves gaps between the rows of the next dimension."""
        locator, steps = item.locator, item.steps
        dimensions = self.dimensions(item)
        sections = [i for i, step in enumerate(steps) if isinstance(step, HostSection)]
        keep = len(steps)  # the sections from here on make one contiguous run
        for i in reversed(sections):
            step = steps[i]
            assert isinstance(step, HostSection)
            after = zip(steps[i + 1 :], dimensions[i + 1 :], strict=True)
            if not step.is_consecutive or not all(is_whole(self.sema, inner, kind, locator) for inner, kind in after):
                break
            keep = i
        variable = self.names.variable(item.symbol)
        single, loops = list(steps), list(item.loops)
        for i in sections:
            if i >= keep:
                break
            step = single[i]
            assert isinstance(step, HostSection)
            prefix = reached(item.root(variable), single[:i], locator)
            single[i], loop = section_loop(self, step, dimensions[i], prefix, len(loops), locator)
            if loop is not None:
                loops.append(loop)
        return replace(item, steps=tuple(single), loops=tuple(loops))

    def element(self, item: MapItem) -> CType:
        """The type of one element of the storage that an item names, or the item's own type if it has no section."""
        return stepped_types(item)[1]

    def dimensions(self, item: MapItem) -> list[CType]:
        """The types that the steps of an item apply to."""
        return stepped_types(item)[0]


def section_loop(
    mapper: Mapper, section: HostSection, dimension: CType, prefix: HostExpression, number: int, locator: Locator
) -> tuple[HostIndex, RowLoop | None]:
    """(one element of a section, the loop over all elements, or None if there is only one)

    The section is taken of ``prefix``, which has the type ``dimension``. ``number`` counts the loops around.
    """
    low, stride = section.first, section.stride or ONE
    if stride.value is not None and stride.value <= 0:
        raise error_at(locator.span, f"the stride of '{locator.text}' is not positive", SECTIONS)
    if section.length is not None:
        count = section.length
        if count.value == 1:
            return HostIndex(low), None
    elif isinstance(dimension, Array):
        count = Cast("long long", element_count(prefix))
        count = count if low.value == 0 else Binary("-", count, low)
        if stride.value != 1:
            count = Binary("/", Binary("-", Binary("+", count, stride), ONE), stride)
    else:
        raise error_at(locator.span, f"the length of '{locator.text}' must be given: its extent is not known", SECTIONS)
    element = Variable(mapper.names.generated.fresh(f"__rex_element_{number}"))
    index = element if stride.value == 1 else Binary("*", element, stride)
    index = index if low.value == 0 else Binary("+", low, index)
    return HostIndex(index), RowLoop("long long", element.name, ZERO, count)


def iterator_loops(rows: Mapper, iterators: Iterable[model.Iterator]) -> tuple[RowLoop, ...]:
    """The loops that an iterator modifier means (OpenMP 5.2, section 3.2.6)."""
    loops: list[RowLoop] = []
    for one in iterators:
        loops.append(iterator_loop(one, one.name, lambda expr: host_expression(rows.sema, expr)))
    return tuple(loops)


def iterator_loop(one: model.Iterator, name: str, expression: Callable[[Expr], HostExpression]) -> RowLoop:
    """The loop of one iterator, whose variable is called ``name``."""
    step = ONE if one.step is None else expression(one.step)
    if step.value == 0 and one.step is not None:
        raise error_at(one.step.span, "the step of an iterator is zero", "OpenMP 5.2, section 3.2.6: iterators")
    return RowLoop(one.type_text, name, expression(one.begin), expression(one.end), step)

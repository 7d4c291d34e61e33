"""Prints the user's C++ in device code: the text stays as it is, and names are bound in front of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeGuard

from ..base.diagnostics import InternalError, Stretches, error_at
from ..base.layers import Layers
from ..base.line_directives import line_marker
from ..base.names import PAD, indent
from ..base.records import replace
from ..c.source.tokens import has_word, outside_literals, statement_end
from ..plan.constructs import CanonicalLoop, Code, Entity, TeamMemory, TypeFacts
from ..plan.printer import Printer, Surroundings, on_heap
from ..plan.unit import TranslationUnitPlan
from ..render import claims
from ..render.lines import Indentation
from . import libclang
from .closures import is_closure_name
from .cuda_names import device_name, names_of_kernels, overloaded_calls
from .declarators import declarators, own_array, parameter_on_heap, with_attributes
from .declarators import on_heap as declared_on_heap
from .functions import Function, Reference, is_of_run, stored_array
from .indirect import called_by_pointer
from .instantiations import narrow_steps
from .library_calls import library_calls
from .loops import step_of, trip_count
from .team_steps import FIRST, WAIT, team_steps
from .text_constructs import (
    Construct,
    CxxType,
    Declaration,
    Head,
    LeftOut,
    Passed,
    Range,
    Spread,
    Text,
    Variable,
    declare,
    identifiers_in,
)
from .unit import Unit
from .user_lines import TextEdit, user_lines


def of_host(unit: Unit, variable: Variable) -> str:
    """What device code says in place of a variable that is the host's own, or an empty text."""
    pointer = unit.on_host.get(variable)
    return f"(*{variable.host.rpartition('::')[0]}::{pointer})" if pointer is not None else ""


def device_edits(unit: Unit, function: Function, start: int, end: int) -> list[TextEdit]:
    """The edits of a stretch of a function that is device code: they find the variables of the host, calls of virtual
    functions name the class, calls of functions that CUDA has, too, name the user's, narrow integers step as C says,
    objects that are arguments of templates are copied to be called, the methods of local classes become device
    functions, exceptions end the kernel, and ``__func__`` is the user's."""
    found = (r for r in function.references(start, end) if r.variable in unit.on_host)
    edits = [TextEdit(r.start, r.end, of_host(unit, r.variable)) for r in found]
    named = function.mentions.named_classes.items()
    edits += [TextEdit(at, at, f"{name}::") for at, name in named if start <= at < end]
    casts = function.mentions.casts.items()
    edits += [TextEdit(at, at + len(name), cast) for at, (name, cast) in casts if start <= at < end]
    edits += [TextEdit(*renamed) for renamed in overloaded_calls(unit, function, start, end)]
    edits += [TextEdit(*renamed) for renamed in library_calls(unit, function, start, end)]
    edits += [TextEdit(*renamed) for renamed in names_of_kernels(unit, start, end)]
    arrays = (c for at, c in function.mentions.declared if start <= at < end and is_of_run(unit, c))
    edits += [TextEdit(*stored) for c in arrays if (stored := stored_array(unit, c)) is not None]
    objects = (o for o in function.mentions.objects if start <= o[0] < end)
    edits += [TextEdit(*one, f"rex_value_of<{unit.text[slice(*one)]}>()") for one in objects]
    thrown = [one for one in function.mentions.thrown if start <= one[0] < end]
    is_throw = unit.text.startswith
    edits += [TextEdit(*one, "REX_THROWN()" if is_throw("throw", one[0]) else "REX_TERMINATED()") for one in thrown]
    edits += [TextEdit(*step) for step in function.mentions.steps if start <= step[0] < end]
    by_pointer = {at for at in function.mentions.by_pointer if unit.indirect and start <= at < end}
    calls = (call for at, call in function.mentions.open_calls if at in by_pointer)
    edits += [TextEdit(*one) for call in calls for one in called_by_pointer(unit, call)]
    open_steps = (e for at, e in function.mentions.open_steps.items() if e and at in narrow_steps(unit, function))
    edits += [TextEdit(*step) for step in chain.from_iterable(open_steps) if start <= step[0] < end]
    for local in (v for at, v in function.mentions.local_types if start <= at < end and v.cursor.kind in unit.classes):
        edits += methods_for_both(unit, local.cursor)
    edits += _names_of_functions(unit, function, start, end)
    return sorted(edits, key=lambda edit: edit.start)


def _names_of_functions(unit: Unit, function: Function, start: int, end: int) -> Iterator[TextEdit]:
    """The edits that write out ``__func__`` and its like, which would be the kernel's name."""
    for match in _FUNCTION_NAME.finditer(unit.text, start, end):
        if match["found"] is not None and (name := _name_of_function(unit, function, match[0], match.start(), start)):
            yield TextEdit(match.start(), match.end(), name)


def _name_of_function(unit: Unit, function: Function, name: str, place: int, start: int) -> str:
    """What ``__func__`` or its like says at a place, or an empty text where it stays: in the lambdas and the local
    classes of device code that begins at ``start``."""
    mentions = function.mentions
    if any(v.start <= place < v.end for _, v in mentions.local_types if v.cursor.kind in unit.classes):
        return ""
    around = [low for low, high in mentions.lambdas if low <= place < high]
    if not around:
        cursor = function.cursor
        return f'"{_pretty_name(unit, cursor) if "PRETTY" in name else cursor.spelling.split("<")[0]}"'
    return "" if max(around) >= start or "PRETTY" in name else '"operator()"'


def _pretty_name(unit: Unit, cursor: Any) -> str:
    """As g++ has it, for example ``int app::Grid::size(int)``, but without the arguments of templates."""
    name, scope = cursor.displayname, cursor.semantic_parent
    while scope is not None and scope.spelling and scope.kind != unit.kinds.TRANSLATION_UNIT:
        name, scope = f"{scope.spelling}::{name}", scope.semantic_parent
    result = "" if cursor.kind in (unit.kinds.CONSTRUCTOR, unit.kinds.DESTRUCTOR) else f"{cursor.result_type.spelling} "
    return f"{result}{name}{' const' if cursor.is_const_method() else ''}"


def methods_for_both(unit: Unit, record: Any) -> list[TextEdit]:
    """The edits that make the methods of a local class, and of those inside of it, device functions."""
    parts = libclang.children(record)
    methods = (m for m in parts if m.kind.name in _METHODS and not m.is_default_method())
    edits = [TextEdit(at := unit.extent(m)[0], at, FOR_BOTH) for m in methods]
    return [*edits, *(e for part in parts if part.kind in unit.classes for e in methods_for_both(unit, part))]


_FUNCTION_NAME = outside_literals(r"\b(__(?:func|FUNCTION|PRETTY_FUNCTION)__)\b")
FOR_BOTH = "__host__ __device__ "
_METHODS = ("CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION")


def _in_order(variables: Collection[Entity]) -> list[Variable]:
    """The variables of a set in the order of their declarations, which does not change from run to run."""
    return sorted((v for v in variables if isinstance(v, Variable)), key=lambda v: (v.start, v.name))


class CxxPrinter(Printer):
    """The C++ front end's :class:`~rex_build.plan.printer.Printer`."""

    def __init__(
        self,
        unit: Unit,
        around: Surroundings,
        names: Layers[Variable, str],
        printed: set[Any],
        constructs: Mapping[Any, Any],
        unrolled: frozenset[Code] = frozenset(),
        tables: frozenset[Entity] = frozenset(),
        escaping: frozenset[Entity] = frozenset(),
    ) -> None:
        self.unit = unit
        self.tables = tables
        self.escaping = escaping
        self.unrolled = unrolled
        self._around = around
        self.names = names
        self._printed = printed
        self.constructs = constructs

    @property
    def around(self) -> Surroundings:
        return self._around

    @property
    def printed(self) -> set[Any]:
        return self._printed

    def with_names(self, more: Mapping[Any, str], **facts: Any) -> CxxPrinter:
        around = replace(self._around, **facts) if facts else self._around
        names = self.names.inside(more)
        heap: dict[Entity, str] = {v: on_heap(v.name) for v in _in_order(around.team_memory.heap)}
        if heap:  # references bear the names of these
            around = replace(around, places={**around.places, **heap})
        if heap or self.escaping:
            names = names.inside({v: device_name(v.name) for v in _in_order({*heap, *self.escaping})})
        return CxxPrinter(
            self.unit, around, names, self._printed, self.constructs, self.unrolled, self.tables, self.escaping
        )

    def at(self, construct: Construct | Range) -> CxxPrinter:
        """The printer of a construct, in which the variables on the heap have their places that are declared in front
        of it."""
        function = self.unit.function_at(construct.start)
        low = function.start if function is not None else construct.start
        seen: dict[Entity, str] = {
            v: on_heap(v.name) for v in _in_order(self.escaping) if low <= v.start < construct.start
        }
        return self.with_names({}, places={**self._around.places, **seen}) if seen else self

    # ---- code ----

    def edits(self, function: Function, start: int, end: int) -> list[TextEdit]:
        """The edits of a stretch of a function that is device code, in order."""
        loops = (loop.start for loop in self.unrolled if isinstance(loop, Range) and start <= loop.start < end)
        found = [TextEdit(at, at, "REX_UNROLL ") for at in loops]
        replaced = ((code, name) for code, name in self._around.replaced.items() if isinstance(code, Range))
        found += (TextEdit(c.start, c.end, name) for c, name in replaced if start <= c.start < c.end <= end)
        for array, (name, behind) in self._around.own_arrays.items():
            there = own_array(self.unit, array) if isinstance(array, Variable) else None
            if there is not None and start <= there[0] < end:
                at, after = there
                found += (TextEdit(at, at + len(array.name), name), TextEdit(after, after, f" {behind};"))
        found += self._on_heap(start, end)
        tables = (array.start for array in self._around.tables | self.tables if isinstance(array, Variable))
        found += (TextEdit(at, at, "static ") for at in tables if start <= at < end)
        return sorted((*found, *device_edits(self.unit, function, start, end)), key=lambda edit: edit.start)

    def _on_heap(self, start: int, end: int) -> Iterator[TextEdit]:
        """The edits of the declarations of variables that other threads may reach."""
        here = [v for v in _in_order(self.escaping) if start <= v.start < end]
        parameters = [v for v in here if v.cursor.kind == self.unit.kinds.PARM_DECL]
        for parameter in parameters:
            yield from (TextEdit(*one) for one in parameter_on_heap(self.unit, parameter))
        for place in dict.fromkeys(v.start for v in here if v not in parameters):
            names = {v.name for v in here if v.start == place}
            if beside := next((v for v in _in_order(self._around.team_memory.shared) if v.start == place), None):
                what = f"'{min(names)}', which other threads may reach by its address, is declared with '{beside.name}'"
                raise error_at(self.unit.span(place), f"{what}, which they share: declare it in a statement of its own")
            yield from (TextEdit(*one) for one in declared_on_heap(self.unit, place, names))

    def _mention(self, variable: Variable) -> None:
        self._printed.add(variable)

    def expression(self, code: Any) -> str:
        if isinstance(code, Range):
            self._references(code)
            function = self.unit.function_at(code.start)
            edits = self.edits(function, code.start, code.end) if function is not None else []
            edits = [*self._wrapping(code.start, code.end, Stretches(())), *edits, *self._unqualified(code)]
            edits = sorted(edits, key=lambda edit: edit.start)
            text, at = "", code.start
            for edit in edits:
                if edit.start >= at:  # not inside of one that was made
                    text, at = f"{text}{self.unit.text[at : edit.start]}{edit.text}", edit.end
            return text + self.unit.text[at : code.end]
        if isinstance(code, Passed):
            text = self.symbol_text(code.variable)
            for at, pointer in code.pointers:
                text = f"rex_with_address({text}, {at}, {self.symbol_text(pointer)})"
            return text
        assert isinstance(code, Text)
        function = self.unit.function_at(code.place)
        text = code.text
        for at, name in reversed(identifiers_in(code.text)):
            variable = self.unit.lookup(function, name, code.place) if function is not None else None
            if function is not None and _FUNCTION_NAME.fullmatch(name) is not None:
                written = _name_of_function(self.unit, function, name, code.place, code.place)
                text = f"{text[:at]}{written or name}{text[at + len(name) :]}"
            else:
                named = device_name(name)
                if variable is not None:
                    self._mention(variable)
                    named = of_host(self.unit, variable) or self.names.get(variable, named)
                text = f"{text[:at]}{named}{text[at + len(name) :]}"
        is_word = text.replace("_", "").replace(".", "").isalnum()
        return text if is_word or (text[0] + text[-1] == "()" and text.count("(") == 1) else f"({text})"

    def _references(self, code: Range) -> list[Reference]:
        function = self.unit.function_at(code.start)
        found = function.references(code.start, code.end) if function is not None else []
        for reference in found:
            self._mention(reference.variable)
        return found

    def statement(self, code: Any, depth: int) -> str:
        if isinstance(code, Construct):
            return self._around.construct(code, self, depth)
        assert isinstance(code, Range)
        return self._lines(code, depth)

    def statements(self, code: Any, depth: int) -> str:
        if isinstance(code, Range) and self.unit.text[code.start] == "{" and self.unit.text[code.end - 1] == "}":
            return self._lines(replace(code, start=code.start + 1, end=code.end - 1), depth)
        return self.statement(code, depth)

    def _lines(self, code: Range, depth: int) -> str:
        unit, start, end = self.unit, code.start, code.end
        heads = code.heads if isinstance(code, Spread) else ()
        left_out = Stretches((head.start, head.end) for head in heads)
        line = unit.text.rfind("\n", 0, start) + 1
        edits: list[TextEdit] = []
        if not unit.text[line:start].strip():  # the first line keeps its indentation, as the others do
            start = line
        else:
            while start < end and unit.text[start] in " \t":
                start += 1
            edits.append(TextEdit(start, start, "    " * depth))
        at, indentation = start, Indentation(unit.pre)
        staged = [loop for loop in self._around.staged if isinstance(loop, Range)]
        apart: list[Construct | Range] = [*unit.constructs, *staged]
        for construct in sorted(apart, key=lambda one: one.start) if staged else apart:
            if construct.start < at or construct.end > end or construct.start >= end or construct.start in left_out:
                continue
            level = max(depth, len(indentation.at(construct.start).expandtabs(4)) // len(PAD))
            mark = line_marker(unit.span(construct.start)) if construct in self._around.staged else ""
            printed = mark + self._around.construct(construct, self.at(construct), level)
            steps = self._around.steps
            if steps is not None and construct in steps.barriers | steps.guarded:
                pad, wait = indent(level), construct in steps.barriers
                if construct in steps.guarded:
                    printed = f"{pad}{{ {f'{WAIT} ' if wait else ''}{FIRST}\n{printed}{pad}}} }}\n"
                else:
                    printed = f"{pad}{{\n{pad}{WAIT}\n{printed}{pad}}}\n"
            edits.append(TextEdit(construct.start, construct.end, printed, True))
            at = construct.end
        plain, blocks = Range(start, end), Stretches((edit.start, edit.end) for edit in edits)
        others = [*self._watched(start, end, blocks, depth), *self._updates(start, end, blocks, depth, indentation)]
        edits += others
        blocks = Stretches((edit.start, edit.end) for edit in edits) if others else blocks
        for reference in self._references(plain):
            variable = reference.variable
            named = self.names.get(variable, device_name(variable.name))
            if reference.start in blocks or variable in unit.on_host:
                continue
            if named != device_name(variable.name) and not named.startswith("::"):
                raise InternalError(f"'{variable.name}' is called {named} in device code")
        edits += (edit for edit in self._unqualified(plain) if edit.start not in blocks)
        function = unit.function_at(start)
        if function is not None:
            edits += (edit for edit in self.edits(function, start, end) if edit.start not in blocks)
        edits += self.shared_declarations(start, end, edits)
        statements, wrapped = self._inserted(start, end, blocks)
        if (steps := self._around.steps) is not None:
            steps = replace(steps, barriers=steps.barriers.difference(self._around.staged))
            found, values = team_steps(unit, steps, start, end, self.expression)
            replaced = Stretches((value.start, value.end) for value in values)
            edits = [edit for edit in edits if edit.start not in replaced]
            statements += (TextEdit(*edit) for edit in found if edit[0] not in blocks)
            blocks = Stretches([*((e.start, e.end) for e in edits if e.block), *((v.start, v.end) for v in values)])
        edits = [*statements, *wrapped._wrapping(start, end, blocks), *edits]
        if heads:
            edits = [edit for edit in edits if edit.start not in left_out]
            edits += (TextEdit(head.start, head.end, self._entry(head)) for head in heads)
        return user_lines(unit, start, end, edits)

    def _entry(self, head: Head | LeftOut) -> str:
        """What stands in place of the head of a loop that the grid runs, or of a statement."""
        if isinstance(head, LeftOut):
            return ";"
        guards = " && ".join(map(self.expression, head.guards))
        does = f"{self.expression(head.does)}, " if head.does is not None else ""
        return f"if ({does}{guards}) " if guards else ""

    def _watched(self, start: int, end: int, without: Stretches, depth: int) -> list[TextEdit]:
        """The statements that are printed with what watches them, loops apart."""
        return [
            TextEdit(code.start, code.end, claims.statement(code, watching, self, depth), True)
            for code, watching in self._around.watched.items()
            if watching.body is None and isinstance(code, Range)
            if start <= code.start < code.end <= end and code.start not in without
        ]

    def _updates(self, start: int, end: int, without: Stretches, depth: int, at: Indentation) -> Iterator[TextEdit]:
        """The statements that update arrays of which the threads of a team share one copy."""
        for code in self._around.updates:
            if isinstance(code, Range) and start <= code.start < code.end <= end and code.start not in without:
                level = max(depth, len(at.at(code.start).expandtabs(4)) // len(PAD))
                mark = line_marker(self.unit.span(code.start))
                yield TextEdit(code.start, code.end, mark + self._around.construct(code, self, level), True)

    def _wrapping(self, start: int, end: int, without: Stretches) -> list[TextEdit]:
        """What stands around expressions: what closes one is in front of what opens the next one."""
        found = [
            (code, around)
            for code, around in self._around.wrapped.items()
            if isinstance(code, Range) and start <= code.start < code.end <= end and code.start not in without
        ]
        closing = sorted(found, key=lambda one: (one[0].end, -one[0].start))
        opening = sorted(found, key=lambda one: (one[0].start, -one[0].end))
        edits = [TextEdit(code.end, code.end, after) for code, (_, after) in closing]
        return [*edits, *(TextEdit(code.start, code.start, before) for code, (before, _) in opening)]

    def _inserted(self, start: int, end: int, without: Stretches) -> tuple[list[TextEdit], CxxPrinter]:
        """(what stands in front of statements, such as of each iteration of a loop; the printer of what is in them)"""

        def is_here(code: Code) -> TypeGuard[Range]:
            return isinstance(code, Range) and start <= code.start < code.end <= end and code.start not in without

        inside, found, inner = dict(self._around.before), [], self
        for loop, watching in self._around.watched.items():
            if watching.body is not None and is_here(loop):
                first, inside[watching.body], wrapped = claims.around_loop(loop, watching, inner)
                inner = inner.with_names({}, wrapped=wrapped)
                behind_pragma = self.unit.text[loop.start : loop.end].lstrip().startswith("#")
                place = loop.start - behind_pragma  # the end of the line before
                found.append(TextEdit(place, place, f"{{ {' '.join(first)} "))
                found.append(TextEdit(loop.end, loop.end, " }"))
        for code, lines in inside.items():
            if not is_here(code):
                continue
            text = " ".join(lines)
            if self.unit.text[code.start] == "{":
                found.append(TextEdit(code.start + 1, code.start + 1, f" {text}"))
            else:
                found.append(TextEdit(code.start, code.start, f"{{ {text} "))
                found.append(TextEdit(code.end, code.end, " }"))
        return found, inner

    def _unqualified(self, code: Range) -> Iterator[TextEdit]:
        """Plain names for the variables of which the kernel has its own."""
        for reference in self._references(code):
            if reference.qualifier and reference.variable in self.names and reference.variable not in self.unit.on_host:
                self._not_hidden(reference)
                yield TextEdit(reference.start, reference.end, device_name(reference.variable.name))

    def _not_hidden(self, reference: Reference) -> None:
        """Refuse ``::n`` where another variable has the name ``n``, which a kernel gives to its copy of ``::n``."""
        name, place = reference.variable.name, reference.start
        function = self.unit.function_at(place)
        found = self.unit.lookup(function, name, place) if function is not None else None
        if found is not None and found.is_local:
            what = f"another '{name}' hides '{reference.variable.host}' here, which the region uses, too"
            raise error_at(self.unit.span(place), f"{what}: give one of them another name")

    def shared_declarations(self, start: int, end: int, edits: Sequence[TextEdit]) -> list[TextEdit]:
        """The declarations of variables that the threads of a team share, which are not initialised there, and those in
        which threads wait for each other."""
        text, steps = self.unit.text, self._around.steps
        shared = [v for v in _in_order(self._around.team_memory.shared) if v.is_local and start <= v.start < end]
        shared = [v for v in shared if not any(e.start <= v.start < e.end for e in edits if e.block)]
        if (closure := next((v for v in shared if is_closure_name(v.type.text)), None)) is not None:
            what = f"'{closure.name}', a closure with captures that threads of a team share, is not supported"
            raise error_at(self.unit.span(closure.start), what)
        if (array := next((v for v in shared if v.is_variable_length), None)) is not None:
            what = f"'{array.name}', an array of variable length that threads of a team share, is not supported"
            raise error_at(self.unit.span(array.start), what, "declare it in front of the region")
        barriers = [c for c in steps.barriers if isinstance(c, Declaration) and c.later] if steps is not None else []
        places = [v.start for v in shared] + sorted(c.start for c in barriers if start <= c.start < end)
        found = []
        for place in dict.fromkeys(places):
            names = {v.name for v in shared if v.start == place}
            waits = {c.later for c in barriers if c.start == place}
            whole_end = statement_end(text, place)
            heap = {v.name for v in self._around.team_memory.heap if v in shared}
            records = [v for v in shared if v.type.innermost.kind == "record"]
            objects = {v.name: libclang.innermost(v.cursor.type).get_align() for v in records}
            lines = declarators(self.unit, place, names, heap, objects, steps is not None, waits)
            if not lines or any(v.is_reference for v in shared if v.start == place):
                name, why = min(names or waits), "which threads of a team share"
                why = why if names else "in front of which threads of a team wait"
                what = f"'{name}', {why}, must be declared as 'T {name} = value;'"
                raise error_at(self.unit.span(place), what)
            found.append(TextEdit(with_attributes(text, place), whole_end, " ".join(lines)))
        return found

    def assigned(self, target: Any, value: str, source: Any) -> str:
        return f"{self.expression(target)} = {value}"

    def trip_count(self, level: CanonicalLoop) -> str:
        if isinstance(level.bound, Passed):
            return self.expression(level.bound)
        step = step_of(level)
        shown = self.expression(Text(step, level.lower.place)) if level.step is not None else step  # type: ignore[attr-defined]
        return trip_count(level, self.expression(level.lower), self.expression(level.bound), shown)

    def iteration_value(self, level: CanonicalLoop, counter: str) -> str:
        low = self.expression(level.lower)
        step = str(level.step_value) if level.step_value is not None else self.expression(level.step)
        negated = not level.increasing if level.step is None else level.step_negated
        kind = level.type
        assert isinstance(kind, CxxType)
        move = counter if step == "1" else f"{counter} * {step}"
        if kind.kind == "record":
            return f"rex_moved({low}, {f'-({move})' if negated else move})"
        if kind.kind == "pointer":
            return f"{low} {'-' if negated else '+'} {move}"
        if low == "0" and not negated:
            return f"({kind.text})({move})"
        return f"({kind.text})({low} {'-' if negated else '+'} {move})"

    # ---- names ----

    def symbol_text(self, symbol: Any) -> str:
        self._mention(symbol)
        return self.names.get(symbol, device_name(symbol.name))

    def name_of(self, symbol: Any) -> str:
        return self.names.get(symbol, device_name(symbol.name))

    def own_name(self, symbol: Any) -> str:
        name = symbol.name
        assert isinstance(name, str)
        return "rex_this" if name == "this" else device_name(name)

    def member_name(self, name: str) -> str:
        return device_name(name)

    def declared_names(self, code: Any) -> set[str]:
        function = self.unit.function_at(code.start)
        if function is None:
            return set()
        return {cursor.spelling for at, cursor in function.mentions.declared if code.start <= at < code.end}

    def mentions(self, code: Any) -> set[Any]:
        function = self.unit.function_at(code.start)
        if function is None:
            return set()
        found: set[Any] = {r.variable for r in function.references(code.start, code.end)}
        for construct in self.unit.constructs_in(code.start, code.end):
            found.update(self.unit.named_in(function, construct.directive.text, construct.start))
        return found

    # ---- types ----

    def type(self, code: Any) -> CxxType:
        return CxxType("", "other")  # only the C++ compiler knows

    def declaration(self, t: Any, name: str = "") -> str:
        return declare(t, name)

    def variable(self, t: Any, name: str, const: bool = False) -> str:
        if not const:
            return declare(t, name)
        return declare(t, f"const {name}") if t.kind == "pointer" else f"const {declare(t, name)}"

    def copy(self, t: Any, name: str) -> str:
        return declare(t, name)

    def heap_object(self, t: Any, name: str, alignment: int | str | None) -> list[str]:
        kind = f"{name}__rex_type"
        return [
            f"typedef {declare(t, kind)}",
            f"rex_heap_object<{kind}> {name}__rex_storage",
            f"{kind} *const {name}__rex_at = {name}__rex_storage.at",
        ]

    def in_words(self, t: Any, name: str, shared: bool) -> str:
        return f"rex_{'shared_' if shared else ''}words<{declare(t, '')}> {name}"

    def assignable(self, t: Any) -> CxxType:
        assert isinstance(t, CxxType)
        return replace(t, const=False)

    def pointer(self, t: Any, name: str = "") -> str:
        return declare(CxxType(f"{t.text} *", "pointer", 8, False, t), name)

    def pointer_parameter(self, t: Any, name: str, to_const: bool, restrict: bool) -> str:
        """A parameter. It never leads to const where the user's pointer does not, as templates and overloads would
        see that. nvcc finds out itself what is only read through a pointer that overlaps nothing."""
        word = "__restrict__ " if restrict else ""
        if t.element is not None and t.kind == "pointer":
            element = t.element
            if element.kind == "array":
                return declare(element, f"*{word}{name}")
            if "(" not in t.text and element.kind != "function":
                return (
                    f"{declare(element, '')} *{word}{name}"
                    if element.kind != "pointer"
                    else f"{declare(element, '')}*{word}{name}"
                )
        return declare(t, name)

    def element(self, t: Any) -> str:
        text = t.innermost.text
        assert isinstance(text, str)
        return text

    def array(self, t: Any, length: int) -> CxxType:
        return CxxType(f"{t.text}[{length}]", "array", t.size * length, t.const, t, length)

    def facts(self, t: Any) -> TypeFacts:
        special = self.unit.has_volatile if not t.text else has_word(t.text, "volatile")
        is_array, is_pointer, is_class = (t.kind == kind for kind in ("array", "pointer", "record"))
        return TypeFacts(
            is_array=is_array, is_pointer=is_pointer, is_special=special, is_class=is_class, is_deduced=t.text == "auto"
        )


def printer_of(unit: Unit, construct: Callable[..., str], plan: TranslationUnitPlan) -> CxxPrinter:
    around = Surroundings(construct, TeamMemory())
    escaping = plan.escaping.declared
    return CxxPrinter(unit, around, Layers({}), set(), plan.constructs, plan.unrolled, plan.tables, escaping)

"""The functions and variables of the user's that kernels reach."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import Any

from ..base.diagnostics import InputError, error_at
from ..base.patterns import regex
from ..base.records import dataclass, field
from ..c.source.tokens import words_in
from ..directives.contents import device_objects
from ..openmp.launch import LOOP_LEAVES
from . import libclang
from .called import PRIVATE_COPIES, call, copied_by, end_by_delete, end_object, initialisers, of_copies, parts
from .first_values import check_static
from .functions import ITERATING, Function, deleted_by, is_by_pointer, may_be_temporary, note_virtual_call, of_range
from .instantiations import closures_of_constant, instantiations
from .library_calls import needs_host
from .template_members import general_of
from .text_constructs import Variable, identifiers_in, qualified_at
from .unit import Unit, kept

_START = attrgetter("start")
_CALLED = regex(r"\b([A-Za-z_]\w*)\s*(?:<[^;{}()]*>\s*)?\(")
_ARGUMENT = regex(r"(::[A-Za-z_]\w*)\s*[,)]")  # a member that a template may pass by reference
Part = tuple[Function, int, int]  # a stretch of a function


@dataclass(frozen=False)
class Reached:
    """``functions`` are device functions, ``constants`` variables of which device code has a copy, and ``variables``
    others that device functions use.

    ``addressed`` are the places of the constants that device code uses otherwise than by their values. ``words`` are
    the words of templates, some of whose names only their instantiations can resolve. ``unresolved`` are static members
    of class templates, such as ``Limits<T>::most``, that regions name where nothing but the instantiation tells which
    is meant, and their places. ``callees`` are what functions perhaps call, by where these begin: places of calls, or
    -1 where nobody knows, and the functions called. ``combining`` are those that declared reductions perhaps call, and
    ``guessing`` where those begin that perhaps call any of the ``operators``. ``initialisers`` are default ones of
    members.
    """

    functions: list[Function]
    constants: list[Variable]
    variables: list[Variable]
    addressed: frozenset[int] = frozenset()
    words: frozenset[str] = frozenset()
    unresolved: Sequence[tuple[int, Variable]] = ()
    callees: Mapping[int, Sequence[tuple[int, Function]]] = field(default_factory=dict)
    combining: Sequence[Function] = ()
    guessing: frozenset[int] = frozenset()
    operators: Sequence[Function] = ()
    initialisers: Sequence[Function] = ()


def reached_from(
    unit: Unit,
    ranges: Sequence[Part],
    bodies: Iterable[tuple[Function, int, int, bool]],
    arguments: Iterable[str],
    declared: Iterable[tuple[Function | None, Function, bool]],
    copied: Iterable[Any],
) -> Reached:
    """What the code of regions in ``ranges`` and the ``bodies`` of closures reach, functions that are ``arguments`` of
    templates with regions, those that are ``declared`` for the device, with the function of the region that calls them,
    if that is known, and whether that is certain, what copies closures of the ``copied`` classes, and what declared
    reductions call. Raises InputError."""
    search = _Search(unit)
    for function, start, end in ranges:
        search.scan(function, start, end, kernel=True)
    search.at = -1
    for search.caller, function, is_certain in declared:
        (search.add if is_certain else search.guess)(function)
    for name in {qualified_at(part, 0) for text in arguments for part in text.split("&")[1:]}:
        for function in search.by_name.get(name.rpartition("::")[2], ()):
            for search.caller in dict.fromkeys(one for one, _, _ in ranges if one.is_template):
                search.add(function)
    given = {name.removeprefix("::") for text in arguments for _, name in identifiers_in(text)}
    search.caller = None
    for variable in unit.globals if given else ():
        if not variable.constant or variable.host.removeprefix("::") not in given:
            continue
        if variable.type.kind == "array":
            search.use(search.constants, variable)
            search.addressed.add(variable.start)
        search.closures_in(variable)
    for function, start, end, is_generic in bodies:
        search.scan(function, start, end, kernel=False)
        if is_generic:
            search.guess_all(unit.text[start:end])
    for record in copied:
        for part in record.type.get_fields():
            for function, _ in of_copies(unit, part.type):
                search.guess(function)
    search.follow()
    search.guess_more()
    for part in _combining(unit):
        search.combine(part, {one.start: one for one, _, _ in ranges}.values())
    search.follow()
    return search.reached()


class _Search:
    """What is reached so far. The ``caller`` calls what is added at the place ``at``; functions are ``perhaps`` called
    where nobody knows what a call means."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.caller: Function | None = None
        self.at = -1
        self.perhaps: list[Function] = []
        self._guessed: set[Function] = set()
        self.constants: dict[Variable, set[int]] = {}  # and where the functions that use one begin
        self.addressed: set[int] = set()
        self.by_name: dict[str, list[Function]] = {}
        self._found: dict[int, Function] = {}
        self._variables: dict[Variable, set[int]] = {}
        self._of_templates: set[str] = set()
        self._queue: list[tuple[Function, Any]] = []
        self._seen: set[tuple[int, int]] = set()  # the functions, and which instantiations
        self._initialisers: dict[int, Function] = {}  # of members
        self._initialising: set[int] = set()  # where those begin that are looked at
        self._surely: frozenset[int] = frozenset()  # where those begin that are certain
        self._impossible: set[int] = set()  # where those begin that cannot be device code
        self._callers: dict[int, set[int]] = {}  # of what is called, where the callers begin
        self.is_certain = True
        self._callees: dict[int, dict[tuple[int, Function], None]] = {}
        self._guessing: set[int] = set()
        self._combining: list[Function] = []
        self._unresolved: list[tuple[int, Variable]] = []
        self._others = _without_regions(unit)
        self._without_regions = {f.start for f in self._others}
        self._copying = [c for c in unit.constructs if any(cl.name in PRIVATE_COPIES for cl in c.directive.clauses)]
        self._of_device = {name for construct in unit.constructs for name in device_objects(construct.directive)}
        self._makers: dict[str, list[Function]] = {}  # and what ends objects
        self._operators = [f for f in self._others if f.name.startswith("operator")]
        for function in self._others:
            self.by_name.setdefault(function.name, []).append(function)
            if function.cursor.kind in (unit.kinds.CONSTRUCTOR, unit.kinds.DESTRUCTOR):
                self._makers.setdefault(function.name.removeprefix("~").partition("<")[0], []).append(function)

    def use(self, table: dict[Variable, set[int]], variable: Variable) -> None:
        """Note that the caller uses a variable."""
        table.setdefault(variable, set()).add(self.caller.start if self.caller is not None else -1)

    def note(self, function: Function) -> None:
        if self.caller is not None:
            self._callees.setdefault(self.caller.start, {})[self.at, function] = None

    def add(self, function: Function, instance: Any = None) -> None:
        """Note what is called, or, of a template, one instantiation of it if that is known."""
        self.note(function)
        made = instantiations(self.unit).get(function.start, ()) if instance is not None else ()
        instance = next((one for one in made if one.canonical == instance.canonical), None)
        if self.caller is not None:
            self._callers.setdefault(function.start, set()).add(self.caller.start)
        own, every = (function.start, instance.hash if instance is not None else 0), (function.start, 0)
        if not (self.is_certain or self._is_possible(function)):
            self._impossible.add(function.start)
        elif self._seen.isdisjoint((own, every)):
            self._seen.add(own)
            self._found[function.start] = function
            self._queue.append((function, instance))

    def _is_possible(self, function: Function) -> bool:
        """Whether device code can call a function, for all that is known: of loops and clauses in templates that
        nothing seems to instantiate, such as a base's destructor, it is not. Reductions are declared on the host."""
        is_seen = not function.is_template or function.start in instantiations(self.unit)
        inside = [c.directive for c in self.unit.constructs_in(function.body, function.end)]
        plain = is_seen or all(LOOP_LEAVES.isdisjoint(one.constructs) and not one.clauses for one in inside)
        declares = any(one.name == "declare reduction" for one in inside)
        return plain and not (declares or function.mentions.odd) and function.start in self._without_regions

    def guess(self, function: Function) -> None:
        """Note what is perhaps called. If it, or what it calls, cannot be device code, nvcc says who calls it."""
        self.note(function)
        if function not in self._guessed:
            self._guessed.add(function)
            self.perhaps.append(function)

    def guess_all(self, text: str) -> None:
        """Note what some text calls where nothing tells what that is."""
        words = words_in(text)
        of_ranges = ("begin", "end") if "for" in words else ()
        for name in (*_CALLED.findall(text), *of_ranges):
            for other in self.by_name.get(name, ()):
                self.guess(other)
        self._of_templates.update(words, _ARGUMENT.findall(text))
        for other in (maker for word in words for maker in self._makers.get(word, ())):
            self.guess(other)
        if self.caller is not None:
            self._guessing.add(self.caller.start)
        self.perhaps += [one for one in self._operators if one not in self._guessed]
        self._guessed.update(self._operators)

    def closures_in(self, constant: Variable) -> None:
        """Note what the closures in a constant's value use."""
        texts, named = closures_of_constant(self.unit, constant)
        if texts:
            self.guess_all("\n".join(texts))
        self.addressed.update(one.start for one in named)
        for one in named:
            if one.type.kind in ("array", "record"):
                self.use(self.constants, one)

    def scan(self, function: Function, start: int, end: int, *, kernel: bool, instance: Any = None) -> None:
        """Note what a stretch of a function reaches, or of one instantiation. It may be a ``kernel``."""
        self.caller = function
        self._calls_in(function, start, end)
        self.at = -1
        self._made_in(function, start, end)
        self._variables_in(function, start, end, kernel=kernel)
        unit = self.unit
        if function.is_template and (used := used_in_instances(unit, function, instance)) is not None:
            text = unit.text[start:end]
            self._of_templates.update(words_in(text), _ARGUMENT.findall(text))
            thrown = function.mentions.thrown  # which device code does not make
            for self.at, cursor in (one for one in used if start <= one[0] < end):
                if not any(low <= self.at < high for low, high in thrown):
                    self._used(function, cursor, start, end, kernel=kernel)
        elif function.is_template and (not kernel or function.start in instantiations(unit)):
            self.guess_all(unit.text[start:end])  # a region that nothing instantiates needs nothing
        for low, high in function.mentions.generic:
            if start <= low < end:
                self.guess_all(unit.text[low:high])

    def _calls_in(self, function: Function, start: int, end: int) -> None:
        unit, mentions = self.unit, function.mentions
        for self.at, target in mentions.calls:
            if start <= self.at < end and self.at not in unit.unevaluated:
                self._call(target)
        for self.at, (called, pointer) in mentions.by_table.items():
            if start <= self.at < end and pointer in self._of_device:
                for overriding in (f for f in unit.functions if _overrides(unit, f.cursor, called)):
                    self.add(overriding)
        for self.at, target in mentions.overloads:
            other = unit.defined(target) if start <= self.at < end and self.at not in unit.unevaluated else None
            if other is not None and other.start in self._without_regions:
                self.guess(other)
        for self.at, cursor in mentions.declared:
            if start <= self.at < end:
                if not function.is_template:
                    check_static(unit, cursor)
                self._end(cursor, self.add)
        for self.at, cursor in mentions.temporaries:
            if start <= self.at < end:
                self._end(cursor, self.guess)
        for self.at, record, is_certain_class in mentions.deleted:
            if start <= self.at < end:
                end_by_delete(unit, self.at, record, self.add, is_certain=is_certain_class)

    def _made_in(self, function: Function, start: int, end: int) -> None:
        """Note what makes and copies objects in a stretch, where no call is seen."""
        if any(start <= place < end for place, _, _ in function.mentions.bindings):
            for getter in self.by_name.get("get", ()):  # which structured bindings call, as libclang does not say
                self.guess(getter)
        low, high = (bisect_left(self._copying, at, key=_START) for at in (start, end))
        for construct in self._copying[low:high]:
            for copying_function, is_certain in copied_by(self.unit, function, construct):
                (self.add if is_certain else self.guess)(copying_function)
        storing = [*function.mentions.made, *(place for place, _, _ in function.mentions.deleted)]
        if any(start <= place < end for place in storing):
            for other in self._others:  # libclang does not say which operator a 'new' calls
                if other.name.startswith(("operator new", "operator delete")):
                    self.guess(other)

    def _variables_in(self, function: Function, start: int, end: int, *, kernel: bool) -> None:
        for reference in function.mentions.references:
            variable = reference.variable
            if not start <= reference.start < end or variable.is_local:
                continue
            is_copied = variable.constant or (variable.type.const and not kernel)
            if is_copied and not reference.is_read:
                self.addressed.add(variable.start)
            for target in _addressed_by(self.unit, variable) if is_copied else ():
                call(self.unit, self.at, target, self.add)
            if is_copied:
                self.closures_in(variable)
            if is_copied and not variable.constant and self.unit.is_static_member(variable):
                self.use(self._variables, variable)
            elif is_copied:
                if variable.type.kind in ("array", "record") or not variable.constant:
                    self.use(self.constants, variable)
            elif not kernel and variable.start >= 0:
                self.use(self._variables, variable)

    def _used(self, function: Function, cursor: Any, start: int, end: int, *, kernel: bool) -> None:
        """Note what the instantiations of a template use at a place, or declare."""
        unit = self.unit
        if cursor.kind == unit.kinds.VAR_DECL:
            if start <= unit.place(cursor.extent.start) < end:
                check_static(unit, cursor)
                self._end(cursor, self.add)
            member = _member_of_instance(unit, cursor)
            if member is not None and (member.type.const or not kernel):
                self.use(self._variables, member)
            elif member is not None and not _is_named(function, self.at, member):
                self._unresolved.append((self.at, member))
        elif cursor.kind.is_expression():
            self._end(cursor, self.guess)
        elif cursor.kind in unit.classes:
            end_by_delete(unit, self.at, cursor, self.add)
        else:
            self._call(cursor)

    def _call(self, target: Any) -> None:
        """Note what a call means. Raises InputError if it cannot be one of device code, where nothing is certain."""
        if target.kind == self.unit.kinds.CONSTRUCTOR:
            self._initialise(target.semantic_parent)
        if target.spelling == "begin":  # perhaps of a loop over a range, which names no functions
            for other in (one for name in ("end", *ITERATING) for one in self.by_name.get(name, ())):
                if not other.is_member:
                    self.guess(other)
        if not self.is_certain and not libclang.is_users(target) and needs_host(self.unit, target):
            raise error_at(self.unit.span(self.at), f"'{target.spelling}' is a function of the host")
        call(self.unit, self.at, target, self.add)

    def _end(self, cursor: Any, note: Any) -> None:
        """Note what makes and ends an object of a variable's or an expression's class, where no call is seen."""
        self._initialise(self.unit.class_of(cursor.type))
        end_object(self.unit, cursor, note)

    def _initialise(self, record: Any) -> None:
        """Note what default initialisers of members use in a class of which device code makes an object."""
        for one in initialisers(self.unit, record.canonical) if record is not None else ():
            if one.start not in self._initialising:
                self._initialisers[one.start] = one
                self._initialising.add(one.start)
                at = self.at
                self._calls_in(one, one.body, one.end)
                self._variables_in(one, one.body, one.end, kernel=False)
                self.at = at
                self._initialising.discard(one.start)

    def guess_more(self) -> None:
        """From here on, nothing is certain."""
        self.is_certain, self._surely = False, frozenset(self._found)

    def combine(self, part: Part, users: Iterable[Function]) -> None:
        """Note what a declared reduction calls, which functions with regions perhaps use."""
        start = part[0].start
        before, guessed = self._callees.pop(start, {}), start in self._guessing
        self._guessing.discard(start)
        with suppress(InputError):
            self.scan(*part, kernel=False)
        self.at = -1
        called, guesses = self._callees.get(start, {}), start in self._guessing
        self._callees[start] = before | called
        self._guessing.update((start,) * guessed)
        self._combining += [function for _, function in called] + self._operators * guesses
        for self.caller in users:
            for _, function in called:
                self.note(function)
            self._guessing.update((self.caller.start,) * guesses)

    def follow(self) -> None:
        """Note what all functions reach that are noted. Raises InputError for what those may not do that surely are."""
        while self._queue or (self.perhaps and not self.is_certain):
            if not self._queue:
                self.caller = None
                self.add(self.perhaps.pop())
                continue
            function, instance = self._queue.pop()
            try:
                self.scan(function, function.start, function.end, kernel=False, instance=instance)
            except InputError:
                if self.is_certain:
                    raise
                self._impossible.add(function.start)
            for place, what in sorted(function.mentions.odd):  # of what is certain
                raise error_at(self.unit.span(place), f"'{function.name}', which runs on the device, {what}")
            self.at = -1
            if function.cursor.kind == self.unit.kinds.CONSTRUCTOR:
                parts(self.unit, function.cursor.semantic_parent, self.add)
        self._leave_out()

    def _leave_out(self) -> None:
        """Leave out what is only perhaps called, and cannot be device code, or calls what cannot."""
        queue = list(self._impossible)
        while queue:
            start = queue.pop()
            if start not in self._surely:
                self._found.pop(start, None)
                new = self._callers.get(start, set()) - self._impossible
                self._impossible |= new
                queue += new

    def reached(self) -> Reached:
        found, left_out = self._found, self._impossible - self._surely
        constants, variables = (
            [one for one, users in table.items() if not users <= left_out]
            for table in (self.constants, self._variables)
        )
        calls = {start: [one for one in called if one[1].start in found] for start, called in self._callees.items()}
        return Reached(
            sorted(found.values(), key=lambda f: f.start), constants, variables,
            frozenset(self.addressed), frozenset(self._of_templates), self._unresolved, calls, self._combining,
            frozenset(self._guessing), [one for one in self._operators if one.start in found],
            list(self._initialisers.values()),
        )  # fmt: skip


def _combining(unit: Unit) -> Iterator[Part]:
    """The stretches with what ``declare reduction`` does, if the functions around them are instantiated."""
    for construct in unit.constructs:
        if construct.directive.name == "declare reduction":
            around, place = unit.function_at(construct.start), construct.start - 1
            if around is None:
                yield from ((f, place, construct.pragma_end) for f in unit.combining if f and f.start == place)
            elif not around.is_template or around.start in instantiations(unit):
                yield around, place, construct.pragma_end


def _overrides(unit: Unit, method: Any, virtual: Any) -> bool:
    """Whether a method is what a call of a virtual one may run."""
    same = method.kind == unit.kinds.CXX_METHOD and method.displayname == virtual.displayname
    if not same or method.is_const_method() != virtual.is_const_method():
        return False
    classes = unit.with_bases(method.semantic_parent)
    return any(one.canonical == virtual.semantic_parent.canonical for one in classes)


@kept
def _addressed_by(unit: Unit, constant: Variable) -> list[Any]:
    """The functions whose addresses the value of a constant has."""
    k, found, stack = unit.kinds, [], libclang.children(constant.cursor.get_definition() or constant.cursor)[:]
    while stack:
        node = stack.pop()
        target = node.referenced if node.kind == k.DECL_REF_EXPR else None
        if target is not None and target.kind in (k.FUNCTION_DECL, k.CXX_METHOD):
            found.append(target)
        stack += libclang.children(node)[1 if node.kind == k.CALL_EXPR else 0 :]
    return found


@kept
def used_in_instances(unit: Unit, function: Function, instance: Any = None) -> list[tuple[int, Any]] | None:
    """The places and the declarations of what the instantiations of a template, or one, call, and of their variables.

    None if the unit makes none whose body libclang shows.
    """
    k = unit.kinds
    functions = (k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION)
    found: dict[tuple[int, int], tuple[int, Any]] = {}
    bodies = [
        body
        for one in (instantiations(unit).get(function.start, ()) if instance is None else (instance,))
        for body in libclang.children(one)
        if one.kind in functions and body.kind == k.COMPOUND_STMT
    ]
    for cursor in (node for body in bodies for node in libclang.descendants(body)):
        used = []
        if cursor.kind in (k.CALL_EXPR, k.DECL_REF_EXPR, k.MEMBER_REF_EXPR):
            used = [cursor.referenced]
            if cursor.kind == k.CALL_EXPR and is_by_pointer(unit, cursor):
                function.mentions.by_pointer.append(unit.place(cursor.extent.start))
            if cursor.kind != k.MEMBER_REF_EXPR:  # which is a part of the call
                note_virtual_call(unit, function.mentions, cursor, in_instance=True)
        elif cursor.kind == k.VAR_DECL:
            used = [cursor]
        elif cursor.kind == k.CXX_FOR_RANGE_STMT:
            used = list(of_range(unit, cursor))
        elif cursor.kind == k.CXX_DELETE_EXPR:
            used = [record for record, _ in deleted_by(cursor)]
        used = [
            t for t in used if t is not None and t.kind in (*functions, k.FUNCTION_TEMPLATE, *unit.classes, k.VAR_DECL)
        ]
        for target in (*used, *[cursor] * may_be_temporary(unit, cursor)):
            place = unit.place(cursor.extent.start)
            found.setdefault((place, target.canonical.hash), (place, target))
    return sorted(found.values(), key=lambda one: one[0]) if bodies else None


def _is_named(function: Function, place: int, member: Variable) -> bool:
    """Whether the template itself names the member there. The variable in front of a member is at the same place."""
    return any(r.start == place and r.variable.name == member.name for r in function.mentions.references)


def _member_of_instance(unit: Unit, cursor: Any) -> Variable | None:
    """The variable that a declaration in an instantiation declares, if it is a static member and no constant."""
    if cursor.semantic_parent is None or cursor.semantic_parent.kind not in unit.classes:
        return None
    variable = unit.variable(cursor)
    general = general_of(unit, variable) or variable
    return None if general.constant or variable.constant or variable.start < 0 else variable


def _without_regions(unit: Unit) -> list[Function]:
    """The functions without target constructs. What a template or a combiner calls is guessed by names, and no other
    function is meant."""
    places = sorted(c.start for c in unit.constructs if c.directive.name.startswith("target"))
    return [f for f in unit.functions if bisect_left(places, f.body) == bisect_left(places, f.end)]

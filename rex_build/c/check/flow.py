"""Follows the program through its functions and keeps, for every object, what the host's and the device's copy hold.

It begins in ``main`` if the unit has one, and in every function that no other calls. Calls of the unit's functions are
followed. Where ways meet, only what both say is known. Loops run twice: what the second pass finds needs the first.
A program with ``goto``, or with several devices, is not followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pycparser import c_ast

from ...base.findings import Finding, Note
from ...base.spans import SourceSpan
from ...directives.model import ExprClause, ListClause, ReductionClause
from ..analysis.listed import COPYING
from ..analysis.optimise.accesses import Effects, UnprovableError, effects_of
from ..analysis.unit import PlannedUnit
from ..sema import Symbol, walk
from ..sema.ctype import Pointer, Record, strip
from ..sema.type_questions import is_pointer
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .extents import Extent, Extents, allocates
from .kernels import Kernel, Mapped, mapped_by, moved_by
from .memory import Copy, Memory, Touch, text_of
from .places import DEREFERENCE, Path, Root
from .uses import Bound, Escape, Event, Lent, Reader, Use

Key = tuple[object, Path]
_DATA = ("target data", "target enter data", "target exit data", "target update")
_WAITING = frozenset(("taskwait", "barrier", "taskgroup"))
_DEFERRING = frozenset(("task", "taskloop", "sections", "section"))
_MOST_STEPS = 20_000
_MOST_CASES = 12


class State:
    """The objects at one point, and where pointers lead: to an object, perhaps behind its beginning, or unknown."""

    def __init__(self) -> None:
        self.memory: dict[Key, Memory] = {}
        self.leads: dict[Key, tuple[Key, bool] | None] = {}

    def copy(self) -> State:
        made = State()
        made.memory, made.leads = dict(self.memory), dict(self.leads)
        return made


class TooFarError(Exception):
    """The program is too long to be followed to its end."""


class Flow:
    """Follows one unit."""

    def __init__(
        self, unit: ParsedUnit, planned: PlannedUnit, reader: Reader, kernels: Mapping[OmpConstruct, Kernel]
    ) -> None:
        self._kernels = kernels
        self._unit, self._sema, self._planned, self._reader = unit, planned.sema, planned, reader
        self._constructs = planned.constructs
        self._extents: dict[str, Extents] = {}
        self._acting: dict[c_ast.Node, bool] = {}
        self._jumping: dict[c_ast.FuncDef, bool] = {}
        self._effects: dict[str, Effects | UnprovableError] = {}
        self._declared = {v.symbol for v in planned.plan.variables}
        self._found: dict[tuple[str, object, str], Finding] = {}
        self._steps = 0
        self._calls: list[str] = []
        self._breaks: list[list[State]] = []
        self._continues: list[list[State]] = []
        self._returns: list[list[State]] = []
        self._loops: list[tuple[c_ast.Node, ...]] = []  # in each function, those around that only the host concerns
        self._doubt = 0  # above 0, what is found may depend on a loop that runs twice
        self._from_main = False
        self._call_number, self._next_call = 0, 1
        self._names = self._interesting()
        self._reaching: dict[str, bool] = {}

    def findings(self) -> list[Finding]:
        """What is found on all ways through the unit."""
        if not self._names or self._several_devices():
            return []
        own = self._own_functions()
        called = {node.name for function in own for node in walk(function.body) if isinstance(node, c_ast.ID)}
        roots = [f for f in own if f.decl.name == "main"]
        roots += [f for f in own if f.decl.name not in called and f.decl.name != "main"]
        for root in roots:
            if not self._reaches(root.decl.name) or self._sema.functions[root.decl.name] is not root:
                continue
            self._from_main = root.decl.name == "main"
            try:
                self._function(root, State())
            except TooFarError:
                break
        return list(self._found.values())

    # -- the unit -----------------------------------------------------------------------------------------------------

    def _own_functions(self) -> list[c_ast.FuncDef]:
        """The functions that the user has written, without those of the system's headers."""
        return [i for i in self._unit.ast.ext if isinstance(i, c_ast.FuncDef) and not self._is_of_system(i)]

    def _is_of_system(self, node: c_ast.Node) -> bool:
        coord = getattr(node, "coord", None) or getattr(getattr(node, "decl", None), "coord", None)
        if coord is None:
            return False
        return self._unit.pre.origin_of(coord.line)[0].system

    def _interesting(self) -> frozenset[str]:
        """The names of file-scope variables that regions or data directives use."""
        names = {c.symbol.name for r in self._planned.plan.regions for c in r.captures}
        for found in self._planned.found.lowered:
            for clause in found.construct.directive.clauses:
                names.update(item.name for item in getattr(clause, "items", ()))
        return frozenset(names)

    def _several_devices(self) -> bool:
        """Whether the unit may use more than one device, or one memory for all, or maps by mappers."""
        if {"unified_shared_memory", "self_maps"} & set(
            self._unit.requirements
        ) or "declare mapper" in self._unit.pre.text:
            return True
        if "omp_set_default_device" in self._unit.pre.text and any(
            isinstance(n, c_ast.ID) and n.name == "omp_set_default_device"
            for f in self._own_functions()
            for n in walk(f)
        ):
            return True
        devices = set()
        for found in self._planned.found.lowered:
            clause = found.construct.directive.clause("device")
            expr = clause.expr if isinstance(clause, ExprClause) else None
            devices.add(None if expr is None else self._sema.value(expr.node) if clause is not None else None)
            if expr is not None and self._sema.value(expr.node) is None:
                return True
        return len(devices) > 1 or bool(self._planned.found.on_host)

    def _reaches(self, name: str) -> bool:
        """Whether a function, or one that it calls, concerns what is followed."""
        if name not in self._reaching:
            self._reaching[name] = False
            function = self._sema.functions[name]
            called = set()
            concerned = False
            for node in walk(function):
                if isinstance(node, OmpConstruct):
                    concerned = True
                elif isinstance(node, c_ast.ID):
                    concerned = concerned or node.name in self._names
                    if node.name in self._sema.functions and node.name != name:
                        called.add(node.name)
            # A parameter may be a pointer to what is followed, whatever its name is.
            concerned = concerned or any(isinstance(n, c_ast.PtrDecl | c_ast.ArrayDecl) for n in walk(function.decl))
            self._reaching[name] = concerned or any(self._reaches(other) for other in called)
        return self._reaching[name]

    def _extents_of(self, function: c_ast.FuncDef) -> Extents:
        name = function.decl.name
        if name not in self._extents:
            self._extents[name] = Extents(self._unit, self._sema, function)
        return self._extents[name]

    # -- functions and statements -------------------------------------------------------------------------------------

    def _function(self, function: c_ast.FuncDef, state: State) -> State | None:
        """Follow a function. Returns the state at its end, or None if it does not come back."""
        self._sema.analyse(function, on_host=True)
        if function not in self._jumping:
            self._jumping[function] = any(isinstance(n, (c_ast.Goto, c_ast.Label)) for n in walk(function.body))
        if self._jumping[function] or len(self._calls) > 20:
            self._forget_all(state)
            return state
        self._calls.append(function.decl.name)
        outer_call, self._call_number = self._call_number, self._next_call
        self._next_call += 1
        saved = self._breaks, self._continues
        self._breaks, self._continues = [], []
        self._returns.append([])
        self._loops.append(())
        end = self._statement(function.body, state)
        left = self._returns.pop()
        self._loops.pop()
        self._breaks, self._continues = saved
        self._calls.pop()
        self._call_number = outer_call
        return self._join([*left, *([end] if end is not None else [])])

    @property
    def _here(self) -> Extents:
        return self._extents_of(self._sema.functions[self._calls[-1]])

    def _statement(self, node: c_ast.Node | None, state: State) -> State | None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise TooFarError
        match node:
            case None:
                return state
            case c_ast.Compound() | c_ast.DeclList():
                items = node.block_items if isinstance(node, c_ast.Compound) else node.decls
                current: State | None = state
                for item in items or ():
                    if current is None:
                        return None
                    current = self._statement(item, current)
                return current
            case c_ast.Decl():
                self._declared_again(node, state)
                self._events(self._reader.expression(node), state)
                return state
            case c_ast.If():
                self._events(self._reader.expression(node.cond), state)
                other = state.copy()
                one = self._statement(node.iftrue, state)
                two = self._statement(node.iffalse, other)
                return self._join([s for s in (one, two) if s is not None])
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                return self._loop(node, state)
            case c_ast.Switch():
                return self._switch(node, state)
            case c_ast.Break():
                if self._breaks:
                    self._breaks[-1].append(state)
                return None
            case c_ast.Continue():
                if self._continues:
                    self._continues[-1].append(state)
                return None
            case c_ast.Return():
                self._events(self._reader.expression(node.expr), state)
                self._returns[-1].append(state)
                return None
            case OmpConstruct():
                return self._construct(node, state)
            case c_ast.Case() | c_ast.Default() | c_ast.FuncDef() | c_ast.Typedef() | c_ast.Pragma():
                return state
            case _:
                events = self._reader.expression(node)
                self._events(events, state)
                ends = any(isinstance(e, Lent) and e.name in ("exit", "abort", "_Exit") for e in events)
                return None if ends else state

    def _loop(self, node: c_ast.For | c_ast.While | c_ast.DoWhile, state: State) -> State | None:
        start: State | None = state
        if isinstance(node, c_ast.For):
            start = self._statement(node.init, state)
        if start is None:
            return None
        self._events(self._reader.expression(node.cond), start)
        level = self._here.level(node)
        # A loop in canonical form is taken to run: what it does if it runs is wrong or right all the same.
        runs = level is not None or isinstance(node, c_ast.DoWhile)
        before = start.copy()
        around = self._loops[-1]
        repeats = self._acts(node)  # what only the host does is the same in every pass
        if not repeats:
            self._loops[-1] = (*around, node)
        self._breaks.append([])
        first = self._pass(node, start)
        ends = [] if first is None else [first.copy()]
        doubtful = level is None or level.trips is None or level.trips < 2
        if first is not None and repeats:
            self._doubt += doubtful
            second = self._pass(node, first)
            self._doubt -= doubtful
            ends = [*ends, second] if second is not None else ends
        broken = self._breaks.pop()
        self._loops[-1] = around
        forever = node.cond is None or (self._sema.value(node.cond) or 0) != 0
        if forever:
            return self._join(broken)
        return self._join([*ends, *broken, *([] if runs else [before])])

    def _acts(self, node: c_ast.Node) -> bool:
        """Whether a statement has directives for devices, or calls a function of the unit that has some."""
        if node not in self._acting:
            self._acting[node] = False
            self._acting[node] = any(self._is_acting(part) for part in walk(node))
        return self._acting[node]

    def _is_acting(self, node: c_ast.Node) -> bool:
        if isinstance(node, OmpConstruct):
            return node.directive.is_target or node.directive.name in _DATA
        if not isinstance(node, c_ast.ID) or node.name not in self._sema.functions:
            return False
        function = self._sema.functions[node.name]
        return not self._is_of_system(function) and self._acts(function.body)

    def _pass(self, node: c_ast.For | c_ast.While | c_ast.DoWhile, state: State) -> State | None:
        self._continues.append([])
        end = self._statement(node.stmt, state)
        end = self._join([*self._continues.pop(), *([end] if end is not None else [])])
        if end is None:
            return None
        if isinstance(node, c_ast.For):
            self._events(self._reader.expression(node.next), end)
        self._events(self._reader.expression(node.cond), end)
        return end

    def _switch(self, node: c_ast.Switch, state: State) -> State | None:
        self._events(self._reader.expression(node.cond), state)
        items = node.stmt.block_items or [] if isinstance(node.stmt, c_ast.Compound) else [node.stmt]
        cases = [at for at, item in enumerate(items) if isinstance(item, (c_ast.Case, c_ast.Default))]
        if len(cases) > _MOST_CASES:
            self._forget_all(state)
            return state
        ends: list[State] = [] if any(isinstance(items[at], c_ast.Default) for at in cases) else [state.copy()]
        for at in cases:
            self._breaks.append([])
            current: State | None = state.copy()
            for item in items[at:]:
                inside = item.stmts or [] if isinstance(item, (c_ast.Case, c_ast.Default)) else [item]
                for statement in inside:
                    current = self._statement(statement, current) if current is not None else None
            ends += self._breaks.pop() + ([current] if current is not None else [])
        return self._join(ends)

    def _join(self, states: Sequence[State]) -> State | None:
        if not states:
            return None
        made = states[0]
        for other in states[1:]:
            joined = State()
            for key in {**made.memory, **other.memory}:
                joined.memory[key] = self._memory(made, key).joined(self._memory(other, key))
            for key in {**made.leads, **other.leads}:
                one, two = made.leads.get(key, self._default(key)), other.leads.get(key, self._default(key))
                joined.leads[key] = one if one == two else None
            made = joined
        return made

    # -- objects ------------------------------------------------------------------------------------------------------

    @staticmethod
    def _default(key: Key) -> tuple[Key, bool]:
        """Where a pointer leads that was not seen to get a value."""
        return (key[0], (*key[1], DEREFERENCE)), False

    def _object(self, state: State, root: Root | None) -> tuple[Key, Path, bool] | None:
        """(the object in which a place is, the members that lead to it there, whether it is behind the beginning)."""
        if root is None:
            return None
        key: Key = (root.symbol, ())
        shifted = False
        for step in root.path:
            if step != DEREFERENCE:
                key = (key[0], (*key[1], step))
                continue
            leads = state.leads.get(key, self._default(key))
            if leads is None:
                return None
            key, shifted = leads
        members: list[str] = []
        path = key[1]
        while path and path[-1] != DEREFERENCE:
            members.insert(0, path[-1])
            path = path[:-1]
        return (key[0], path), tuple(members), shifted or root.shifted

    def _memory(self, state: State, key: Key) -> Memory:
        known = state.memory.get(key)
        if known is not None:
            return known
        symbol, path = key
        if not isinstance(symbol, Symbol) or symbol in self._declared:
            return Memory(None, Copy.UNKNOWN, Copy.UNKNOWN)
        shared = symbol.is_global or symbol.has_static_storage
        if path:
            return Memory(assumed=True)
        extent = Extents.of_type(symbol.type)
        return Memory(assumed=shared and not self._from_main, size=extent)

    def _declared_again(self, node: c_ast.Decl, state: State) -> None:
        """A local variable begins its life: nothing is known from an earlier iteration."""
        if node.name is None or isinstance(node.type, c_ast.FuncDecl):
            return
        symbol = self._sema.decl_symbol(node)
        if symbol.is_variable and not symbol.is_global and not symbol.has_static_storage:
            state.memory.pop((symbol, ()), None)
            if is_pointer(symbol.type):
                state.leads[(symbol, ())] = None

    def _forget_all(self, state: State) -> None:
        for key in state.memory:
            state.memory[key] = state.memory[key].unknown()
        for key in state.leads:
            state.leads[key] = None

    def _forget(self, state: State, key: Key, everything: bool = True) -> None:
        old = self._memory(state, key)
        if everything:
            state.memory[key] = old.unknown()
        else:  # the contents may have changed, but not what is mapped
            device = Copy.UNKNOWN if old.present != 0 else old.device
            state.memory[key] = replace(
                old, host=Copy.UNKNOWN if old.host is Copy.STALE else old.host, device=device, lost=None, pending=()
            )

    # -- events of the host -------------------------------------------------------------------------------------------

    def _events(self, events: Iterable[Event], state: State) -> None:
        for event in events:
            self._steps += 1
            if isinstance(event, Use):
                self._use(event, state)
            elif isinstance(event, Bound):
                self._bind(event, state)
            elif isinstance(event, Escape):
                found = self._object(state, event.root)
                if found is not None:
                    state.memory[found[0]] = replace(self._memory(state, found[0]), escaped=True)
            else:
                self._call(event, state)

    def _touch(self, use: Use, members: Path, shifted: bool) -> Touch:
        node = use.node
        named = isinstance(node, c_ast.Decl)
        single = named or (not members and isinstance(node, c_ast.ID)) or self._is_member(node)
        loops = self._loops[-1] if self._loops else ()
        extent = None if shifted or single else self._in_call(self._here.of_use(use, loops))
        text = node.name if isinstance(node, c_ast.Decl) else text_of(node)
        return Touch(self._unit.span_of(node), text, members, extent, single, not use.conditions)

    def _is_member(self, node: c_ast.Node) -> bool:
        """Whether an lvalue is a member of a variable, or the target of a pointer, without subscripts on the way."""
        while isinstance(node, c_ast.StructRef) and node.type == ".":
            node = node.name
        return isinstance(node, c_ast.ID)

    def _use(self, use: Use, state: State) -> None:
        found = self._object(state, use.root)
        if found is None:
            if use.writes:
                for key, memory in state.memory.items():
                    if memory.escaped or memory.assumed:
                        self._forget(state, key, everything=False)
            return
        key, members, shifted = found
        memory = self._memory(state, key)
        if memory == Memory(0, Copy.VALID, assumed=memory.assumed, size=memory.size, escaped=memory.escaped):
            return  # only the host has it
        touch = self._touch(use, members, shifted)
        name = self._name(key, use.root)
        if memory.pending:
            self._while_pending(memory, touch, use.writes, name)
        if use.reads:
            self._host_read(memory, touch, name)
        if use.writes:
            state.memory[key] = self._host_written(memory, touch)

    def _host_read(self, memory: Memory, touch: Touch, name: str) -> None:
        if memory.lost is not None:
            meets = memory.lost.meets(touch)
            if meets is not False:
                self._report_lost(memory, memory.lost, touch, name, meets is True)
        elif memory.host is Copy.STALE and memory.present and memory.changed is not None:
            meets = memory.changed.meets(touch)
            if meets is False:
                return
            message = f"the host reads '{touch.text}', but only the device has the value that a region has written"
            sure = meets is True and memory.changed.sure and not memory.assumed
            notes = self._notes((Note(f"'{memory.changed.text}' is written here", memory.changed.span),), memory)
            advice = f"put '#pragma omp target update from({_item(name, touch)})' in front"
            self._report("stale", sure, message + self._why(meets, memory), touch.span, name, advice, notes)

    def _report_lost(self, memory: Memory, lost: Touch, touch: Touch, name: str, sure: bool) -> None:
        note = Note(f"the host reads '{touch.text}' here", touch.span)
        message = f"what the region writes to '{lost.text}' never comes back: {memory.how or 'it is a copy'}"
        advice = f"map it tofrom: map(tofrom: {_item(name, lost)})"
        certain = sure and "clause" not in memory.how and not memory.assumed
        why = "" if certain else ", unless that is meant"
        where = "the region is here" if memory.how.startswith("the region") else "it is mapped here"
        notes = self._notes((note,), memory, where)
        self._report("lost-result", certain, message + why, lost.span, name, advice, notes)

    def _host_written(self, memory: Memory, touch: Touch) -> Memory:
        lost = memory.lost if memory.lost is not None and memory.lost.meets(touch) is False else None
        if memory.present == 0:
            return replace(memory, lost=lost)
        host = memory.host
        if host is Copy.STALE:  # only what both have written would be lost
            if touch.single and not touch.members:
                host = Copy.VALID
            else:
                return replace(memory, host=Copy.UNKNOWN, device=Copy.UNKNOWN, lost=lost)
        if memory.present is None or memory.device not in (Copy.VALID, Copy.STALE):
            device = memory.device if memory.device is Copy.UNSET else Copy.UNKNOWN
            return replace(memory, host=host, device=device, lost=lost)
        return replace(memory, host=host, device=Copy.STALE, changed=touch, lost=lost)

    def _while_pending(self, memory: Memory, touch: Touch, writes: bool, name: str) -> None:
        for access, changes in memory.pending:
            if not (writes or changes):
                continue
            meets = access.meets(touch)
            if meets is False:
                continue
            does = "writes" if writes else "reads"
            message = f"the host {does} '{touch.text}', but the region with 'nowait' that uses it may still run"
            advice = "put '#pragma omp taskwait' in front, or leave out 'nowait'"
            notes = (Note(f"the region {'writes' if changes else 'reads'} '{access.text}' here", access.span),)
            self._report("nowait", meets is True and not memory.assumed, message, touch.span, name, advice, notes)

    def _bind(self, event: Bound, state: State) -> None:
        pointer = event.pointer
        if pointer is None:
            return
        place = self._object(state, pointer)
        if place is None:
            return
        key: Key = (place[0][0], (*place[0][1], *place[1]))
        name = event.call.name.name if event.call is not None and isinstance(event.call.name, c_ast.ID) else None
        if event.call is not None and allocates(name):
            fresh: Key = (event.call, ())
            if any(leads is not None and leads[0] == fresh for other, leads in state.leads.items() if other != key):
                state.leads[key] = None  # the same line has given another pointer
                state.memory[fresh] = Memory(None, Copy.UNKNOWN, Copy.UNKNOWN)
                return
            size = self._in_call(self._here.allocated(event.call, str(name)))
            state.memory[fresh] = Memory(size=size)
            state.leads[key] = (fresh, False)
            return
        found = self._object(state, event.to)
        if found is None or found[1]:
            state.leads[key] = None
            return
        state.leads[key] = (found[0], found[2])
        if place[0][1] or place[1]:  # it is stored where others may find it
            state.memory[found[0]] = replace(self._memory(state, found[0]), escaped=True)

    # -- calls --------------------------------------------------------------------------------------------------------

    def _call(self, event: Lent, state: State) -> None:
        name = event.name
        function = self._sema.functions.get(name or "")
        if function is not None and name is not None and not self._is_of_system(function):
            if name in self._calls:
                self._forget_all(state)
            elif self._reaches(name):
                self._enter(event, function, state)
            return
        symbol = self._sema.file_symbol(name) if name is not None else None
        if symbol is not None and symbol.node is not None and self._is_of_system(symbol.node):
            self._library(event, symbol, state)
            return
        if name is not None and (symbol is None or symbol.node is None) and not event.arguments:
            return  # a builtin
        self._foreign(event, state)

    def _enter(self, event: Lent, function: c_ast.FuncDef, state: State) -> None:
        """Follow a call of one of the unit's functions."""
        self._sema.analyse(function, on_host=True)
        parameters = self._sema.parameters(function)
        for number, parameter in enumerate(parameters):
            key: Key = (parameter, ())
            state.memory.pop(key, None)
            if not is_pointer(parameter.type):
                continue
            root = event.arguments[number] if number < len(event.arguments) else None
            found = self._object(state, root)
            state.leads[key] = (found[0], found[2]) if found is not None and not found[1] else None
        if event.conditions:
            other = state.copy()
            after = self._join([s for s in (self._function(function, state), other) if s is not None])
        else:
            after = self._function(function, state)
        if after is None:
            self._forget_all(state)
        else:
            state.memory, state.leads = after.memory, after.leads

    def _library(self, event: Lent, symbol: Symbol, state: State) -> None:
        """A function of the system: it touches what its arguments lead to, and nothing else of the program's."""
        name = event.name or ""
        kinds = getattr(strip(symbol.type), "params", ())
        for number, root in enumerate(event.arguments):
            found = self._object(state, root)
            if found is None or root is None:
                continue
            kind = kinds[number] if number < len(kinds) else None
            constant = isinstance(kind, Pointer) and "const" in kind.to.quals
            reads = constant or name in ("printf", "fprintf", "fwrite")
            if name == "free":
                continue
            if name.startswith(("omp_", "acc_", "cuda")):
                self._forget(state, found[0])
                continue
            memory = self._memory(state, found[0])
            text = text_of(event.node.args.exprs[number])
            touch = Touch(self._unit.span_of(event.node), text, found[1], None, False)
            if memory.pending:
                self._while_pending(memory, touch, not reads, self._name(found[0], root))
            if reads:
                self._host_read(memory, touch, self._name(found[0], root))
            else:
                self._forget(state, found[0], everything=False)

    def _foreign(self, event: Lent, state: State) -> None:
        """A function of another unit may do anything with what it can reach."""
        reached = [found[0] for root in event.arguments if (found := self._object(state, root)) is not None]
        for key in [*state.memory]:
            symbol = key[0]
            shared = isinstance(symbol, Symbol) and (symbol.is_global or key[1])
            if shared or state.memory[key].escaped or key in reached:
                self._forget(state, key)
            else:
                state.memory[key] = replace(state.memory[key], pending=())
        for key in reached:
            self._forget(state, key)
            state.memory[key] = replace(state.memory[key], escaped=True)
        for key in state.leads:
            if isinstance(key[0], Symbol) and key[0].is_global and not key[0].is_static:
                state.leads[key] = None

    # -- OpenMP -------------------------------------------------------------------------------------------------------

    def _construct(self, node: OmpConstruct, state: State) -> State | None:
        directive = node.directive
        if directive.has("depend") and not directive.has("nowait"):
            self._wait(state)
        if directive.is_target:
            return self._target(node, state)
        if directive.name in _DATA:
            return self._data(node, state)
        leaves = set(directive.constructs)
        if leaves & _WAITING:
            after = self._statement(node.body, state) if node.body is not None else state
            if after is not None:
                self._wait(after)
            return after
        if node.body is None:
            return state
        if leaves & _DEFERRING:
            return self._deferred(node, state)
        hidden = [s for s in self._copied(node) if (s, ()) in state.memory]
        kept = {s: state.memory.pop((s, ())) for s in hidden}
        after = self._statement(node.body, state)
        if after is None:
            return None
        for symbol, memory in kept.items():
            after.memory[(symbol, ())] = memory
        for symbol in self._copied(node):
            if directive.has("reduction", "lastprivate", "linear") and (symbol, ()) in after.memory:
                self._forget(after, (symbol, ()), everything=False)
        if not directive.has("nowait") and leaves & {"parallel", "for", "single"}:
            self._wait(after)
        return after

    def _copied(self, node: OmpConstruct) -> list[Symbol]:
        found = []
        for clause in node.directive.all(*COPYING):
            for item in clause.items if isinstance(clause, ListClause | ReductionClause) else ():
                symbol = self._sema.lookup(node, item.name)
                if symbol is not None:
                    found.append(symbol)
        return found

    def _deferred(self, node: OmpConstruct, state: State) -> State:
        """A statement that runs at some time: what it mentions is not known any more."""
        for event in self._reader.statement(node.body):
            roots = event.arguments if isinstance(event, Lent) else [getattr(event, "root", None)]
            for root in roots:
                found = self._object(state, root)
                if found is not None:
                    self._forget(state, found[0])
            if isinstance(event, Lent):
                self._foreign(event, state)
        for inner in walk(node):
            if isinstance(inner, OmpConstruct):
                for mapped in mapped_by(self._sema, inner):
                    found = self._object(state, mapped.root)
                    if found is not None:
                        self._forget(state, found[0])
        return state

    def _wait(self, state: State) -> None:
        for key, memory in state.memory.items():
            if memory.pending:
                state.memory[key] = replace(memory, pending=())

    def _is_sure(self, node: OmpConstruct, *names: str) -> bool:
        """Whether a construct acts on the device in any case, as far as its ``if`` clause says."""
        for clause in node.directive.all("if"):
            if (
                isinstance(clause, ExprClause)
                and clause.modifier in (None, "target", *names)
                and clause.expr is not None
            ):
                return bool(self._sema.value(clause.expr.node))
        return True

    def _data(self, node: OmpConstruct, state: State) -> State | None:
        directive = node.directive
        before = None if self._is_sure(node, directive.name) else state.copy()
        if directive.name == "target update":
            self._update(node, state)
        elif directive.name == "target exit data":
            self._leave(node, state, [*mapped_by(self._sema, node)])
        elif directive.name == "target enter data":
            self._map(node, state, [*mapped_by(self._sema, node)])
        else:
            maps = [*mapped_by(self._sema, node)]
            self._map(node, state, maps)
            hidden = [s for c in directive.all("use_device_ptr", "use_device_addr") for s in self._listed(node, c)]
            for symbol in hidden:
                found = self._object(state, Root(symbol, (DEREFERENCE,) if is_pointer(symbol.type) else ()))
                if found is not None:
                    self._forget(state, found[0], everything=False)
            after = self._statement(node.body, state)
            for symbol in hidden:
                found = self._object(state, Root(symbol, (DEREFERENCE,) if is_pointer(symbol.type) else ()))
                if found is not None and after is not None:
                    self._forget(after, found[0], everything=False)
            if after is None:
                return None
            state = after
            self._leave(node, state, maps)
        return state if before is None else self._join([state, before])

    def _listed(self, node: OmpConstruct, clause: object) -> list[Symbol]:
        items = clause.items if isinstance(clause, ListClause) else ()
        return [s for s in (self._sema.lookup(node, item.name) for item in items) if s is not None]

    def _map(self, node: OmpConstruct, state: State, maps: Sequence[Mapped]) -> None:
        for mapped in sorted(maps, key=lambda m: m.how not in ("to", "tofrom")):  # in this order the clauses count
            found = self._object(state, mapped.root)
            if found is None:
                continue
            key, members, shifted = found
            memory = self._memory(state, key)
            if members:
                self._forget(state, key)  # parts of structures are another matter (members.py)
                continue
            extent = self._section(node, mapped, shifted)
            if memory.size is not None and extent is not None and not shifted:
                self._check_size(memory, extent, mapped)
            if memory.pending:
                memory = replace(memory, pending=())
            if memory.present == 0 and memory.host is Copy.UNKNOWN:
                memory = replace(memory, host=Copy.VALID)
            how = mapped.how
            state.memory[key] = replace(
                memory.entered(how, mapped.always, extent, mapped.span),
                lost=None if how in ("to", "tofrom") else memory.lost,
            )
            if memory.lost is not None and how in ("to", "tofrom"):
                self._host_read(
                    memory, Touch(mapped.span, _text(mapped), (), extent, extent is None), mapped.root.symbol.name
                )

    def _section(self, node: OmpConstruct, mapped: Mapped, shifted: bool) -> Extent | None:
        if shifted:
            return None
        if mapped.item is None:
            return Extents.of_type(mapped.root.symbol.type)
        return self._in_call(self._here.of_item(node, mapped.item))

    def _in_call(self, extent: Extent | None) -> Extent | None:
        """An extent with the values that variables have in the present call."""
        return replace(extent, call=self._call_number) if extent is not None else None

    def _check_size(self, memory: Memory, extent: Extent, mapped: Mapped) -> None:
        if memory.size is None:
            return
        over = extent.behind(memory.size)
        if over is not None and over > 0:
            name = mapped.root.symbol.name
            message = f"the section '{_text(mapped)}' is {over} bytes longer than what '{name}' leads to"
            advice = "map only what there is"
            self._report("bounds", True, message, mapped.span, name, advice, ())

    def _leave(self, node: OmpConstruct, state: State, maps: Sequence[Mapped]) -> None:
        for mapped in sorted(maps, key=lambda m: m.how in ("from", "tofrom")):  # what comes back does so last
            found = self._object(state, mapped.root)
            if found is None:
                continue
            memory = self._memory(state, found[0])
            if found[1]:
                self._forget(state, found[0])
                continue
            if node.directive.name == "target exit data":
                extent = self._section(node, mapped, found[2])
                if memory.section is not None and extent is not None and memory.present:
                    self._check_copied_back(memory, extent, mapped)
            left = memory.left(mapped.how, mapped.always)
            how = f"'{mapped.how}' copies nothing back" if left.lost is not memory.lost else memory.how
            rest = self._not_copied(node, memory, mapped, found[2])
            if rest is not None:
                left, how = replace(left, lost=rest), f"only '{_text(mapped)}' is copied back"
            state.memory[found[0]] = replace(left, how=how)

    def _not_copied(self, node: OmpConstruct, memory: Memory, mapped: Mapped, shifted: bool) -> Touch | None:
        """What a region has written behind the section that comes back, if the object leaves the device then."""
        changed = memory.changed
        if (
            memory.present != 1
            or memory.host is not Copy.STALE
            or changed is None
            or mapped.how not in ("from", "tofrom")
        ):
            return None
        extent = self._section(node, mapped, shifted)
        if extent is None or changed.extent is None or (changed.extent.behind(extent) or 0) <= 0:
            return None
        rest = Extent(extent.high, changed.extent.high, changed.extent.exact, changed.extent.dense, changed.extent.call)
        return replace(changed, extent=rest)

    def _check_copied_back(self, memory: Memory, extent: Extent, mapped: Mapped) -> None:
        if mapped.how != "from" or memory.section is None:
            return
        over = extent.behind(memory.section)
        if over is not None and over > 0:
            message = f"'{_text(mapped)}' is {over} bytes longer than what was mapped"
            notes = self._notes((), memory)
            advice = "copy back what was mapped"
            self._report("bounds", not memory.assumed, message, mapped.span, mapped.root.symbol.name, advice, notes)

    def _update(self, node: OmpConstruct, state: State) -> None:
        for way, root, _ in moved_by(self._sema, node):
            found = self._object(state, root)
            if found is None:
                continue
            memory = self._memory(state, found[0])
            if found[1]:
                self._forget(state, found[0], everything=False)
            elif memory.present == 0:
                continue
            elif way == "from":
                host = Copy.VALID if memory.host is Copy.STALE else memory.host
                state.memory[found[0]] = replace(memory, host=host, changed=None, lost=None)
            else:
                device = Copy.UNKNOWN if memory.present is None else Copy.VALID
                state.memory[found[0]] = replace(memory, device=device, changed=None)
            if node.directive.has("nowait"):
                touch = Touch(node.directive.span, root.symbol.name, (), None, False)
                kept = state.memory[found[0]]
                state.memory[found[0]] = replace(kept, pending=((touch, way == "from"),))

    # -- regions ------------------------------------------------------------------------------------------------------

    def _target(self, node: OmpConstruct, state: State) -> State | None:
        kernel = self._kernels.get(node)
        if kernel is None:
            return self._deferred(node, state)
        before = None if self._is_sure(node) else state.copy()
        self._doubt += before is not None
        self._map(node, state, kernel.maps)
        self._run(kernel, state)
        self._leave(node, state, kernel.maps)
        self._doubt -= before is not None
        return state if before is None else self._join([state, before])

    def _run(self, kernel: Kernel, state: State) -> None:
        copies = dict(kernel.copies)
        mapped = {m.root.symbol for m in kernel.maps if DEREFERENCE not in m.root.path}
        deferred = kernel.construct.directive.has("nowait")
        written = self._written_keys(kernel, state)
        pending: dict[Key, list[tuple[Touch, bool]]] = {}
        seen_copies: set[Symbol] = set()
        for event in kernel.events:
            if isinstance(event, Lent):
                self._device_call(event, state)
                continue
            if not isinstance(event, Use) or event.root is None:
                continue
            symbol = event.root.symbol
            if symbol in kernel.handed_over:
                continue
            if DEREFERENCE not in event.root.path:
                if symbol in copies:
                    self._copy_use(kernel, event, symbol, copies[symbol], state, seen_copies)
                    continue
                if symbol not in mapped:
                    continue
            found = self._object(state, event.root)
            if found is None:
                continue
            touch = self._touch(event, found[1], found[2])
            self._device_use(event, found[0], touch, found[0] in written, state)
            pending.setdefault(found[0], []).append((touch, event.writes))
        if deferred and not kernel.construct.directive.has("if"):
            for key, accesses in pending.items():
                state.memory[key] = replace(self._memory(state, key), pending=tuple(accesses[:8]))

    def _written_keys(self, kernel: Kernel, state: State) -> set[Key]:
        """The objects that a region writes otherwise than by updates such as ``+=``."""
        found = set()
        for event in kernel.events:
            if isinstance(event, Use) and event.writes and not event.reads:
                place = self._object(state, event.root)
                if place is not None:
                    found.add(place[0])
            elif isinstance(event, Lent):
                for root in event.arguments:
                    place = self._object(state, root)
                    if place is not None:
                        found.add(place[0])
        return found

    def _copy_use(self, kernel: Kernel, use: Use, symbol: Symbol, said: bool, state: State, seen: set[Symbol]) -> None:
        """A use of a copy that the region has of a variable."""
        key: Key = (symbol, ())
        memory = self._memory(state, key)
        members = tuple(step for step in use.root.path if step != DEREFERENCE) if use.root is not None else ()
        touch = self._touch(use, members, False)
        if use.reads and symbol not in seen and not memory.lost:
            self._host_read(memory, touch, symbol.name)
        seen.add(symbol)
        if use.writes:
            how = "the region has a copy by its clause" if said else "the region has a copy of its own"
            span = kernel.construct.directive.span
            state.memory[key] = replace(memory, lost=touch, how=how, mapped=memory.mapped if memory.present else span)

    def _device_use(self, use: Use, key: Key, touch: Touch, written: bool, state: State) -> None:
        memory = self._memory(state, key)
        name = self._name(key, use.root)
        if memory.present == 0:
            through = use.root is not None and DEREFERENCE in use.root.path
            if through and not memory.assumed and not isinstance(self._kind(key), Record):
                message = f"the region dereferences '{name}' in '{touch.text}', but nothing has mapped what it leads to"
                self._report(
                    "unmapped-pointer",
                    True,
                    message,
                    touch.span,
                    name,
                    f"map it: map(tofrom: {name}[0:n]) with the number of its elements",
                    (),
                )
            return
        if memory.present is None:
            state.memory[key] = replace(memory, host=Copy.UNKNOWN, device=Copy.UNKNOWN) if use.writes else memory
            return
        self._check_bounds(memory, touch, name)
        if use.reads:
            self._device_read(memory, touch, name, written)
        if use.writes:
            device = memory.device
            if device in (Copy.UNSET, Copy.STALE):
                device = Copy.UNKNOWN
            host = Copy.STALE if memory.host in (Copy.VALID, Copy.STALE) else Copy.UNKNOWN
            if memory.device is Copy.STALE:
                host = Copy.UNKNOWN
            changed = memory.changed if memory.host is Copy.STALE and memory.changed is not None else touch
            state.memory[key] = replace(memory, host=host, device=device, changed=changed)

    def _device_read(self, memory: Memory, touch: Touch, name: str, written: bool) -> None:
        if memory.device is Copy.UNSET:
            sure = touch.sure and not memory.assumed and (touch.single or not written)
            doubt = "" if sure else " before, unless other code has mapped or written it"
            message = f"the region reads '{touch.text}', but nothing has written it on the device{doubt}"
            what = f"'{memory.how}' copies nothing to the device"
            notes = self._notes((), memory, what)
            way = "tofrom" if memory.how == "from" else "to"
            self._report("unset", sure, message, touch.span, name, f"map it {way}", notes)
        elif memory.device is Copy.STALE and memory.changed is not None:
            meets = memory.changed.meets(touch)
            if meets is False:
                return
            message = f"the region reads '{touch.text}', but the host has changed it since it was copied to the device"
            sure = meets is True and memory.changed.sure and not memory.assumed
            notes = self._notes((Note(f"the host writes '{memory.changed.text}' here", memory.changed.span),), memory)
            advice = f"put '#pragma omp target update to({_item(name, touch)})' behind the change"
            self._report("stale", sure, message + self._why(meets, memory), touch.span, name, advice, notes)

    def _check_bounds(self, memory: Memory, touch: Touch, name: str) -> None:
        section, extent = memory.section, touch.extent
        if section is None or extent is None:
            return
        over, under = extent.behind(section), extent.before(section)
        beyond = over is not None and over > 0
        if not beyond and not (under is not None and under > 0):
            return
        where = f"{over} bytes behind the end" if beyond else f"{under} bytes before the beginning"
        certain = extent.exact and touch.sure and not memory.assumed
        why = "" if certain else ", unless other code has mapped more or the loop ends before"
        message = f"'{touch.text}' goes {where} of what is mapped of '{name}'{why}"
        notes = (Note("it is mapped here", memory.mapped),) if memory.mapped is not None else ()
        self._report("bounds", certain, message, touch.span, name, "map all elements that the region uses", notes)

    def _device_call(self, event: Lent, state: State) -> None:
        """A call in a region: what it does with what its arguments lead to."""
        for number, root in enumerate(event.arguments):
            found = self._object(state, root)
            if found is None or root is None:
                continue
            writes = True
            if event.name in self._sema.functions:
                try:
                    effects = effects_of(self._sema, str(event.name), self._effects)
                    writes = number in effects.writes
                except UnprovableError:
                    writes = True
            if writes:
                memory = self._memory(state, found[0])
                state.memory[found[0]] = (
                    replace(memory, host=Copy.UNKNOWN, device=Copy.UNKNOWN) if (memory.present != 0) else memory
                )

    # -- findings -----------------------------------------------------------------------------------------------------

    def _kind(self, key: Key) -> object:
        symbol = key[0]
        return strip(symbol.type) if isinstance(symbol, Symbol) and not key[1] else None

    @staticmethod
    def _name(key: Key, root: Root | None) -> str:
        if root is not None:
            path = root.path[: root.path.index(DEREFERENCE)] if DEREFERENCE in root.path else ()
            return root.symbol.name + "".join(path)
        return key[0].name if isinstance(key[0], Symbol) else "?"

    @staticmethod
    def _notes(notes: tuple[Note, ...], memory: Memory, what: str = "it is mapped here") -> tuple[Note, ...]:
        return (*notes, Note(what, memory.mapped)) if memory.mapped is not None else notes

    @staticmethod
    def _why(meets: bool | None, memory: Memory) -> str:
        if meets is None:
            return ", unless these are other elements"
        return ", unless other code has mapped it before" if memory.assumed else ""

    def _report(
        self,
        name: str,
        certain: bool,
        message: str,
        span: SourceSpan,
        variable: str,
        advice: str,
        notes: tuple[Note, ...],
    ) -> None:
        key = (name, span, variable)
        known = self._found.get(key)
        certain = certain and self._doubt == 0
        if known is None or (certain and not known.certain):
            self._found[key] = Finding(name, certain, message, span, variable, advice, notes)


def _text(mapped: Mapped) -> str:
    return mapped.item.text if mapped.item is not None else mapped.root.symbol.name


def _item(name: str, touch: Touch) -> str:
    """A list item for what an access is about."""
    return name if touch.single else f"{name}[0:n]"

"""Follows the program through its functions and keeps, for every object, what the host's and the device's copy hold.

It begins in ``main`` if the unit has one, and in every function that no other calls. Calls of the unit's functions are
followed. Where ways meet, only what both say is known. Loops run twice: what the second pass finds needs the first.
Functions with ``goto`` that leads backward, and programs with several devices, are not followed.
"""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from ...base.findings import Finding
from ...base.records import replace
from ...directives.contents import COPYING
from ...directives.model import DependClause, ExprClause, ListClause, ReductionClause
from ..analysis.listed import listed_symbols
from ..sema import Symbol, walk
from ..sema.ctype import Pointer, Record, strip
from ..sema.type_questions import is_pointer
from ..syntax.nodes import OmpConstruct
from .calls import foreign, library, report_leak
from .data_movement import defer, enter, leave, update
from .extents import Extents
from .host_uses import PRIVATE_COPY, bind, lead_of, returned, use
from .kernels import Mapped, mapped_by, moved_by
from .memory import Memory
from .objects import Beginning, Found, Key, Origin, State, joined
from .places import DEREFERENCE, Root, item_root
from .position import ONCE, Exits, Journey, Position, TooFarError
from .region_uses import dropped_beside_maps, run
from .uses import Bound, Event, Lent, Use, runs_once, without_casts
from .whole_unit import DATA_DIRECTIVES, WholeUnit

_WAITING = frozenset(("taskwait", "barrier", "taskgroup"))
_DEFERRING = frozenset(("task", "taskloop", "sections", "section"))
_AT_THE_END = ", unless the end of the program is enough"
_MOST_CASES = 12
_MOST_CALLS = 20
_EXPRESSIONS = frozenset((c_ast.Assignment, c_ast.FuncCall, c_ast.UnaryOp))
_JUMPS = (c_ast.Continue, c_ast.Break, c_ast.Return, c_ast.Goto)


def follow(unit: WholeUnit) -> Journey:
    """What is found on all ways through the unit."""
    journey = Journey()
    if not unit.can_be_followed():
        return journey
    own = unit.acting_functions()
    called = {name for function in own for name in unit.survey(function).called}
    roots = [f for f in own if f.decl.name == "main"]
    roots += [f for f in own if f.decl.name not in called and f.decl.name != "main"]
    variables = unit.planned.plan.variables
    on_device = frozenset(v.symbol for v in variables if not v.link)
    linked = frozenset(v.symbol for v in variables if v.link)
    for root in roots:
        name = root.decl.name
        if not unit.reaches_device(name) or unit.sema.functions[name] is not root:
            continue
        try:
            state = State(Beginning(on_device, linked, name == "main", unit.by_mappers))
            _function(Position(unit, journey, Exits.of_function()), root, state)
        except TooFarError:
            break
    return journey


# -- functions and statements -----------------------------------------------------------------------------------------


def _function(at: Position, function: c_ast.FuncDef, state: State, call: c_ast.FuncCall | None = None) -> State | None:
    """Follow a function. Returns the state at its end, or None if it does not come back."""
    at.unit.sema.analyse(function, on_host=True)
    if at.unit.survey(function).jumps or len(at.calls) > _MOST_CALLS:
        state.forget_all()
        return state
    at.journey.calls += 1
    inside = replace(
        at,
        exits=Exits.of_function(),
        calls=(*at.calls, function.decl.name),
        number=at.journey.calls,
        loops=(),
        conditions=(),
        caller=(at, call) if call is not None else None,
    )
    end = _statement(inside, function.body, state)
    ends = [*inside.exits.returns, *([end] if end is not None else [])]
    for one in ends:
        _check_locals(inside, function, one)
        _check_entered(inside, function, one)
    _check_allocated(inside, function, ends)
    return joined(ends)


def _check_locals(at: Position, function: c_ast.FuncDef, state: State) -> None:
    """Whether a local variable ends its life while it is on the device."""
    for (symbol, path), memory in state.memory.items():
        if path or not memory.present or memory.mapped is None or not isinstance(symbol, Symbol):
            continue
        if symbol.function == function.decl.name and not symbol.has_static_storage:
            where = f"'{function.decl.name}' ends"
            message = f"'{symbol.name}' is still on the device when {where}, and with it the variable"
            report_leak(at.doubting(function.decl.name == "main", _AT_THE_END), memory, message, symbol.name)


def _check_allocated(at: Position, function: c_ast.FuncDef, ends: list[State]) -> None:
    """Whether memory of the device is still there on all ways out of a function, of which only its variables know."""
    for key, memory in ends[0].memory.items() if ends else ():
        if memory.of_device is None or not isinstance(key[0], (c_ast.FuncCall, Origin)) or memory.copy_of is not None:
            continue
        others = [end.memory.get(key) for end in ends]
        if any(one is None or one.freed is not None or one.escaped for one in others):
            continue
        known = [pointer for end in ends for pointer, lead in end.leads.items() if lead is not None and lead[0] == key]
        given = any(end.returned is not None and end.returned.key == key for end in ends)
        own = [s for s, path in known if not path and isinstance(s, Symbol) and s.function == function.decl.name]
        if given or not own or len(own) < len(known) or any(symbol.has_static_storage for symbol in own):
            continue
        certain, name = function.decl.name != "main", own[0].name
        message = f"nothing releases this memory of the device before '{function.decl.name}' ends"
        message += "" if certain else _AT_THE_END
        advice = f"call omp_target_free({name}, …) on all ways out"
        at.report(Finding("leak", certain, message, memory.of_device, name, advice))


def _check_entered(at: Position, function: c_ast.FuncDef, state: State) -> None:
    """Whether a way out of a function leaves data on the device that only this function would remove."""
    entered = at.unit.entered_by(function)
    for key, memory in state.memory.items() if entered else ():
        mapped = entered.get(memory.mapped) if memory.mapped is not None and memory.present else None
        found = state.at(mapped.root) if mapped is not None else None
        if mapped is None or found is None or found.key != key or mapped.item is None:
            continue
        item = mapped.item
        where = f"a way out of '{function.decl.name}'"
        message = f"'{item.text}' stays on the device on {where}, unless other code removes it"
        advice = f"add '#pragma omp target exit data map(release: {item.text})' there"
        at.report(Finding("leak", False, message, mapped.span, item.name, advice, ()))


def _statement(at: Position, node: c_ast.Node | None, state: State) -> State | None:
    """Follow a statement. Returns the state behind it, or None if no way leads there."""
    at.journey.step()
    reader = at.unit.reader
    if node.__class__ in _EXPRESSIONS:  # most statements
        assert node is not None
        return _expression(at, node, state)
    match node:
        case None:
            return state
        case c_ast.Compound() | c_ast.DeclList():
            return _statements(at, (node.block_items if isinstance(node, c_ast.Compound) else node.decls) or (), state)
        case c_ast.Decl():
            if node.name is not None and not isinstance(node.type, c_ast.FuncDecl):
                is_blank = node.init is None and at.unit.is_of_regions(node.name)
                state.begin(at.unit.sema.decl_symbol(node), is_blank)
            _events(at, reader.expression(node), state)
            return state
        case c_ast.If():
            _events(at, reader.expression(node.cond), state)
            other = state.copy()
            at = _under(at, node)
            return joined([_statement(at, node.iftrue, state), _statement(at, node.iffalse, other)])
        case c_ast.For() | c_ast.While() | c_ast.DoWhile():
            return _loop(at, node, state)
        case c_ast.Switch():
            return _switch(at, node, state)
        case c_ast.Break():
            at.exits.breaks.append(state)
            return None
        case c_ast.Continue():
            at.exits.continues.append(state)
            return None
        case c_ast.Return():
            _events(at, reader.expression(node.expr), state)
            state.returned = returned(at, node, state)
            at.exits.returns.append(state)
            return None
        case OmpConstruct():
            return _construct(at, node, state)
        case c_ast.Goto():
            at.exits.gotos.setdefault(node.name, []).append(state)
            return None
        case c_ast.Label():
            return _statement(at, node.stmt, state)
        case c_ast.Case() | c_ast.Default() | c_ast.FuncDef() | c_ast.Typedef() | c_ast.Pragma():
            return state
        case _:
            return _expression(at, node, state)


def _expression(at: Position, node: c_ast.Node, state: State) -> State | None:
    events = at.unit.reader.expression(node)
    _events(at, events, state)
    ends = any(isinstance(e, Lent) and e.name in ("exit", "abort", "_Exit") for e in events)
    return None if ends else state


def _statements(at: Position, nodes: Iterable[c_ast.Node], state: State | None) -> State | None:
    for node in nodes:
        label = node
        while isinstance(label, c_ast.Label):
            state = joined([state, *at.exits.gotos.pop(label.name, ())])
            label = label.stmt
        state = _statement(at, node, state) if state is not None else None
        in_loop = at.loops or at.first_pass is not None
        if in_loop and isinstance(node, c_ast.If) and any(isinstance(part, _JUMPS) for part in walk(node)):
            at = _under(at, node)
    return state


def _under(at: Position, node: c_ast.If) -> Position:
    at = at.under_condition()
    return replace(at, conditions=(*at.conditions, node.cond)) if at.loops else at


def _loop(at: Position, node: c_ast.For | c_ast.While | c_ast.DoWhile, state: State) -> State | None:
    start = _statement(at, node.init, state) if isinstance(node, c_ast.For) else state
    if start is None:
        return None
    _events(at, at.unit.reader.expression(node.cond), start)
    level = at.extents.level(node)
    # A loop in canonical form is taken to run: what it does if it runs is wrong or right all the same.
    runs = level is not None or isinstance(node, c_ast.DoWhile)
    before = start.copy()
    once = runs_once(node)
    # What only the host does is the same in every pass.
    repeats = not once and at.unit.survey(at.unit.sema.functions[at.calls[-1]]).acts_in(node)
    loops = at.loops if once or repeats else (*at.loops, node)
    conditions = at.conditions if at.loops else ()
    inside = replace(at, exits=replace(at.exits, breaks=[]), loops=loops, conditions=conditions)
    # A loop that only a jump ends has the jumps of later passes, too, in front of which the first has written.
    forever = node.cond is None or (level is None and (at.unit.sema.value(node.cond) or 0) != 0)
    twice = repeats or (forever and not once)
    first = _pass(replace(inside, first_pass=node) if twice else inside, node, start)
    ends = [] if first is None else [first.copy()]
    if first is not None and twice:
        doubtful = level is None or level.trips is None or level.trips < 2
        again = replace(inside, again=(*at.again, node))
        second = _pass(again.doubting(doubtful, ONCE), node, first)
        ends = [*ends, second] if second is not None else ends
    if forever:
        return joined(inside.exits.breaks)
    return joined([*ends, *inside.exits.breaks, *([] if runs else [before])])


def _pass(at: Position, node: c_ast.For | c_ast.While | c_ast.DoWhile, state: State) -> State | None:
    inside = replace(at, exits=replace(at.exits, continues=[]))
    end = _statement(inside, node.stmt, state)
    end = joined([*inside.exits.continues, end])
    if end is None:
        return None
    if isinstance(node, c_ast.For):
        _events(at, at.unit.reader.expression(node.next), end)
    _events(at, at.unit.reader.expression(node.cond), end)
    return end


def _switch(at: Position, node: c_ast.Switch, state: State) -> State | None:
    _events(at, at.unit.reader.expression(node.cond), state)
    at = at.under_condition()
    items = node.stmt.block_items or [] if isinstance(node.stmt, c_ast.Compound) else [node.stmt]
    cases = [number for number, item in enumerate(items) if isinstance(item, (c_ast.Case, c_ast.Default))]
    if len(cases) > _MOST_CASES:
        state.forget_all()
        return state
    ends = [] if any(isinstance(items[number], c_ast.Default) for number in cases) else [state.copy()]
    for number in cases:
        inside = replace(at, exits=replace(at.exits, breaks=[]))
        statements: list[c_ast.Node] = []
        for item in items[number:]:
            statements += item.stmts or [] if isinstance(item, (c_ast.Case, c_ast.Default)) else [item]
        end = _statements(inside, statements, state.copy())
        ends += inside.exits.breaks + ([end] if end is not None else [])
    return joined(ends)


# -- events of the host -----------------------------------------------------------------------------------------------


def _events(at: Position, events: Iterable[Event], state: State) -> None:
    for event in events:
        at.journey.steps += 1
        if isinstance(event, Use):  # most events
            use(at, event, state)
        elif isinstance(event, Bound):
            bind(at, event, state)
        elif isinstance(event, Lent):
            _call(at, event, state)
        elif (found := state.at(event.root)) is not None:
            state.escapes(found.key)


def _call(at: Position, event: Lent, state: State) -> None:
    name, unit = event.name, at.unit
    before, state.returned = state.returned, None
    function = unit.sema.functions.get(name or "")
    if function is not None and name is not None and not unit.is_of_system(function):
        if name in at.calls:
            state.forget_all()
        elif not _is_left_alone(at, event, name, state) and unit.reaches(name):
            _enter_function(at, event, function, state, before)
        return
    symbol = unit.sema.file_symbol(name) if name is not None else None
    of_system = symbol is not None and symbol.node is not None and unit.is_of_system(symbol.node)
    if of_system or (name or "").startswith("omp_"):  # which older headers may not declare
        library(at, event, symbol, state)
    elif name is None or (symbol is not None and symbol.node is not None) or event.arguments:
        foreign(event, state)  # anything but a builtin without arguments


def _is_left_alone(at: Position, event: Lent, name: str, state: State) -> bool:
    """Whether a call of a plain function cannot touch anything that devices have or have had."""
    names = at.unit.plain.names_in(name)
    if names is None or any(symbol.name in names for symbol in state.beginning.on_device | state.beginning.linked):
        return False
    given = event.node.args.exprs if event.node.args is not None else []
    parameters = at.unit.sema.parameters(at.unit.sema.functions[name])
    if not len(given) == len(parameters) == len(event.arguments):
        return False
    reached = set()
    for parameter, argument, root in zip(parameters, given, event.arguments, strict=True):
        if is_pointer(parameter.type) and not isinstance(argument, c_ast.Constant):
            found = state.at(root)
            if found is None or found.members:
                return False
            reached.add(found.key)
    return all(
        memory.is_of_host or not (key in reached or (isinstance(key[0], Symbol) and key[0].name in names))
        for key, memory in state.memory.items()
    )


def _enter_function(at: Position, event: Lent, function: c_ast.FuncDef, state: State, before: Found | None) -> None:
    """Follow a call of one of the unit's functions. ``before`` is where the pointer leads that the last call gave."""
    sema = at.unit.sema
    given = event.node.args.exprs if event.node.args is not None else []
    calls = [number for number, one in enumerate(given) if isinstance(without_casts(one), c_ast.FuncCall)]
    sema.analyse(function, on_host=True)
    for number, parameter in enumerate(sema.parameters(function)):
        key: Key = (parameter, ())
        state.memory.pop(key, None)
        if is_pointer(parameter.type):
            if calls == [number]:
                made = without_casts(given[number])
                state.returned = before
                state.leads[key] = lead_of(at, Bound(made, None, None, made), state, key)
                continue
            found = state.at(event.arguments[number]) if number < len(event.arguments) else None
            state.leads[key] = _lead_of_parameter(found, parameter)
        elif number < len(given) and isinstance(strip(parameter.type), Record) and sema.is_typed(given[number]):
            for pointer in at.unit.reader.copied(parameter, given[number]):
                bind(at, pointer, state)
    if event.conditions:
        other = state.copy()
        after = joined([_function(at.under_condition(), function, state, event.node), other])
    else:
        after = _function(at, function, state, event.node)
    if after is None:
        state.forget_all()
    else:
        state.become(after)


def _lead_of_parameter(found: Found | None, parameter: Symbol) -> tuple[Key, bool] | None:
    """Where a parameter leads, which may be a structure that is a member of another."""
    if found is None or not found.members:
        return (found.key, found.shifted) if found is not None else None
    kind = strip(parameter.type)
    if not isinstance(kind, Pointer) or not isinstance(strip(kind.to), Record):
        return None
    return (found.key[0], (*found.key[1], *found.members)), found.shifted


# -- OpenMP -----------------------------------------------------------------------------------------------------------


def _construct(at: Position, node: OmpConstruct, state: State) -> State | None:
    directive = node.directive
    if directive.has("depend") and not directive.has("nowait"):
        state.wait()
    if directive.is_target:
        return _target(at, node, state)
    if directive.name in DATA_DIRECTIVES:
        return _data(at, node, state)
    leaves = set(directive.constructs)
    if leaves & _WAITING:
        after = _statement(at, node.body, state) if node.body is not None else state
        if after is not None:
            after.wait()
        return after
    if node.body is None:
        return state
    if leaves & _DEFERRING:
        return _deferred(at, node, state)
    copied = _copied(at, node)
    kept = {s: state.of((s, ())) for s in dict.fromkeys(copied)}
    for symbol in kept:
        state.memory[(symbol, ())] = Memory(size=Extents.of_type(symbol.type))
    after = _statement(at, node.body, state)
    if after is None:
        return None
    for symbol, memory in kept.items():
        after.memory[(symbol, ())] = memory
    for symbol in copied:
        if directive.has("reduction", "lastprivate", "linear") and (symbol, ()) in after.memory:
            after.forget_contents((symbol, ()))
    if not directive.has("nowait") and leaves & {"parallel", "for", "single"}:
        after.wait()
    return after


def _copied(at: Position, node: OmpConstruct) -> list[Symbol]:
    """The variables of which a construct has copies by its clauses."""
    found = []
    for clause in node.directive.all(*COPYING):
        for item in clause.items if isinstance(clause, ListClause | ReductionClause) else ():
            symbol = at.unit.sema.lookup(node, item.name)
            if symbol is not None:
                found.append(symbol)
    return found


def _deferred(at: Position, node: OmpConstruct, state: State) -> State:
    """A statement that runs at some time: what it mentions is not known any more."""
    for event in at.unit.reader.statement(node.body):
        for root in event.arguments if isinstance(event, Lent) else [getattr(event, "root", None)]:
            _forget_at(state, root)
        if isinstance(event, Lent):
            foreign(event, state)
    for inner in walk(node):
        if isinstance(inner, OmpConstruct):
            items = [*mapped_by(at.unit.sema, inner), *moved_by(at.unit.sema, inner)]
            _forget_if_unknown(state, (m.root for m in items))
            for mapped in items:
                _forget_at(state, mapped.root)
    return state


def _forget_if_unknown(state: State, roots: Iterable[Root]) -> None:
    """What a mapper maps, and where a pointer leads of which too little is known, may be any object whose address is
    stored somewhere."""
    if any(state.at(root) is None for root in roots):
        state.forget_escaped()


def _forget_at(state: State, root: Root | None) -> None:
    found = state.at(root)
    if found is not None:
        state.forget(found.key)


def _is_sure(at: Position, node: OmpConstruct, *names: str) -> bool:
    """Whether a construct acts on the device in any case, as far as its ``if`` clause says."""
    for clause in node.directive.all("if"):
        if isinstance(clause, ExprClause) and clause.modifier in (None, "target", *names) and clause.expr is not None:
            return bool(at.unit.sema.value(clause.expr.node))
    return True


def _target(at: Position, node: OmpConstruct, state: State) -> State | None:
    kernel = at.unit.kernels.get(node)
    if kernel is None:
        return _deferred(at, node, state)
    before = None if _is_sure(at, node) else state.copy()
    inside = at.doubting(before is not None, ", unless 'if' leaves the region to the host")
    named = _named(at, node, state)
    uses = [(root, e.writes) for e in kernel.events if isinstance(e, Use) and (root := e.root) is not None]
    of_mappers = at.unit.by_mappers.has
    mentioned = (*(root for root, _ in uses), *(m.root for m in kernel.maps))
    _forget_if_unknown(state, (root for root in mentioned if of_mappers(root.symbol)))
    of_tasks = listed_symbols(at.unit.sema, node, "in_reduction")  # of these the task around it has copies
    mapped = [m for m in kernel.maps if m.root.symbol not in of_tasks] if node.directive.has("nowait") else []
    copied = [m for m in mapped if _is_copied(state, m)]
    enter(inside, node, state, kernel.maps)
    run(inside, kernel, state, named)
    dropped = dropped_beside_maps(kernel, state)
    leave(inside, node, state, kernel.maps)
    for key, touch in dropped.items():
        state.memory[key] = replace(state.of(key), lost=touch, how=PRIVATE_COPY)
    if not node.directive.has("if"):
        defer(at, node, state, copied, named)
    if any(state.at(root) is None for root, writes in uses if writes):
        state.forget_escaped_contents()
    return joined([state, before])


def _is_copied(state: State, mapped: Mapped) -> bool:
    """Whether a construct with this list item surely copies, as what it names is not on the device."""
    found = state.at(mapped.root)
    return found is not None and (mapped.always or state.of(found.key).present == 0)


def _data(at: Position, node: OmpConstruct, state: State) -> State | None:
    before = None if _is_sure(at, node, node.directive.name) else state.copy()
    maps = [*mapped_by(at.unit.sema, node)]
    moved = [*moved_by(at.unit.sema, node)] if node.directive.name == "target update" else maps
    _forget_if_unknown(state, (m.root for m in moved))
    match node.directive.name:
        case "target update":
            update(at, node, state)
        case "target enter data":
            enter(at, node, state, maps)
        case "target exit data":
            leave(at, node, state, maps)
        case _:
            enter(at, node, state, maps)
            state = joined([state, before]) or state  # its statement runs whether or not it maps
            begun = state.leading(m.root for m in maps)
            kept = _device_pointers(at, node, state, before is None)
            after = _statement(at, node.body, state)
            if after is None:
                return None
            state = after
            for pointer, lead in kept:
                state.leads[pointer] = lead
                if lead is not None:
                    state.forget_contents(lead[0])
            now, state.leads = state.leads, {**state.leads, **begun}
            leave(at, node, state, maps)  # of what was mapped, wherever pointers lead now
            state.leads = now
            before = None
    if node.directive.has("nowait"):
        defer(at, node, state, moved, _named(at, node, state))
    return joined([state, before])


def _named(at: Position, node: OmpConstruct, state: State) -> frozenset[object]:
    """The objects that the ``depend`` clauses of a construct name.

    What waits for it waits for all that it waits for. So these objects order deferred constructs in front of it, too.
    """
    named: set[object] = set()
    for clause in node.directive.all("depend"):
        for item in clause.items if isinstance(clause, DependClause) else ():
            found = state.at(item_root(at.unit.sema, node, item))
            named.add(found.key if found is not None else None)
    if named:
        for key, memory in state.memory.items():
            if any(named & p.named for p in memory.pending):
                pending = tuple(replace(p, named=p.named | named) if named & p.named else p for p in memory.pending)
                state.memory[key] = replace(memory, pending=pending)
    return frozenset(named)


def _device_pointers(
    at: Position, node: OmpConstruct, state: State, sure: bool
) -> list[tuple[Key, tuple[Key, bool] | None]]:
    """Where variables hold addresses of the device, code that is not followed may change what these lead to.

    Returns where the pointers among them lead outside of the construct."""
    kept: list[tuple[Key, tuple[Key, bool] | None]] = []
    for clause in node.directive.all("use_device_ptr", "use_device_addr"):
        for item in clause.items if isinstance(clause, ListClause) else ():
            symbol = at.unit.sema.lookup(node, item.name)
            if symbol is None:
                continue
            found = state.at(Root(symbol, (DEREFERENCE,) if is_pointer(symbol.type) else ()))
            if found is None:
                continue
            state.forget_contents(found.key)
            memory = state.of(found.key)
            if is_pointer(symbol.type) and not found.members and memory.present != 0:
                kept.append(((symbol, ()), (found.key, found.shifted)))
                state.memory[found.key] = replace(memory, aliased=True)
                copy: Key = ((node, symbol), ())
                state.memory[copy] = replace(Memory().unknown(), of_device=item.span, copy_of=found.key)
                state.leads[symbol, ()] = (copy, found.shifted) if memory.present and sure else None
    return kept

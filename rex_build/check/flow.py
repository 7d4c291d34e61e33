"""Follows the program through its functions and keeps, for every object, what the host's and the device's copy hold.

It begins in ``main`` if the unit has one, and in every function that no other calls. Calls of the unit's functions are
followed. Where ways meet, only what both say is known. Loops run twice: what the second pass finds needs the first.
Functions with ``goto`` that leads backward, and programs with several devices, are not followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..base.exhaustive import assert_never
from ..base.findings import Finding
from ..base.records import replace
from ..tree import nodes as tree
from ..tree.symbols import Storage, Variable
from ..tree.types import Pointer, Record
from ..tree.values import constant, unconverted
from .calls import AT_THE_END, THROW, foreign, library, report_leak
from .constructs import construct
from .events import Bound, Event, Lent, Use
from .host_uses import bind, called, copy_pointers, lead_of, returned, truth, use
from .objects import Beginning, Found, Key, Lead, Origin, State, joined, joined_passes
from .position import ONCE, Exits, Journey, Position, TooFarError
from .uses import runs_once
from .whole_unit import WholeUnit

_MOST_CASES = 12
_MOST_CALLS = 20
_JUMPS = (tree.Continue, tree.Break, tree.Return, tree.Goto)
_ENDING = frozenset(("exit", "abort", "_Exit", THROW))


def follow(unit: WholeUnit) -> Journey:
    """What is found on all ways through the unit."""
    journey = Journey()
    if not unit.can_be_followed():
        return journey
    names = {other for body in unit.functions for other in unit.survey(body.function).called}
    roots = [body for body in unit.functions if body.function.name == "main"]
    roots += [body for body in unit.functions if body.function not in names and body.function.name != "main"]
    on_device, linked = (unit.variables_on_device(linked=linked) for linked in (False, True))
    for body in roots:
        if not unit.reaches(body.function):
            continue
        state = State(Beginning(on_device, linked, body.function.name == "main", unit.by_mappers))
        try:
            _function(Position(unit, journey, Exits.of_function()), body, state)
        except TooFarError:
            break
    return journey


# -- functions and statements -----------------------------------------------------------------------------------------


def _function(at: Position, body: tree.Body, state: State, call: tree.Call | None = None) -> State | None:
    """Follow a function. Returns the state at its end, or None if it does not come back."""
    function = body.function
    if at.unit.survey(function).jumps or len(at.calls) > _MOST_CALLS:
        state.forget_all()
        return state
    at.journey.calls += 1
    inside = replace(
        at,
        exits=Exits.of_function(),
        calls=(*at.calls, function),
        number=at.journey.calls,
        loops=(),
        around=(),
        conditions=(),
        caller=(at, call) if call is not None else None,
    )
    end = statement(inside, body.statement, state)
    ends = [*inside.exits.returns, *([end] if end is not None else [])]
    for one in (*ends, *inside.exits.throws):
        _check_locals(inside, body, one)
        _check_entered(inside, body, one)
    _check_allocated(inside, body, ends)
    return joined(ends)


def _check_locals(at: Position, body: tree.Body, state: State) -> None:
    """Whether a local variable ends its life while it is on the device."""
    own, name = at.unit.survey(body.function).own, body.function.name
    for (variable, path), memory in state.memory.items():
        if not path and memory.present and memory.mapped is not None and variable in own:
            assert isinstance(variable, Variable)
            message = f"'{variable.name}' is still on the device when '{name}' ends, and with it the variable"
            report_leak(at.doubting(name == "main", AT_THE_END), memory, message, variable.name)


def _check_allocated(at: Position, body: tree.Body, ends: list[State]) -> None:
    """Whether memory of the device is still there on all ways out of a function, of which only its variables know."""
    function = body.function
    for key, memory in ends[0].memory.items() if ends else ():
        if memory.of_device is None or not isinstance(key[0], tree.Call | Origin) or memory.copy_of is not None:
            continue
        others = [end.memory.get(key) for end in ends]
        if any(one is None or one.freed is not None or one.escaped for one in others):
            continue
        known = [pointer for end in ends for pointer, lead in end.leads.items() if lead is not None and lead[0] == key]
        given = any(end.returned is not None and end.returned.key == key for end in ends)
        variables = at.unit.survey(function).own
        own = [v for v, path in known if not path and isinstance(v, Variable) and v in variables]
        if given or not own or len(own) < len(known):
            continue
        certain, name = function.name != "main", own[0].name
        message = f"nothing releases this memory of the device before '{function.name}' ends"
        message += "" if certain else AT_THE_END
        advice = f"call omp_target_free({name}, …) on all ways out"
        at.report(Finding("leak", certain, message, memory.of_device, name, advice))


def _check_entered(at: Position, body: tree.Body, state: State) -> None:
    """Whether a way out of a function leaves data on the device that only this function would remove."""
    entered = at.unit.entered_by(body.function)
    for key, memory in state.memory.items() if entered else ():
        mapped = entered.get(memory.mapped) if memory.mapped is not None and memory.present else None
        found = state.at(mapped.root) if mapped is not None else None
        if mapped is None or found is None or found.key != key or mapped.item is None:
            continue
        item = mapped.item
        where = f"a way out of '{body.function.name}'"
        message = f"'{item.text}' stays on the device on {where}, unless other code removes it"
        advice = f"add '#pragma omp target exit data map(release: {item.text})' there"
        at.report(Finding("leak", False, message, mapped.span, item.name, advice, ()))


def statement(at: Position, node: tree.Statement | None, state: State) -> State | None:
    """Follow a statement. Returns the state behind it, or None if no way leads there."""
    at.journey.step()
    match node:
        case tree.Evaluate():
            return events(at, at.unit.reader.expression(node.expression), state)
        case None | tree.Case() | tree.Target():
            return state
        case tree.Block():
            return _block(at, node.statements, state)
        case tree.Declare():
            is_blank = node.initialiser is None and at.unit.is_of_regions(node.variable.name)
            state.begin(node.variable, is_blank)
            return events(at, at.unit.reader.expression(node), state)
        case tree.If():
            return _if(at, node, state)
        case tree.Loop():
            return _loop(at, node, state)
        case tree.Switch():
            return _switch(at, node, state)
        case tree.Construct():
            return construct(at, node, state, statement)
        case tree.Return():
            _evaluated(at, node.value, state)
            state.returned = returned(at, node.value, state)
            if at.caller is not None and node.value is not None and isinstance(node.value.type, Record):
                copy_pointers(at, (at.caller[1], ()), node.value, state)
            at.exits.returns.append(state)
        case tree.Break():
            at.exits.breaks.append(state)
        case tree.Continue():
            at.exits.continues.append(state)
        case tree.Goto():
            at.exits.gotos.setdefault(node.label, []).append(state)
        case tree.Opaque():
            return events(at, at.unit.reader.expression(node), state)
        case _:
            assert_never(node)
    return None


def _evaluated(at: Position, node: tree.Expression | None, state: State) -> None:
    if node is not None:
        events(at, at.unit.reader.expression(node), state)


def _block(at: Position, nodes: Sequence[tree.Statement], state: State | None) -> State | None:
    exits = at.exits
    leaving = [exits.returns, exits.throws, exits.breaks, exits.continues]
    marks = [len(states) for states in leaving]
    ends: list[tree.Expression] = []
    for node in nodes:
        if isinstance(node, tree.Target):
            state = joined([state, *exits.gotos.pop(node.label, ())])
        state = statement(at, node, state) if state is not None else None
        if isinstance(node, tree.Declare) and node.end is not None:
            ends.append(node.end)
        in_loop = at.loops or at.first_pass is not None
        if in_loop and isinstance(node, tree.If) and any(isinstance(part, _JUMPS) for part in tree.walk(node)):
            at = _under(at, node)
    for end in reversed(ends):
        for states, mark in zip(leaving, marks, strict=True):
            for one in states[mark:]:
                _evaluated(at, end, one)
        if state is not None:
            _evaluated(at, end, state)
    return state


def _if(at: Position, node: tree.If, state: State) -> State | None:
    _evaluated(at, node.condition, state)
    known = truth(node.condition, state)
    if known is not None:
        return statement(at, node.then if known else node.otherwise, state)
    other = state.copy()
    at = _under(at, node)
    return joined([statement(at, node.then, state), statement(at, node.otherwise, other)])


def _under(at: Position, node: tree.If) -> Position:
    at = at.under_condition()
    return replace(at, conditions=(*at.conditions, node.condition)) if at.loops else at


def _loop(at: Position, node: tree.Loop, state: State) -> State | None:
    start = statement(at, node.start, state)
    if start is None:
        return None
    _evaluated(at, node.condition, start)
    level = at.extents.level(node)
    # A loop in canonical form is taken to run: what it does if it runs is wrong or right all the same.
    runs = level is not None or node.body_first
    before = start.copy()
    once = runs_once(node)
    # What only the host does is the same in every pass.
    repeats = not once and node in at.unit.survey(at.calls[-1]).acting
    loops = at.loops if once or repeats else (*at.loops, node)
    around = (*at.around, node) if repeats else at.around
    conditions = at.conditions if at.loops else ()
    inside = replace(at, exits=replace(at.exits, breaks=[]), loops=loops, around=around, conditions=conditions)
    # A loop that only a jump ends has the jumps of later passes, too, in front of which the first has written.
    forever = node.condition is None or (level is None and bool(constant(node.condition)))
    twice = repeats or (forever and not once)
    first = _pass(replace(inside, first_pass=node) if twice else inside, node, start)
    ends = [] if first is None else [first.copy()]
    if first is not None and twice:
        doubtful = level is None or level.trips is None or level.trips < 2
        again = replace(inside, again=(*at.again, node))
        second = _pass(again.doubting(doubtful, ONCE), node, first)
        ends = [*ends, second] if second is not None else ends
    if forever:
        return joined_passes(inside.exits.breaks)
    return joined_passes([*ends, *inside.exits.breaks, *([] if runs else [before])])


def _pass(at: Position, node: tree.Loop, state: State) -> State | None:
    inside = replace(at, exits=replace(at.exits, continues=[]))
    end = statement(inside, node.body, state)
    end = joined([*inside.exits.continues, end])
    if end is not None:
        _evaluated(at, node.step, end)
        _evaluated(at, node.condition, end)
    return end


def _switch(at: Position, node: tree.Switch, state: State) -> State | None:
    _evaluated(at, node.value, state)
    at = at.under_condition()
    items = node.body.statements if isinstance(node.body, tree.Block) else (node.body,)
    cases = [number for number, item in enumerate(items) if isinstance(item, tree.Case)]
    if len(cases) > _MOST_CASES:
        state.forget_all()
        return state
    has_default = any(isinstance(item, tree.Case) and item.values is None for item in items)
    ends = [] if has_default else [state.copy()]
    for number in cases:
        inside = replace(at, exits=replace(at.exits, breaks=[]))
        end = _block(inside, items[number:], state.copy())
        ends += inside.exits.breaks + ([end] if end is not None else [])
    return joined(ends)


# -- events of the host -----------------------------------------------------------------------------------------------


def events(at: Position, found: Iterable[Event], state: State) -> State | None:
    """Follow what an expression does. Returns the state behind it, or None if it ends the program."""
    ends = False
    for event in found:
        at.journey.steps += 1
        if isinstance(event, Use):  # most events
            use(at, event, state)
        elif isinstance(event, Bound):
            bind(at, event, state)
        elif isinstance(event, Lent):
            _call(at, event, state)
            ends = ends or (event.function is not None and event.function.name in _ENDING)
            if event.name == THROW:
                at.exits.throws.append(state)
        elif (place := state.at(event.root)) is not None:
            state.escapes(place.key)
            if isinstance(event.node, tree.Opaque):
                state.forget_contents(place.key)
                state.forget_pointers(place.place)
    return None if ends else state


def _call(at: Position, event: Lent, state: State) -> None:
    function, unit = event.function, at.unit
    before, state.returned = state.returned, None
    body = unit.body(function) if function is not None else None
    if body is not None:
        if body.function in at.calls:
            state.forget_all()
        elif not _is_left_alone(at, event, body, state) and unit.reaches(body.function):
            _enter_function(at, event, body, state, before)
    elif function is not None and (unit.is_of_system(function) or function.name.startswith("omp_")):
        library(at, event, state)
    elif function is None or event.arguments or not function.name.startswith("__"):
        foreign(event, state)  # anything but a builtin without arguments


def _is_left_alone(at: Position, event: Lent, body: tree.Body, state: State) -> bool:
    """Whether a call of a plain function cannot touch anything that devices have or have had."""
    named = at.unit.plain(body.function)
    if named is None or not named.isdisjoint(state.beginning.on_device | state.beginning.linked):
        return False
    if not len(event.node.arguments) == len(body.parameters) == len(event.arguments):
        return False
    reached = set()
    for parameter, argument, root in zip(body.parameters, event.node.arguments, event.arguments, strict=True):
        if isinstance(parameter.type, Pointer) and not _is_constant(unconverted(argument)):
            found = state.at(root)
            if found is None:
                return False
            reached.add(found.key)
    return all(
        memory.is_of_host or not (key in reached or key[0] in named) for key, memory in state.memory.items()
    )


def _is_constant(argument: tree.Expression) -> bool:
    """Whether a pointer is null, or leads to a string literal."""
    if isinstance(argument, tree.Decay) and isinstance(argument.array, tree.Named):
        variable = argument.array.variable
        return variable.storage is Storage.CONSTANT and not variable.name
    return isinstance(argument, tree.Constant)


def _enter_function(at: Position, event: Lent, body: tree.Body, state: State, before: Found | None) -> None:
    """Follow a call of one of the unit's functions. ``before`` is where the pointer leads that the last call gave."""
    given: list[tree.Expression | None] = [*([None] if event.node.constructs else ()), *event.node.arguments]
    calls = [number for number, one in enumerate(given) if one is not None and called(unconverted(one)) is not None]
    for number, parameter in enumerate(body.parameters):
        key: Key = (parameter, ())
        argument = given[number] if number < len(given) else None
        state.memory.pop(key, None)
        if isinstance(parameter.type, Pointer):
            if calls == [number] and argument is not None:
                made = unconverted(argument)
                state.returned = before
                state.leads[key] = lead_of(at, Bound(made, None, None, made), state, key)
                continue
            found = state.at(event.arguments[number]) if number < len(event.arguments) else None
            if argument is None and found is None and event.node.constructs:  # the call stands for what it makes
                found = Found((event.node, ()), (), False)
                state.take_pointers(None, found.key)
            state.leads[key] = _lead_of_parameter(found, parameter)
        elif argument is not None and isinstance(parameter.type, Record):
            copy_pointers(at, key, argument, state)
    if event.conditions:
        other = state.copy()
        after = joined([_function(at.under_condition(), body, state, event.node), other])
    else:
        after = _function(at, body, state, event.node)
    if after is None:
        state.forget_all()
    else:
        state.become(after)


def _lead_of_parameter(found: Found | None, parameter: Variable) -> Lead | None:
    """Where a parameter leads, which may be a structure that is a member of another."""
    if found is None or not found.members:
        return (found.key, found.shifted) if found is not None else None
    if not isinstance(parameter.type, Pointer) or not isinstance(parameter.type.to, Record):
        return None
    return (found.key[0], (*found.key[1], *found.members)), found.shifted

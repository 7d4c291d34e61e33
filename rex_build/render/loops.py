"""Prints loops whose iterations threads share out: trip counts, counters, schedules."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.names import indent
from ..base.records import dataclass, replace
from ..plan.constructs import Code, Entity, Escaping, LoopNest, Over, Schedule, Sharing
from ..plan.launch import MAX_THREADS
from ..plan.optimised import WIDE, WIDE_IN_TURN, BlockLoop, DirectKernel, Optimised, StagedLoop, Tiles, WideRead
from ..plan.printer import Printer
from .claims import iteration
from .copies import Copies, copied, user_block
from .lines import listed

# Prints loops that threads run together: those over rows that a warp moves (see include/cuda/rex_rows.h), and those
# that a block shares out (see include/rex_block.h).

ROWS = "__rex_rows"  # the warp's iterations and their stages


def staged_loop(loop: StagedLoop, printer: Printer, depth: int) -> str:
    """The call that runs a staged loop: the body is a closure, and the elements of rows are its parameters."""
    head, pad = loop.head, indent(depth + 1)
    name = printer.own_name(head.symbol)
    inner = printer.with_names({head.symbol: name})
    variable = printer.declaration(head.type, name)
    text = f"{pad}const long long __rex_trips = {printer.trip_count(head)};\n"
    text += f"{pad}{variable} = {printer.iteration_value(head, '0')};\n"
    parameters, rows, replaced = ["const long long __rex_k"], [], {}
    for number, row in enumerate(loop.rows, 1):
        element = f"{_stem(row.symbol)}__rex_row_{number}"
        place = inner.expression(row.element)
        deduced = printer.facts(row.type).is_deduced
        kind = f"decltype(rex_decayed({place}))" if deduced else printer.declaration(row.type)
        const, way = ("", "written") if row.written else ("const ", "same" if loop.same else "read")
        parameters.append(f"{const}{kind} &{element}")
        rows.append(f"rex_{way}_row<{kind}>{{__rex_trips > 0 ? &{place} : nullptr}}")
        replaced.update(dict.fromkeys(row.uses, element))
    everything: dict[Code, str] = {**printer.around.replaced, **replaced}
    body = inner.with_names({}, replaced=everything).statement(loop.body, depth + 2)
    function = f"rex_apart_rows_loop({ROWS}" if loop.apart else f"rex_rows_loop({ROWS}"
    if loop.same:
        function = "rex_same_rows_loop(__rex_tripcount - __rex_iv"
    text += _indented(listed(f"{function}, __rex_trips, [&](", parameters, ") {"), pad)
    text += f"{indent(depth + 2)}{variable} = {printer.iteration_value(head, '__rex_k')};\n{body}"
    return f"{indent(depth)}{{\n{text}{_indented(listed('}, ', rows, ');'), pad)}{indent(depth)}}}\n"


def block_loop(loop: BlockLoop, printer: Printer, depth: int) -> str:
    """The call that shares a loop out: an iteration is a closure, and the variables that it combines with values are
    its parameters. Another closure computes these values first, if iterations read such variables."""
    head, pad, inside = loop.head, indent(depth + 1), indent(depth + 2)
    name = printer.own_name(head.symbol)
    variable = printer.declaration(head.type, name)
    names = {one.symbol: printer.own_name(one.symbol) for one in loop.carried}
    inner = printer.with_names({head.symbol: name, **names})
    parameters = ["const long long __rex_k", *(f"auto &{one}" for one in names.values())]

    def closure(body: Code) -> str:
        first = f"{inside}{variable} = {printer.iteration_value(head, '__rex_k')};\n"
        return first + inner.statement(body, depth + 2)

    text = f"{pad}const long long __rex_trips = {printer.trip_count(head)};\n"
    carried, last = [], ""
    for one in loop.carried:
        place = printer.symbol_text(one.symbol)
        if one.shared:  # every thread has a copy, and the first one leaves the value behind
            copy = f"{one.symbol.name}__rex_copy"
            text += f"{pad}{printer.declaration(one.type, copy)} = {place};\n"
            last += f"{pad}    {place} = {copy};\n"
            place = copy
        carried.append(f"rex_carried<{one.operator}, {printer.declaration(one.type)}>{{{place}}}")
    call = "rex_block_scan" if loop.ahead is not None else "rex_block_loop"
    text += _indented(listed(f"{call}(__rex_trips, [&](", parameters, ") {"), pad)
    if loop.ahead is not None:
        text += closure(loop.ahead) + _indented(listed("}, [&](", parameters, ") {"), pad)
    text += closure(loop.body)
    text += _indented(listed("}, ", carried, ");") if carried else "});", pad)
    text += f"{pad}if (rex_team_first()) {{\n{last}{pad}}}\n" if last else ""
    if not head.declared:
        text += f"{pad}{printer.symbol_text(head.symbol)} = {printer.iteration_value(head, '__rex_trips')};\n"
    return f"{indent(depth)}{{\n{text}{indent(depth)}}}\n"


def _indented(lines: str, pad: str) -> str:
    return "".join(f"{pad}{line}\n" for line in lines.split("\n"))


_PLAIN = Optimised()  # for loops inside kernels


# For each way to share iterations: (how many share them, the number of this one)
SHARES = {
    Over.TEAM: ("omp_get_num_threads()", "omp_get_thread_num()"),
    Over.TEAMS: ("omp_get_num_teams()", "omp_get_team_num()"),
    Over.GRID: (
        "(long long)omp_get_num_teams() * omp_get_num_threads()",
        "(long long)omp_get_team_num() * omp_get_num_threads() + omp_get_thread_num()",
    ),
}


@dataclass(frozen=True)
class SharedLoop:
    """A loop nest whose iterations threads share out.

    ``outer`` prints bounds, with the original variables, and ``copies`` are the copies that the body uses.
    ``escaping`` are the loop variables that other threads may reach.
    """

    nest: LoopNest
    schedule: Schedule
    sharing: Sharing
    outer: Printer
    copies: Copies
    escaping: Escaping
    optimised: Optimised = Optimised()  # a loop inside a kernel stays as it is


def iterations(loop: SharedLoop, depth: int, count: str, index: str, split: str = "", least: int = 0) -> str:
    """The loops that run this thread's share of a nest's iterations.

    ``count`` says how many share the iterations, and ``index`` is the number of this one. With ``split``, a team's
    threads run the body together (``teams``, and ``team`` where each team has at most one iteration), or they share the
    iterations without asking the device library who they are (``region``, ``batches`` where a thread has several on
    their way, and ``part`` where one of them may run all).
    Then there are at least ``least`` threads.
    """
    pad, schedule, outer = indent(depth), loop.schedule, loop.outer
    text, divisors = _trip_counts(loop, pad)
    for symbol, _ in loop.sharing.linear:
        text += f"{pad}const auto {symbol.name}__rex_start = {outer.symbol_text(symbol)};\n"
    if not schedule.chunked:
        text += _strided(loop, depth, count, index, divisors, split, least)
        return text + _linear_values(loop.sharing, outer, loop.copies, pad, "__rex_tripcount")
    if schedule.over is Over.GRID:
        return text + _dealt_twice(loop, depth, divisors)
    chunk = schedule.team_chunk if schedule.over is Over.TEAMS else schedule.thread_chunk
    size = outer.argument(chunk) if chunk is not None else _even(schedule, _share("__rex_tripcount", count))
    body = _iteration(replace(loop, optimised=_PLAIN), depth + 2, divisors)
    return text + _round_robin("__rex_tripcount", size, count, index, "", "__rex_iv", body, depth)


def _trip_counts(loop: SharedLoop, pad: str) -> tuple[str, list[str]]:
    """(the trip counts' declarations, what an iteration's number is divided by for each level)"""
    text, trips, divisors = "", [], []
    many = len(loop.nest.levels) > 1
    for number, level in enumerate(loop.nest.levels):
        name = f"__rex_tripcount_{number}" if many else "__rex_tripcount"
        trips.append(name)
        trip = _plain(loop.outer.trip_count(level))
        divisors.append(name if level.trips != 0 else "1")  # a division by 0 would never run, but compilers would warn
        text += f"{pad}const long long {name} = {trip};\n"
    if many:
        text += f"{pad}const long long __rex_tripcount = {' * '.join(trips)};\n"
    return text, divisors


_MACROS = {
    "teams": "REX_TEAM_LOOP", "region": "REX_REGION_LOOP", "batches": "REX_REGION_BATCHES", "part": "REX_REGION_PART",
}  # fmt: skip


def _strided(
    loop: SharedLoop, depth: int, count: str, index: str, divisors: Sequence[str], split: str, least: int
) -> str:
    """A loop of which every thread runs each ``count``-th iteration."""
    pad, nest = indent(depth), loop.nest
    once, most = loop.schedule.over is Over.GRID and not loop.sharing.reductions, 0
    macro = _MACROS.get(split, "REX_STRIDED_LOOP")
    if split in ("teams", "region", "batches") and nest.counts_in_32_bits:
        macro += "_32"
    share = f"{index}, {count}, " if split != "part" else ""
    if split == "team":
        macro, share = "REX_TEAM_ONCE", ""
        most = 2**31 - 1 if len(nest.levels) == 1 else 0
    if split in ("region", "batches"):
        share, known = "", nest.levels[0].trips if len(nest.levels) == 1 else None
        if known is not None and known <= least:
            macro, most = "REX_REGION_ONCE", known
        elif known is not None and known <= MAX_THREADS:
            once = not least and split == "region"
    text = f"{pad}REX_ONE_ITERATION\n" if once else ""
    if loop.optimised.batched:
        macro = "REX_BATCHED_LOOP"
        text = f"{pad}REX_SIDE_BY_SIDE({loop.optimised.batched})\n"
    if loop.optimised.wide:
        return _in_groups(loop, depth, share, divisors)
    text += f"{pad}for ({macro}(__rex_iv, {share}__rex_tripcount)) {{\n"
    return f"{text}{_iteration(loop, depth + 1, divisors, most)}{pad}}}\n"


def _in_groups(loop: SharedLoop, depth: int, share: str, divisors: Sequence[str]) -> str:
    """A loop over groups of iterations whose narrow elements are loaded at once, and a loop over those left over."""
    pad, inside = indent(depth), indent(depth + 1)
    reads = loop.optimised.wide
    left = replace(loop, optimised=replace(loop.optimised, wide=()))

    def first(of: str) -> tuple[str, list[str]]:
        """(the declarations of an iteration's variables, the elements that it reads)"""
        variables, copies = _loop_variables(loop, inside, [of], False)
        return variables, [copies.printer.expression(read.element) for read in reads]

    variables, elements = first("0")
    text = f"{pad}rex_groups __rex_in;\n{pad}{{\n{variables}"
    text += f"{inside}__rex_in = rex_groups_of<{WIDE}>(__rex_tripcount, {', '.join(f'&({e})' for e in elements)});\n"
    text += f"{pad}}}\n{pad}REX_SIDE_BY_SIDE({WIDE_IN_TURN})\n"
    text += f"{pad}for (REX_BATCHED_LOOP(__rex_group, {share}__rex_in.groups)) {{\n"
    text += f"{inside}const long long __rex_first = __rex_in.first + __rex_group * {WIDE};\n"
    variables, elements = first("__rex_first")
    text += variables
    for read, element in zip(reads, elements, strict=True):
        text += f"{inside}const auto {_group(read)} = rex_group<{WIDE}>(&({element}));\n"
    text += f"{inside}REX_SIDE_BY_SIDE({WIDE})\n{inside}for (int __rex_k = 0; __rex_k < {WIDE}; ++__rex_k) {{\n"
    text += f"{indent(depth + 2)}const long long __rex_iv = __rex_first + __rex_k;\n"
    text += f"{_iteration(loop, depth + 2, divisors)}{inside}}}\n{pad}}}\n"
    text += f"{pad}REX_SIDE_BY_SIDE({loop.optimised.batched})\n"
    text += f"{pad}for (REX_BATCHED_LOOP(__rex_left, {share}__rex_tripcount - __rex_in.groups * {WIDE})) {{\n"
    text += f"{inside}const long long __rex_iv = rex_outside<{WIDE}>(__rex_in, __rex_left);\n"
    return f"{text}{_iteration(left, depth + 1, divisors)}{pad}}}\n"


def _group(read: WideRead) -> str:
    return f"{_stem(read.symbol)}__rex_group"


def _dealt_twice(loop: SharedLoop, depth: int, divisors: Sequence[str]) -> str:
    """The loop of ``distribute parallel for``: teams get chunks in turn, and a team's threads share its chunks."""
    schedule, outer = loop.schedule, loop.outer
    teams, team = SHARES[Over.TEAMS]
    threads, thread = SHARES[Over.TEAM]
    chunk, inside, trip = schedule.team_chunk, depth + 2, "_dev_upper - _dev_lower + 1"
    team_size = outer.argument(chunk) if chunk is not None else _share("__rex_tripcount", teams)
    first = "const long long __rex_iv = _dev_lower + __rex_local;\n"
    if schedule.thread_chunk is not None or schedule.even:
        size = _even(schedule, f"(_dev_upper - _dev_lower + {threads}) / {threads}")
        if schedule.thread_chunk is not None:
            size = outer.argument(schedule.thread_chunk)
        body = indent(inside + 2) + first + _iteration(replace(loop, optimised=_PLAIN), inside + 2, divisors)
        body = _round_robin(trip, size, threads, thread, "_thread", "__rex_local", body, inside)
    else:
        body = f"{indent(inside)}for (REX_STRIDED_LOOP(__rex_local, {thread}, {threads}, {trip})) {{\n"
        body += indent(inside + 1) + first + _iteration(replace(loop, optimised=_PLAIN), inside + 1, divisors)
        body += f"{indent(inside)}}}\n"
    return _round_robin("__rex_tripcount", team_size, teams, team, "", "", body, depth)


def _share(trip: str, count: str) -> str:
    """The size of one contiguous part of ``count`` parts."""
    return f"({trip} + {count} - 1) / {count}"


def _even(schedule: Schedule, share: str) -> str:
    """The size of chunks if no clause gives it."""
    return f"rex_runtime_chunk({share})" if schedule.runtime else share


def direct_iterations(loop: SharedLoop, direct: DirectKernel, depth: int) -> str:
    """The one iteration that this thread runs, in a launch whose grid covers all of them."""
    nest, optimised, outer = loop.nest, loop.optimised, loop.outer
    pad, kind = indent(depth), "int" if optimised.index32 else "long long"
    text = ""
    trips = []
    for number, level in enumerate(nest.levels):
        trips.append(f"__rex_tripcount_{number}" if len(nest.levels) > 1 else "__rex_tripcount")
        trip = outer.trip_count(level)
        text += f"{pad}const {kind} {trips[-1]} = {f'(int)({_plain(trip)})' if optimised.index32 else _plain(trip)};\n"
    if direct.tiles is not None:
        rows, columns = trips[0], trips[-1]
        if len(trips) > 2:
            rows = "__rex_rows"
            text += f"{pad}const int {rows} = {' * '.join(trips[:-1])};\n"
        places = ["__rex_row", "__rex_column"]
        if direct.tiles is Tiles.TURNED:
            rows, columns, places = columns, rows, places[::-1]
        shape = f"{rows}, {columns}, __rex_tiling"
        down, across = "REX_TILE_ROWS", "REX_TILE_COLUMNS"
        if loop.sharing.reductions:
            down, across = "REX_SUM_ROWS", "REX_SUM_COLUMN"
        elif optimised.batched:
            down, across = "REX_TILE_BATCHES", "REX_BATCH_COLUMN"
            text += f"{pad}REX_SIDE_BY_SIDE({optimised.batched})\n"
        text += f"{pad}for ({down}(__rex_row, {shape}))\n"
        text += f"{pad}    for ({across}(__rex_column, __rex_row, {shape})) {{\n"
        apart, counters = _counters(len(trips) - 1, places[0], "int", trips, True, depth + 2)
        counters = _wide(nest, [*counters, places[1]])
        text += apart + _body(loop, depth + 2, counters, ranges=True)
        return f"{text}{pad}    }}\n"
    if len(trips) > 1:
        text += f"{pad}const {kind} __rex_tripcount = {' * '.join(trips)};\n"
    macro = "REX_COVERED_LOOP(__rex_iv, " if optimised.index32 else "REX_COVERED_LOOP_64(__rex_iv, "
    if optimised.staged:
        text += f"{pad}REX_ROWS({ROWS}, __rex_tripcount);\n"
        macro = f"REX_ROWS_LOOP(__rex_iv, {ROWS}, "
    text += f"{pad}for ({macro}__rex_tripcount)) {{\n"
    apart, counters = _counters(len(trips), "__rex_iv", kind, trips, optimised.index32, depth + 1)
    text += apart + _body(loop, depth + 1, _wide(nest, counters), ranges=True)
    return f"{text}{pad}}}\n"


def _wide(nest: LoopNest, counters: Sequence[str], most: int = 2**31 - 1) -> list[str]:
    """Counters, each an ``int`` below ``most``, widened if the value of the loop variable needs more bits."""
    levels = zip(nest.levels, counters, strict=True)
    return [f"(long long){c}" if most > lv.narrow_counts else c for lv, c in levels]


def _round_robin(
    trip: str, chunk: str, count: str, index: str, suffix: str, counter: str, body: str, depth: int
) -> str:
    """The XOMP static scheduler, which deals out chunks in turn. With ``counter`` a loop over each chunk is added."""
    pad = indent(depth)
    state, low, high = f"__rex_schedule{suffix}", f"_dev_lower{suffix}", f"_dev_upper{suffix}"
    text = f"{pad}rex_static_schedule {state};\n{pad}long long {low}, {high};\n"
    text += f"{pad}XOMP_static_sched_init(&{state}, {trip}, {chunk}, {count}, {index});\n"
    text += f"{pad}while (XOMP_static_sched_next(&{state}, &{low}, &{high})) {{\n"
    if not counter:
        return f"{text}{body}{pad}}}\n"
    text += f"{pad}    for (long long {counter} = {low}; {counter} <= {high}; ++{counter}) {{\n"
    return f"{text}{body}{pad}    }}\n{pad}}}\n"


def _plain(text: str) -> str:
    """An expression without the pair of parentheses around all of it."""
    if not text.startswith("("):
        return text
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return text[1:-1] if at == len(text) - 1 else text
    return text


def _operand(text: str) -> str:
    """An expression as an operand: a number, a name, or in parentheses."""
    return text if text.replace("_", "").isalnum() or _plain(text) != text else f"({text})"


def _iteration(loop: SharedLoop, depth: int, trips: Sequence[str], most: int = 0) -> str:
    """One logical iteration, ``__rex_iv``. If ``most`` is given, it is an ``int`` below it."""
    index32 = loop.optimised.index32
    text, counters = _counters(len(loop.nest.levels), "__rex_iv", "long long", trips, index32, depth)
    if most:
        counters = _wide(loop.nest, counters, most)
    return text + _body(loop, depth, counters)


def _counters(
    levels: int, number: str, kind: str, trips: Sequence[str], index32: bool, depth: int
) -> tuple[str, list[str]]:
    """(statements that compute the counters of collapsed loops from an iteration's ``number``, these counters)"""
    pad = indent(depth)
    if levels == 1:
        return "", [number]
    text = f"{pad}{kind} __rex_rest = {number};\n"
    for level in range(levels - 1, 0, -1):
        if index32:
            text += f"{pad}const {kind} __rex_iv_{level} = rex_innermost(__rex_rest, {trips[level]});\n"
        else:
            text += f"{pad}const {kind} __rex_iv_{level} = __rex_rest % {trips[level]};\n"
            text += f"{pad}__rex_rest /= {trips[level]};\n"
    return text, ["__rex_rest"] + [f"__rex_iv_{n}" for n in range(1, levels)]


def _body(loop: SharedLoop, depth: int, counters: Sequence[str], ranges: bool = False) -> str:
    """The loop variables' values, the body, and what the last iteration leaves behind.

    With ``ranges``, the compiler is told between which values the variables are. It would know that of the program's
    own loops, and leaves out tests for borders.
    """
    nest, sharing, outer, copies, optimised = loop.nest, loop.sharing, loop.outer, loop.copies, loop.optimised
    pad = indent(depth)
    before = _linear_values(sharing, outer, copies, pad, "__rex_iv")  # steps may have the names of loop variables
    for level in (lv for lv in nest.levels if lv.symbol in sharing.lastprivate):
        if level.step is not None:
            before += f"{pad}const auto {level.symbol.name}__rex_step = {outer.argument(level.step)};\n"
    variables, copies = _loop_variables(loop, pad, counters, ranges)
    lines, inner = iteration(copies.printer, depth)
    before += variables + lines
    copies = replace(copies, printer=inner)
    # Elements that only this iteration uses: they are written back at its end.
    scalars = {
        s: f"{_stem(s.symbol)}__rex_element{s.member and '_'}{s.member}"
        for s in optimised.scalars
        if s.symbol in inner.around.restricted
    }
    before += "".join(f"{pad}{inner.declaration(scalar.type, name)};\n" for scalar, name in scalars.items())
    outside = copies.outside()
    after = "".join(f"{pad}{outside.expression(s.element)} = {name};\n" for s, name in scalars.items())
    if sharing.lastprivate:
        lines = "".join(f"{pad}    {line}" for line in _last_values(nest, sharing, outer, copies))
        after += f"{pad}if (__rex_iv == __rex_tripcount - 1) {{\n{lines}{pad}}}\n"
    reads = {read: f"{_stem(read.symbol)}__rex_bound_{i}" for i, read in enumerate(inner.around.hoists, 1)}
    hoisted: dict[Code, list[str]] = {}
    for read, name in reads.items():
        line = f"const {inner.declaration(read.type, name)} = {inner.expression(read.element)};"
        hoisted.setdefault(read.loop.loop, []).append(line)
    replaced = {use: name for s, name in scalars.items() for use in s.uses}
    replaced.update({use: name for read, name in reads.items() for use in read.uses})
    replaced.update({use: f"{_group(read)}.at[__rex_k]" for read in optimised.wide for use in read.uses})
    copies = replace(copies, printer=inner.with_names({}, before=hoisted, replaced=replaced))
    return user_block(copies, nest.body, depth, before, after)


def _loop_variables(loop: SharedLoop, pad: str, counters: Sequence[str], ranges: bool) -> tuple[str, Copies]:
    """(the declarations of one iteration's loop variables, the copies with these variables)"""
    nest, sharing, outer, copies = loop.nest, loop.sharing, loop.outer, loop.copies
    text, inner = "", copies.printer
    names: dict[Entity, str] = {}
    last: dict[Entity, str] = {}
    mentioned = inner.mentions(nest.body)
    for level, counter in zip(nest.levels, counters, strict=True):
        symbol = level.symbol
        if mentioned.isdisjoint((symbol, *level.same)) and symbol not in sharing.lastprivate:
            continue
        value = outer.iteration_value(level, counter)
        if symbol in loop.escaping.copies:
            text += f"{pad}{copies.place(symbol)} = {value};\n"
            continue
        names[symbol] = name = inner.own_name(symbol)
        if symbol in sharing.lastprivate:
            last[symbol] = name = f"{name}__rex_last"
        names.update(dict.fromkeys(level.same, name))
        text += f"{pad}{outer.declaration(level.type, name)} = {value};\n"
        for relation, end in level.limits if ranges else ():
            text += f"{pad}REX_ASSUME({name} {relation} {_operand(outer.expression(end))});\n"
    around = {s: place for s, place in inner.around.places.items() if s not in names}
    bindings, places = {**copies.bindings, **last}, {**copies.places, **names, **last}
    return text, replace(copies, printer=inner.with_names(names, places=around), bindings=bindings, places=places)


def _last_values(nest: LoopNest, sharing: Sharing, outer: Printer, copies: Copies) -> list[str]:
    """The statements that store in the originals what the last iteration leaves behind."""
    own = {level.symbol: level for level in nest.levels}
    lines = []
    for symbol in (s for s in sharing.lastprivate if not outer.facts(s.type).is_sizeless):
        level = own.get(symbol)
        if level is None:
            lines.append(copied(symbol, outer, copies.place(symbol)))
            continue
        step = f"{symbol.name}__rex_step" if level.step is not None else str(level.step_value)
        down = level.step_negated if level.step is not None else not level.increasing
        lines.append(f"{outer.symbol_text(symbol)} = {copies.place(symbol)} {'-' if down else '+'} ({step});\n")
    return lines


def _linear_values(sharing: Sharing, outer: Printer, copies: Copies, pad: str, iteration: str) -> str:
    """The statements that give linear variables their values at the beginning of a logical iteration."""
    text = ""
    for symbol, step in sharing.linear:
        by = f"({outer.expression(step)})" if step is not None else "1"
        text += f"{pad}{copies.place(symbol)} = {symbol.name}__rex_start + {iteration} * {by};\n"
    return text


def _stem(symbol: Entity) -> str:
    """A name made of a variable's, which may be a member: ``in.points``, ``in->points``."""
    return symbol.name.replace("->", "_").replace(".", "_")

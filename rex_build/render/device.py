"""The device file: one CUDA kernel per target region, and what the kernels need."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pycparser import c_ast

from .. import __version__
from ..analysis.devicecode import DeviceCode
from ..analysis.loops import iteration_value, trip_count
from ..analysis.nested import REDUCTION_LOCK
from ..cparse import OmpConstruct, ParsedUnit
from ..ctype import Array, CType, Pointer, is_array, is_variably_modified, qualified, strip
from ..diagnostics import InternalError
from ..plan import (
    Atomic,
    DeviceConstruct,
    KernelKind,
    LoopNest,
    Optimised,
    Reduction,
    Schedule,
    Sharing,
    TargetRegion,
    TranslationUnitPlan,
    Transport,
)
from ..sema import Symbol, walk
from .cuda_c import CudaPrinter, render_global, render_types
from .lines import OWN_LINES, line_marker, resolve_line_markers
from .templating import environment

_PAD = "    "
_PLAIN = Optimised(once=False)  # loops inside kernels


def _variable_names(plan: TranslationUnitPlan) -> dict[Symbol, str]:
    """What stands for file-scope variables that live on the device."""
    return {v.symbol: f"(*{v.device_name})" if v.link else v.device_name for v in plan.variables}


def render_device(plan: TranslationUnitPlan, unit: ParsedUnit, own_name: str) -> str:
    """The text of ``rex_lib_<stem>.cu``."""
    code = plan.code
    names = _variable_names(plan)
    base = CudaPrinter(plan.sema, names, construct=_FunctionConstructs(plan).render, locate=unit.span_of)
    base.shared = plan.shared
    constants = [s for s in code.globals if s not in names]
    variables = []
    for variable in plan.variables:
        if variable.link:
            pointer = base.declaration(Pointer(variable.symbol.type), variable.device_name)
            variables.append(f"__device__ {pointer};\n")
        elif variable.entry:
            variables.append(render_global(base, variable.symbol, variable.device_name, ""))
        elif variable.symbol in plan.shared:
            variables.append(f"extern __device__ {base.declaration(variable.symbol.type, variable.device_name)};\n")
    elsewhere = [f'extern "C" __device__ {base.declaration(s.type, base.symbol_text(s))}' for s in code.elsewhere]
    text = (
        environment()
        .get_template("rex_lib.cu.j2")
        .render(
            version=__version__,
            source=plan.source_name,
            headers=code.system_headers,
            types=render_types(code),
            constants=[render_global(base, s, base.symbol_text(s)) for s in constants],
            variables=variables,
            locks=plan.locks,
            prototypes=[*elsewhere, *(base.prototype(f) for f in _declared_early(code))],
            functions=[base.function(f) + OWN_LINES for f in code.functions],
            kernels=[_Kernel(plan, unit, region, base).render() for region in plan.regions],
        )
    )
    return resolve_line_markers(text, own_name)


def _declared_early(code: DeviceCode) -> list[c_ast.FuncDef]:
    """Functions to declare before their definition: those called in a circle, and those that initialisers name."""
    needed = {f.decl.name: f for f in code.prototypes}
    for symbol in code.globals:
        if isinstance(symbol.definition, c_ast.Decl) and symbol.definition.init is not None:
            names = {n.name for n in walk(symbol.definition.init) if isinstance(n, c_ast.ID)}
            needed.update({f.decl.name: f for f in code.functions if f.decl.name in names})
    return list(needed.values())


class _ConstructPrinter:
    """Prints the constructs inside device code from their plans."""

    def __init__(self, plan: TranslationUnitPlan) -> None:
        self.plan = plan
        self.in_parallel = False  # lexically inside a parallel region

    def render(self, node: OmpConstruct, printer: CudaPrinter, depth: int) -> str:
        construct = self.plan.constructs[node]
        pad = _PAD * depth
        mark = line_marker(construct.span)
        match construct.kind:
            case "parallel":
                return mark + self._parallel(construct, printer, depth)
            case "loop" | "taskloop":
                return mark + self._loop_block(construct, printer, depth)
            case "single":
                return mark + self._single(construct, printer, depth)
            case "masked":
                test = "rex_master()"
                if construct.filter is not None:
                    test = f"omp_get_thread_num() == {printer.expression(construct.filter)}"
                inner = self._private_block(construct, printer, depth + 1)
                return f"{mark}{pad}if ({test}) {{\n{inner}{pad}}}\n"
            case "critical":
                assert construct.body is not None
                inner = printer.statements(construct.body, depth + 1)
                return f"{mark}{pad}REX_CRITICAL({construct.lock}) {{\n{inner}{pad}}}\n"
            case "sections":
                return mark + self._sections(construct, printer, depth)
            case "scope" | "task" | "block":
                reduce_ = "rex_reduce_team" if construct.kind == "scope" else "rex_reduce_task"
                inner = self._private_block(construct, printer, depth + 1, reduce_)
                barrier = f"{pad}rex_barrier();\n" if construct.kind == "scope" and not construct.nowait else ""
                return f"{mark}{pad}{{\n{inner}{pad}}}\n{barrier}"
            case "atomic":
                assert construct.atomic is not None
                return mark + _atomic_lines(construct.atomic, printer, depth)
            case "error":
                text = printer.expression(construct.message) if construct.message is not None else '"error directive"'
                return f"{mark}{pad}rex_error({str(construct.fatal).lower()}, {text});\n"
            case "barrier":
                return f"{mark}{pad}rex_barrier();\n"
            case "flush":
                return f"{mark}{pad}rex_fence();\n"
            case _:
                return ""

    # -- parallel regions and loops -----------------------------------------------------------------------------

    def _parallel(self, construct: DeviceConstruct, printer: CudaPrinter, depth: int) -> str:
        pad = _PAD * depth
        nested, self.in_parallel = self.in_parallel, True
        inner = self.region_body(construct, printer, depth + 1)
        self.in_parallel = nested
        if nested:
            return f"{pad}rex_serial_region([&]() {{\n{inner}{pad}}});\n"
        count = printer.expression(construct.num_threads) if construct.num_threads is not None else "0"
        if construct.condition is not None:
            count = f"({printer.expression(construct.condition)}) ? {count} : 1"
        return f"{pad}rex_parallel({count}, REX_REGION {{\n{inner}{pad}}});\n"

    def region_body(self, construct: DeviceConstruct, printer: CudaPrinter, depth: int) -> str:
        """The inside of a parallel region: private copies, the loop or the statements, the reductions."""
        if construct.nest is not None and construct.schedule is not None:
            if construct.schedule.over == "first":
                return self._first_thread_loop(construct, printer, depth)
            return self.loop(construct, printer, depth, barrier=False)
        text, inner = self.privatise(construct.sharing, printer, depth)
        assert construct.body is not None
        text += inner.statements(construct.body, depth)
        return text + self.reductions(construct.sharing.reductions, printer, inner, depth, "rex_reduce_team")

    def _private_block(self, construct: DeviceConstruct, printer: CudaPrinter, depth: int, reduce_: str = "") -> str:
        text, inner = self.privatise(construct.sharing, printer, depth)
        assert construct.body is not None
        text += inner.statements(construct.body, depth)
        return text + self.reductions(construct.sharing.reductions, printer, inner, depth, reduce_)

    def _single(self, construct: DeviceConstruct, printer: CudaPrinter, depth: int) -> str:
        pad = _PAD * depth
        inner = self._private_block(construct, printer, depth + 1)
        text = f"{pad}if (rex_single()) {{\n{inner}{pad}}}\n"
        for symbol in construct.broadcast:
            text += f"{pad}rex_broadcast({_address(printer.symbol_text(symbol))});\n"
        return text if construct.nowait else f"{text}{pad}rex_barrier();\n"

    def _sections(self, construct: DeviceConstruct, printer: CudaPrinter, depth: int) -> str:
        """Sections dealt to the team's threads in turn."""
        pad, inside = _PAD * depth, _PAD * (depth + 1)
        sharing = construct.sharing
        text, inner = self.privatise(sharing, printer, depth + 1)
        count = len(construct.sections)
        text += f"{inside}for (int __rex_section = omp_get_thread_num(); __rex_section < {count};\n"
        text += f"{inside}     __rex_section += omp_get_num_threads()) {{\n"
        for number, part in enumerate(construct.sections):
            text += f"{inside}    if (__rex_section == {number}) {{\n{inner.statements(part, depth + 3)}"
            if number == count - 1:
                for symbol in sharing.lastprivate:
                    text += _PAD * (depth + 3) + _copied(symbol, printer, inner)
            text += f"{inside}    }}\n"
        text += f"{inside}}}\n"
        text += self.reductions(sharing.reductions, printer, inner, depth + 1, "rex_reduce_team")
        barrier = "" if construct.nowait else f"{pad}rex_barrier();\n"
        return f"{pad}{{\n{text}{pad}}}\n{barrier}"

    def _loop_block(self, construct: DeviceConstruct, printer: CudaPrinter, depth: int) -> str:
        pad = _PAD * depth
        assert construct.schedule is not None
        if construct.schedule.over == "thread":
            return f"{pad}{{\n{self._serial_loop(construct, printer, depth + 1)}{pad}}}\n"
        if construct.schedule.over == "first":
            barrier = "" if construct.nowait else f"{pad}rex_barrier();\n"
            return self._first_thread_loop(construct, printer, depth) + barrier
        waits = construct.schedule.over == "team" and not construct.nowait
        return f"{pad}{{\n{self.loop(construct, printer, depth + 1, waits)}{pad}}}\n"

    def _first_thread_loop(self, construct: DeviceConstruct, printer: CudaPrinter, depth: int) -> str:
        """A loop whose iterations run in order, so that one thread of the team runs them all."""
        pad = _PAD * depth
        inner = self._serial_loop(construct, printer, depth + 1, is_region=True)
        return f"{pad}if (rex_master()) {{\n{inner}{pad}}}\n"

    def _serial_loop(
        self, construct: DeviceConstruct, printer: CudaPrinter, depth: int, is_region: bool = False
    ) -> str:
        """One thread runs all iterations in order, so only variables private to them need copies.

        ``is_region``: the variables that become private are not this thread's own.
        """
        assert construct.body is not None
        assert construct.nest is not None
        together = construct.kind == "taskloop"  # other threads may run such a construct at the same time
        reductions = construct.sharing.reductions if together else ()
        sharing = Sharing(construct.sharing.private, construct.sharing.firstprivate, (), reductions)
        loop_variables = {lv.symbol for lv in construct.nest.levels}
        text, inner = self.privatise(sharing, printer, depth)
        if construct.sharing.linear:
            sharing = Sharing(linear=construct.sharing.linear)
            text += iterations(construct.nest, Schedule("thread"), sharing, printer, inner, depth, "1", "0")
        else:
            text += inner.statements(construct.body, depth)
        for symbol in construct.sharing.private:
            if symbol in loop_variables and not is_region:  # linear: its last value is seen after the loop
                text += f"{_PAD * depth}{printer.symbol_text(symbol)} = {inner.symbol_text(symbol)};\n"
        return text + self.reductions(reductions, printer, inner, depth, "rex_reduce_task")

    def loop(self, construct: DeviceConstruct, printer: CudaPrinter, depth: int, barrier: bool) -> str:
        assert construct.nest is not None
        assert construct.schedule is not None
        pad = _PAD * depth
        sharing = construct.sharing
        text, inner = self.privatise(sharing, printer, depth, construct.nest)
        text += iterations(
            construct.nest, construct.schedule, sharing, printer, inner, depth, *_SHARES[construct.schedule.over]
        )
        reduce_ = "rex_reduce_league" if construct.schedule.over == "teams" else "rex_reduce_team"
        text += self.reductions(sharing.reductions, printer, inner, depth, reduce_)
        if barrier:
            text += f"{pad}rex_barrier();\n"
        return text

    # -- private copies -----------------------------------------------------------------------------------------

    def privatise(
        self, sharing: Sharing, printer: CudaPrinter, depth: int, nest: LoopNest | None = None
    ) -> tuple[str, CudaPrinter]:
        """(declarations of the private copies, printer that writes them instead of the originals)."""
        pad = _PAD * depth
        lines: list[str] = []
        names: dict[Symbol, str] = {}
        loop_variables = {lv.symbol for lv in nest.levels} if nest is not None else set()

        def declare(symbol: Symbol, suffix: str, init: str = "", kind: CType | None = None) -> str:
            name = f"{symbol.name}__rex_{suffix}"
            while name == printer.symbol_text(symbol):  # a copy of a copy
                name += "_"
            names[symbol] = name
            if kind is None and isinstance(symbol.type, Array) and is_variably_modified(symbol.type):
                lines.extend(self._array_copy(symbol, name, printer, pad))
                return name
            text = printer.declaration(kind or strip_const(symbol.type), name)
            if symbol in printer.team_shared and not self.in_parallel:
                lines.append(f"{pad}REX_TEAM_SHARED {text};\n")
                if init:
                    lines.append(f"{pad}{name}{init};\n")
            else:
                lines.append(f"{pad}{text}{init};\n")
            return name

        for symbol in sharing.private:
            if symbol not in loop_variables:
                declare(symbol, "private")
        for symbol in sharing.firstprivate:
            if symbol in loop_variables or symbol in sharing.lastprivate:
                continue
            original = printer.symbol_text(symbol)
            if is_array(symbol.type):
                name = declare(symbol, "private")
                size = f"{name}__storage.size" if is_variably_modified(symbol.type) else f"sizeof({name})"
                lines.append(f"{pad}memcpy({name}, {original}, {size});\n")
            else:
                declare(symbol, "private", f" = {original}")
        for symbol in sharing.lastprivate:
            if symbol in loop_variables:
                continue
            init = f" = {printer.symbol_text(symbol)}" if symbol in sharing.firstprivate else ""
            declare(symbol, "private", init)
        for reduction in sharing.reductions:
            original = printer.symbol_text(reduction.symbol)
            lines += self._partial(reduction, declare, original, printer, pad)
            if reduction.section is not None:
                name = names[reduction.symbol]
                first = printer.expression(reduction.section)
                kind = printer.declaration(Pointer(reduction.type), f"{name}_at")
                lines.append(f"{pad}{kind} = rex_indexed_from({name}, {first});\n")
                names[reduction.symbol] = f"{name}_at"
        return "".join(lines), printer.with_names(names)

    @staticmethod
    def _array_copy(symbol: Symbol, name: str, printer: CudaPrinter, pad: str) -> list[str]:
        """Storage for a private copy of a variable-length array."""
        inner, outermost = printer.extents.get(symbol, ()), printer.outer_extents.get(symbol)
        if outermost is None:
            raise InternalError(f"the size of '{symbol.name}' is not known")
        element: CType = symbol.type
        while isinstance(element, Array):
            element = element.of
        count = " * ".join((outermost, *inner))
        kind = printer.declaration(strip(element))
        return [
            f"{pad}rex_local_array<{kind}> {name}__storage({count});\n",
            f"{pad}{kind} *{name} = {name}__storage.elements;\n",
        ]

    @staticmethod
    def _partial(
        reduction: Reduction, declare: Callable[..., str], original: str, printer: CudaPrinter, pad: str
    ) -> list[str]:
        """Statements after the declaration of a reduction's private copy."""
        kind = printer.declaration(reduction.type)
        if not reduction.count and reduction.functions is None:
            declare(reduction.symbol, "partial", f" = rex_identity<{reduction.operator}, {kind}>()")
            return []
        whole = Array(reduction.type, reduction.count) if reduction.section or reduction.locator else None
        name = declare(reduction.symbol, "partial", kind=whole)
        one = name
        loop = ""
        if reduction.count:
            one = f"reinterpret_cast<{printer.declaration(Pointer(reduction.type))}>({name})[__rex_i]"
            loop = f"for (int __rex_i = 0; __rex_i < {reduction.count}; ++__rex_i)\n{pad}    "
        if reduction.functions is not None:
            first = f"&{one}"
            other = first if reduction.count else _address(original)
            return [f"{pad}{loop}{printer.symbol_text(reduction.functions[1])}({first}, {other});\n"]
        return [f"{pad}{loop}{one} = rex_identity<{reduction.operator}, {kind}>();\n"]

    @staticmethod
    def reductions(
        reductions: Sequence[Reduction], outer: CudaPrinter, inner: CudaPrinter, depth: int, function: str
    ) -> str:
        """Every thread's partial results combined into the originals."""
        pad = _PAD * depth
        text = ""
        for r in reductions:
            original, mine = outer.symbol_text(r.symbol), inner.symbol_text(r.symbol)
            to, value = _address(original), mine
            if r.count:
                pointer = outer.declaration(Pointer(r.type))
                at = f"({outer.expression(r.section)}) + __rex_i" if r.section is not None else "__rex_i"
                to, value = (f"&reinterpret_cast<{pointer}>({t})[{at}]" for t in (original, mine))
                text += f"{pad}for (int __rex_i = 0; __rex_i < {r.count}; ++__rex_i) {{\n"
                value = f"*{value}"
            if r.functions is not None:
                from_ = value[1:] if r.count else f"&{value}"
                call = f"REX_CRITICAL({REDUCTION_LOCK}) {outer.symbol_text(r.functions[0])}({to}, {from_});\n"
            else:
                call = f"{function}<{r.operator}>({to}, {value});\n"
            text += f"{pad}    {call}{pad}}}\n" if r.count else f"{pad}{call}"
        return text


class _FunctionConstructs(_ConstructPrinter):
    """Constructs in functions, which any number of threads may call: regions of their own have one thread."""

    def __init__(self, plan: TranslationUnitPlan) -> None:
        super().__init__(plan)
        self.in_parallel = True


# (number of sharers, index of this one) for each way to share iterations
_SHARES = {
    "team": ("omp_get_num_threads()", "omp_get_thread_num()"),
    "teams": ("omp_get_num_teams()", "omp_get_team_num()"),
    "grid": (
        "(long long)omp_get_num_teams() * omp_get_num_threads()",
        "(long long)omp_get_team_num() * omp_get_num_threads() + omp_get_thread_num()",
    ),
}


def strip_const(kind: CType) -> CType:
    """The type of a private copy, which is written after its declaration."""
    if isinstance(kind, Array):
        return kind
    return strip(kind)


def _address(text: str) -> str:
    """``&x``, simplified where the text is ``(*p)``."""
    if text.startswith("(*") and text.endswith(")") and text[2:-1].isidentifier():
        return text[2:-1]
    return f"&{text}"


def iterations(
    nest: LoopNest,
    schedule: Schedule,
    sharing: Sharing,
    outer: CudaPrinter,
    inner: CudaPrinter,
    depth: int,
    count: str,
    index: str,
    optimised: Optimised = _PLAIN,
) -> str:
    """The loops that run this thread's share of a nest's iterations.

    ``outer`` prints bounds (the originals), ``inner`` the body (the private copies); ``count`` and ``index`` are the
    number of sharers and this one's number.
    """
    pad = _PAD * depth
    text = ""
    trips = []
    divisors = []
    many = len(nest.levels) > 1
    for number, level in enumerate(nest.levels):
        name = f"__rex_tripcount_{number}" if many else "__rex_tripcount"
        trips.append(name)
        trip = _plain(trip_count(level, outer.sema, outer.expression))
        divisors.append(name if trip != "0" else "1")  # never reached, but compilers would warn
        text += f"{pad}const long long {name} = {trip};\n"
    if many:
        text += f"{pad}const long long __rex_tripcount = {' * '.join(trips)};\n"
    for symbol, _ in sharing.linear:
        text += f"{pad}const auto {symbol.name}__rex_start = {outer.symbol_text(symbol)};\n"
    chunked = schedule.thread_chunk is not None or schedule.team_chunk is not None or schedule.even
    if not chunked:
        if optimised.once:
            text += f"{pad}REX_ONE_ITERATION\n"
        text += f"{pad}for (REX_STRIDED_LOOP(__rex_iv, {index}, {count}, __rex_tripcount)) {{\n"
        text += _iteration(nest, sharing, outer, inner, depth + 1, divisors, optimised)
        return text + f"{pad}}}\n" + _linear_values(sharing, outer, inner, pad, "__rex_tripcount")
    if schedule.over != "grid":
        chunk = schedule.team_chunk if schedule.over == "teams" else schedule.thread_chunk
        size = outer.expression(chunk) if chunk is not None else f"(__rex_tripcount + {count} - 1) / {count}"
        body = _iteration(nest, sharing, outer, inner, depth + 2, divisors)
        return text + _round_robin("__rex_tripcount", size, count, index, "", "__rex_iv", body, depth)
    # distribute parallel for: chunks for teams, and within each the team's threads share the iterations
    teams, team = _SHARES["teams"]
    threads, thread = _SHARES["team"]
    team_size = (
        outer.expression(schedule.team_chunk)
        if schedule.team_chunk is not None
        else f"(__rex_tripcount + {teams} - 1) / {teams}"
    )
    inside = depth + 2
    inner_trip = "_dev_upper - _dev_lower + 1"
    if schedule.thread_chunk is not None or schedule.even:
        size = (
            outer.expression(schedule.thread_chunk)
            if schedule.thread_chunk is not None
            else f"(_dev_upper - _dev_lower + {threads}) / {threads}"
        )
        first = f"{_PAD * (inside + 2)}const long long __rex_iv = _dev_lower + __rex_local;\n"
        body = first + _iteration(nest, sharing, outer, inner, inside + 2, divisors)
        body = _round_robin(inner_trip, size, threads, thread, "_thread", "__rex_local", body, inside)
    else:
        padding = _PAD * inside
        body = f"{padding}for (REX_STRIDED_LOOP(__rex_local, {thread}, {threads}, {inner_trip})) {{\n"
        body += f"{padding}    const long long __rex_iv = _dev_lower + __rex_local;\n"
        body += _iteration(nest, sharing, outer, inner, inside + 1, divisors) + f"{padding}}}\n"
    return text + _round_robin("__rex_tripcount", team_size, teams, team, "", "", body, depth)


def _round_robin(
    trip: str, chunk: str, count: str, index: str, suffix: str, counter: str, body: str, depth: int
) -> str:
    """The XOMP static scheduler: chunks dealt out in turn. With ``counter`` a loop over each chunk is added."""
    pad = _PAD * depth
    state, low, high = f"__rex_schedule{suffix}", f"_dev_lower{suffix}", f"_dev_upper{suffix}"
    text = f"{pad}rex_static_schedule {state};\n{pad}long long {low}, {high};\n"
    text += f"{pad}XOMP_static_sched_init(&{state}, {trip}, {chunk}, {count}, {index});\n"
    text += f"{pad}while (XOMP_static_sched_next(&{state}, &{low}, &{high})) {{\n"
    if not counter:
        return f"{text}{body}{pad}}}\n"
    text += f"{pad}    for (long long {counter} = {low}; {counter} <= {high}; ++{counter}) {{\n"
    return f"{text}{body}{pad}    }}\n{pad}}}\n"


def _plain(text: str) -> str:
    """An expression without the one pair of parentheses around it."""
    if not text.startswith("("):
        return text
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return text[1:-1] if at == len(text) - 1 else text
    return text


def _iteration(
    nest: LoopNest,
    sharing: Sharing,
    outer: CudaPrinter,
    inner: CudaPrinter,
    depth: int,
    trips: Sequence[str],
    optimised: Optimised = _PLAIN,
) -> str:
    """One logical iteration: the loop variables' values, the body, what the last iteration leaves behind."""
    pad = _PAD * depth
    text = ""
    counters = []
    if len(nest.levels) == 1:
        counters = ["__rex_iv"]
    else:
        text += f"{pad}long long __rex_rest = __rex_iv;\n"
        for number in range(len(nest.levels) - 1, 0, -1):
            if optimised.index32:
                text += f"{pad}const long long __rex_iv_{number} = rex_innermost(__rex_rest, {trips[number]});\n"
            else:
                text += f"{pad}const long long __rex_iv_{number} = __rex_rest % {trips[number]};\n"
                text += f"{pad}__rex_rest /= {trips[number]};\n"
        counters = ["__rex_rest"] + [f"__rex_iv_{n}" for n in range(1, len(nest.levels))]
    names = {}
    mentioned = {r.symbol for r in inner.sema.free_variables(nest.body)}
    for level, counter in zip(nest.levels, counters, strict=True):
        if level.symbol not in mentioned and level.symbol not in sharing.lastprivate:
            continue
        name = (
            f"{level.symbol.name}__rex_last"
            if level.symbol in sharing.lastprivate
            else _local_name(inner, level.symbol)
        )
        names[level.symbol] = name
        value = iteration_value(level, counter, outer.expression, outer.declaration(level.type))
        text += f"{pad}{outer.declaration(level.type, name)} = {value};\n"
    body = inner.with_names(names)
    text += _linear_values(sharing, outer, inner, pad, "__rex_iv")
    # Elements of this iteration's own: the writes come back at its end.
    scalars = {
        s: f"{s.symbol.name}__rex_element{s.member and '_'}{s.member}"
        for s in optimised.scalars
        if s.symbol in inner.restricted
    }
    elements = {name: body.expression(s.element) for s, name in scalars.items()}
    for scalar, name in scalars.items():
        text += f"{pad}{body.declaration(scalar.type, name)};\n"
    body.replaced = {use: name for s, name in scalars.items() for use in s.uses}
    text += body.statements(nest.body, depth)
    for name, element in elements.items():
        text += f"{pad}{element} = {name};\n"
    if sharing.lastprivate:
        text += f"{pad}if (__rex_iv == __rex_tripcount - 1) {{\n"
        for symbol in sharing.lastprivate:
            original, mine = outer.symbol_text(symbol), body.symbol_text(symbol)
            own = next((lv for lv in nest.levels if lv.symbol is symbol), None)
            if is_array(symbol.type):
                text += f"{pad}    memcpy({original}, {mine}, sizeof({mine}));\n"
            elif own is not None:
                step = outer.expression(own.step) if own.step is not None else str(own.step_value)
                down = own.step_negated if own.step is not None else not own.increasing
                text += f"{pad}    {original} = {mine} {'-' if down else '+'} ({step});\n"
            else:
                text += f"{pad}    {original} = {mine};\n"
        text += f"{pad}}}\n"
    return text


def _linear_values(sharing: Sharing, outer: CudaPrinter, inner: CudaPrinter, pad: str, iteration: str) -> str:
    """What linear variables hold at the beginning of an iteration, by its logical number."""
    text = ""
    for symbol, step in sharing.linear:
        by = f"({outer.expression(step)})" if step is not None else "1"
        text += f"{pad}{inner.symbol_text(symbol)} = {symbol.name}__rex_start + {iteration} * {by};\n"
    return text


def _local_name(printer: CudaPrinter, symbol: Symbol) -> str:
    text = printer.symbol_text(symbol)
    return text if text.isidentifier() and not text.endswith("__rex_value") else symbol.name


def _copied(symbol: Symbol, outer: CudaPrinter, inner: CudaPrinter) -> str:
    """The statement that gives the original what a private copy holds."""
    original, mine = outer.symbol_text(symbol), inner.symbol_text(symbol)
    if is_array(symbol.type):
        return f"memcpy({original}, {mine}, sizeof({mine}));\n"
    return f"{original} = {mine};\n"


def _atomic_lines(atomic: Atomic, printer: CudaPrinter, depth: int) -> str:
    pad = _PAD * depth
    fence = f"{pad}rex_fence();\n" if atomic.ordered else ""
    if atomic.operation != "compare":
        return f"{fence}{pad}{_atomic(atomic, printer)};\n{fence}"
    assert atomic.operand is not None
    assert atomic.desired is not None
    operands = ", ".join(printer.expression(n) for n in (atomic.operand, atomic.desired))
    call = f"rex_atomic_compare(&({printer.expression(atomic.location)}), {operands})"
    if atomic.captured is None and atomic.outcome is None:
        return f"{fence}{pad}{call};\n{fence}"
    text = f"{pad}{{\n{pad}    const auto __rex_seen = {call};\n"
    if atomic.outcome is not None:
        text += f"{pad}    {printer.expression(atomic.outcome)} = __rex_seen.equal;\n"
    if atomic.captured is not None:
        test = "if (!__rex_seen.equal) " if atomic.on_failure else ""
        value = "after" if atomic.captures_new else "before"
        text += f"{pad}    {test}{printer.expression(atomic.captured)} = __rex_seen.{value};\n"
    return f"{fence}{text}{pad}}}\n{fence}"


def _atomic(atomic: Atomic, printer: CudaPrinter) -> str:
    x = _address(printer.expression(atomic.location))
    if not x.isidentifier():
        x = f"&({printer.expression(atomic.location)})"
    value = printer.expression(atomic.operand) if atomic.operand is not None else "1"
    if atomic.operation == "read":
        call = f"rex_atomic_read({x})"
    elif atomic.operation == "write":
        call = f"rex_atomic_write({x}, {value})"
    elif atomic.operation == "exchange":
        call = f"rex_atomic_exchange({x}, {value})"
    else:
        name = "rex_atomic_update" + ("_reversed" if atomic.reversed else "") + ("_new" if atomic.captures_new else "")
        call = f"{name}<{atomic.operator}>({x}, {value})"
    return f"{printer.expression(atomic.captured)} = {call}" if atomic.captured is not None else call


class _Kernel(_ConstructPrinter):
    """One region's kernel."""

    def __init__(self, plan: TranslationUnitPlan, unit: ParsedUnit, region: TargetRegion, base: CudaPrinter) -> None:
        super().__init__(plan)
        self.unit = unit
        self.region = region
        extents: dict[Symbol, tuple[str, ...]] = {}
        outermost: dict[Symbol, str] = {}
        for extent in region.extents:
            if extent.dimension == 0:
                outermost[extent.symbol] = f"(long){extent.name}"
                extents.setdefault(extent.symbol, ())
            else:
                extents[extent.symbol] = (*extents.get(extent.symbol, ()), f"(long){extent.name}")
        names = _variable_names(plan)
        for capture in region.captures:
            plain = base.symbol_text(capture.symbol)
            if capture.transport is Transport.LITERAL:
                names[capture.symbol] = f"{plain}__rex_value"
            elif capture.transport is Transport.ADDRESS:
                names[capture.symbol] = f"(*{plain})"
        self.printer = CudaPrinter(plan.sema, names, extents, self.render_construct, unit.span_of)
        self.printer.team_shared = region.team_shared
        self.printer.outer_extents = outermost
        if region.optimised.disjoint is None:
            self.printer.loads = region.optimised.loads
        self.base = base

    def render_construct(self, node: OmpConstruct, printer: CudaPrinter, depth: int) -> str:
        return super().render(node, printer, depth)

    def render(self) -> str:  # type: ignore[override]
        region = self.region
        arguments = ", ".join(
            ["__rex_kernel_launch_env", *(p.split(" ")[-1].lstrip("*") for p in self._parameter_names())]
        )
        call = f"{region.kernel}({arguments})"
        body = {
            KernelKind.WORKSHARING: self._worksharing,
            KernelKind.PARALLEL: self._spmd,
            KernelKind.TEAMS: self._generic,
            KernelKind.SERIAL: self._generic,
        }[region.kind](call)
        return (
            environment()
            .get_template("kernel.cu.j2")
            .render(
                where=f"{self.plan.source_name}:{region.span.line}",
                directive=region.directive,
                bound=region.launch.bound,
                name=region.kernel,
                parameters=[
                    "void *__rex_kernel_launch_env",
                    *self._parameters(region.optimised.constant, region.optimised.constant),
                ],
                body=body + OWN_LINES.rstrip("\n"),
                disjoint=self._disjoint(),
            )
        )

    def _disjoint(self) -> str:
        """The body for launches whose mapped ranges are apart, as a function of the kernel's own parameters."""
        disjoint = self.region.optimised.disjoint
        if disjoint is None:
            return ""
        general = self.printer
        self.printer = general.with_names({})
        self.printer.loads = self.region.optimised.loads
        self.printer.restricted = frozenset(disjoint.pointers)
        parameters = ", ".join(self._parameters(self.printer.restricted, disjoint.constant))
        body = self._loop_body(self.printer)
        self.printer = general
        name = self._disjoint_name()
        return f"static __device__ __forceinline__ void\n{name}({parameters})\n{{\n{body}{OWN_LINES}}}\n"

    def _disjoint_name(self) -> str:
        return self.region.kernel.replace("__kernel__", "__disjoint__")

    # -- parameters ---------------------------------------------------------------------------------------------

    def _rows(
        self, restricted: frozenset[Symbol] = frozenset(), constant: frozenset[Symbol] = frozenset()
    ) -> list[tuple[int, str, str]]:
        """(row, name, declaration) of every parameter, in row order. ``restricted`` pointers overlap nothing that is
        written, ``constant`` ones lead to what is only read."""
        region = self.region
        found: list[tuple[int, str, str]] = []
        for capture in region.captures:
            name = self.base.symbol_text(capture.symbol)
            if capture.transport is Transport.LITERAL:
                found.append((capture.row, name, f"unsigned long long {name}"))
            else:
                kind, word = capture.type, ""
                if capture.symbol in constant and isinstance(kind, Pointer):
                    kind = Pointer(qualified(kind.to, frozenset({"const"})))
                if capture.symbol in restricted:
                    word = "__restrict__ "
                found.append((capture.row, name, self.base.declaration(kind, word + name)))
        if region.optimised.disjoint is not None:
            found.append((region.optimised.disjoint.row, "__rex_disjoint", "unsigned long long __rex_disjoint"))
        for extent in region.extents:
            found.append((extent.row, extent.name, f"unsigned long long {extent.name}"))
        if region.shape_row is not None:
            found.append((region.shape_row, "__rex_launch_shape", "unsigned long long __rex_launch_shape"))
        if region.facts_row is not None:
            for i, name in enumerate(("__rex_num_devices", "__rex_device_num", "__rex_num_procs")):
                found.append((region.facts_row + i, name, f"unsigned long long {name}"))
        return sorted(found)

    def _parameters(
        self, restricted: frozenset[Symbol] = frozenset(), constant: frozenset[Symbol] = frozenset()
    ) -> list[str]:
        return [declaration for _, _, declaration in self._rows(restricted, constant)]

    def _parameter_names(self) -> list[str]:
        return [name for _, name, _ in self._rows()]

    def _literals(self) -> str:
        """Scalars passed by value, rebuilt from the low bytes of their parameters."""
        text = ""
        for capture in self.region.captures:
            if capture.transport is Transport.LITERAL:
                name = self.base.symbol_text(capture.symbol)
                value = f"{name}__rex_value"
                storage = "REX_TEAM_SHARED " if capture.symbol in self.region.team_shared else ""
                text += f"{_PAD}{storage}{self.base.declaration(capture.type, value)};\n"
                text += f"{_PAD}__builtin_memcpy(&{value}, &{name}, sizeof({value}));\n"
        if self.region.facts_row is not None:
            text += (
                f"{_PAD}rex_set_device_facts((int)__rex_num_devices, (int)__rex_device_num, (int)__rex_num_procs);\n"
            )
        return text

    # -- the kinds of kernel ------------------------------------------------------------------------------------

    def _worksharing(self, call: str) -> str:
        region = self.region
        assert region.nest is not None
        assert region.schedule is not None
        self.in_parallel = True
        text = f"{_PAD}REX_CPU_GRID({call});\n"
        if region.shape_row is not None:
            text = f"{_PAD}REX_CPU_GRID_EXACT(__rex_launch_shape, {call});\n"
        schedule = region.schedule
        chunked = schedule.thread_chunk is not None or schedule.team_chunk is not None or schedule.even
        by_team = chunked and schedule.over == "grid"  # chunks for teams, and shares of them for their threads
        if region.places and region.calls:
            text += f"{_PAD}rex_kernel_state({region.level});\n"
        elif region.places or by_team:
            text += f"{_PAD}REX_KERNEL_LEVEL({region.level});\n"
        if region.optimised.disjoint is not None:
            names = ", ".join(self._parameter_names())
            text += f"{_PAD}if (__rex_disjoint) {{\n{_PAD * 2}{self._disjoint_name()}({names});\n"
            text += f"{_PAD * 2}return;\n{_PAD}}}\n"
        return text + self._loop_body(self.printer)

    def _loop_body(self, printer: CudaPrinter) -> str:
        """The loop as the whole of a kernel, from its literals to its reductions."""
        region = self.region
        assert region.nest is not None
        assert region.schedule is not None
        schedule = region.schedule
        chunked = schedule.thread_chunk is not None or schedule.team_chunk is not None or schedule.even
        by_team = chunked and schedule.over == "grid"
        text = self._literals()
        sharing = _copies_only(region, region.sharing)
        declarations, inner = self.privatise(sharing, printer, 1, region.nest)
        text += declarations
        if not by_team:
            text += f"{_PAD}const long long _dev_thread_num = (long long)gridDim.x * blockDim.x;\n"
            text += f"{_PAD}const long long _dev_thread_id = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
        counters = "_dev_thread_num", "_dev_thread_id"
        text += iterations(region.nest, region.schedule, region.sharing, printer, inner, 1, *counters, region.optimised)
        return text + self.reductions(region.sharing.reductions, printer, inner, 1, "rex_reduce_grid")

    def _spmd(self, call: str) -> str:
        region = self.region
        self.in_parallel = True
        text = f"{_PAD}REX_CPU_TEAMS(__rex_launch_shape, {call});\n"
        text += self._literals()
        construct = DeviceConstruct("parallel", region.span, region.sharing, region.body)
        inner = self.region_body(construct, self.printer, 2)
        return f"{text}{_PAD}rex_parallel_spmd(0, REX_REGION {{\n{inner}{_PAD}}});\n"

    def _generic(self, call: str) -> str:
        region = self.region
        shape = "__rex_launch_shape" if region.shape_row is not None else "(1ULL << 32) + 1"
        text = f"{_PAD}REX_CPU_TEAMS({shape}, {call});\n"
        text += f"{_PAD}if (!rex_team_begin())\n{_PAD}{_PAD}return;\n"
        text += self._literals()
        sharing = _copies_only(region, region.sharing)
        construct = DeviceConstruct("loop", region.span, sharing, region.body, region.nest, region.schedule)
        if region.nest is not None and region.schedule is not None and region.schedule.over != "thread":
            text += self.loop(construct, self.printer, 1, barrier=False)
        elif region.nest is not None:
            text += self._serial_loop(construct, self.printer, 1, is_region=True)
        else:
            declarations, inner = self.privatise(sharing, self.printer, 1)
            text += declarations
            text += inner.statement(region.body, 1)
            text += self.reductions(sharing.reductions, self.printer, inner, 1, "rex_reduce_league")
        return f"{text}{_PAD}rex_team_end();\n"


def _copies_only(region: TargetRegion, sharing: Sharing) -> Sharing:
    """Sharing without the firstprivate scalars: a value parameter is a copy per thread already."""
    values = {
        c.symbol
        for c in region.captures
        if c.transport is Transport.LITERAL or isinstance(strip(c.symbol.type), Pointer)
    }
    return Sharing(
        sharing.private,
        tuple(s for s in sharing.firstprivate if s not in values),
        sharing.lastprivate,
        sharing.reductions,
    )

"""Prints the kernels of target regions, by their kind, with their parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from ..base.diagnostics import InternalError
from ..base.line_directives import OWN_LINES
from ..base.names import PAD
from ..base.records import replace
from ..plan.constructs import Code, ConstructKind, DeviceConstruct, Entity, Over, Sharing, Type
from ..plan.launch_policy import BLOCK_THREADS
from ..plan.optimised import BlockLoop, DirectKernel, Optimised, StagedLoop, TeamSteps
from ..plan.printer import Printer, on_heap
from ..plan.rows import Capture, Map, Parameter, Role, Transport
from ..plan.unit import KernelKind, TargetRegion, TranslationUnitPlan
from . import frames
from .claims import definitions, iteration, reached, statements, watched
from .constructs import ConstructPrinter, address_of, team_versions, variable_names
from .copies import Copies, recorded, reference, user_block
from .lines import listed, string_literal
from .loops import SharedLoop, direct_iterations, iterations

# Parameters of kernels: what each is called and declared as, and what the kernel makes of it first.

_TYPES = {Role.LIMITS: "int *", Role.PARTIALS: "unsigned long long *"}  # the others are unsigned long long


class KernelParameters:
    """The parameters of one region's kernels.

    ``sharing`` says what the kernels have private copies of. ``hidden`` are variables that a local one of the same name
    may hide.
    """

    def __init__(self, region: TargetRegion, base: Printer, sharing: Sharing, hidden: frozenset[Entity]) -> None:
        self._region = region
        self._base = base
        self._sharing = sharing
        self._hidden = hidden
        self.captures: dict[Entity, Capture] = {}
        for capture in region.captures:
            self.captures.setdefault(capture.symbol, capture)

    def _capture(self, parameter: Parameter) -> Capture | None:
        """The capture of the variable that a parameter is for, if it is for one."""
        return None if parameter.symbol is None else self.captures.get(parameter.symbol)

    def _declared(self, parameter: Parameter, restricted: frozenset[Entity], constant: frozenset[Entity]) -> str:
        """The declaration of a parameter.

        ``restricted`` pointers overlap nothing that is written, ``constant`` ones lead to what is only read.
        """
        name, brought = self._name_of(parameter), self.brought(parameter)
        if brought is None:
            return _TYPES.get(parameter.role, "unsigned long long ") + name
        capture, kind = brought
        if parameter.role is Role.START:
            return self._base.declaration(kind, name)
        is_constant, is_restricted = capture.symbol in constant, capture.symbol in restricted
        return self._base.pointer_parameter(kind, name, is_constant, is_restricted)

    def brought(self, parameter: Parameter) -> tuple[Capture, Type] | None:
        """The captured variable that a pointer parameter brings, and the parameter's type. None for numbers."""
        capture = self._capture(parameter)
        if capture is None:
            return None
        if parameter.role is Role.START and capture.start is not None:
            return capture, capture.start.type
        is_pointer = parameter.role is Role.VARIABLE and capture.transport is not Transport.LITERAL
        return (capture, capture.type) if is_pointer else None

    def _name_of(self, parameter: Parameter) -> str:
        """What a parameter is called in the kernel."""
        capture = self._capture(parameter)
        if capture is None or parameter.role in (Role.EXTENT, Role.WORD):
            return parameter.name
        return self.of(capture) if parameter.role is Role.VARIABLE else self._stem(capture, "start")

    def declarations(self, restricted: frozenset[Entity], constant: frozenset[Entity]) -> list[str]:
        """The parameters' declarations, in row order."""
        return [self._declared(parameter, restricted, constant) for parameter in self._region.parameters]

    def names(self) -> list[str]:
        """The parameters' names, in row order."""
        return [self._name_of(parameter) for parameter in self._region.parameters]

    def _is_shared_pointer(self, capture: Capture) -> bool:
        """Whether a pointer goes by value, but parallel regions change it or take its address."""
        if capture.transport is not Transport.POINTER or capture.symbol in self._sharing.named:
            return False
        return self._base.facts(capture.symbol.type).is_pointer and capture.symbol in self._region.team_memory.shared

    def _stem(self, capture: Capture, suffix: str) -> str:
        return f"{self._base.own_name(capture.symbol)}__rex_{suffix}"

    def of(self, capture: Capture) -> str:
        """The name of the parameter that brings a captured variable."""
        if capture.of is not None:
            return f"{self._base.own_name(capture.of)}__rex_{'_'.join(capture.path)}"
        if capture.transport is Transport.LITERAL:
            return self._stem(capture, "literal")
        if capture.transport is Transport.ADDRESS:
            return self._stem(capture, "address")
        if self._is_shared_pointer(capture) or capture.symbol in self._hidden:
            return self._stem(capture, "pointer")
        return self._base.own_name(capture.symbol)

    def place(self, capture: Capture) -> str | None:
        """What a captured variable is called in front of the region's code, or None if the parameter has this name."""
        if capture.of is not None:
            return None
        if capture.transport in (Transport.LITERAL, Transport.WORDS) or self._is_shared_pointer(capture):
            value = self._stem(capture, "value")
            is_object = self._base.facts(capture.type).is_class and capture.transport is Transport.WORDS
            return f"{value}.object()" if is_object else value
        if capture.transport is Transport.ADDRESS:
            return f"(*{self.of(capture)})"
        return self.of(capture) if capture.symbol in self._hidden else None

    def values(self) -> str:
        """The statements that rebuild scalars from the low bytes of their parameters, and store what else comes."""
        text = ""
        for capture in self._region.captures:
            name, value = self.of(capture), self._stem(capture, "value")
            if capture.transport is Transport.LITERAL:
                storage = "REX_TEAM_SHARED " if capture.symbol in self._region.team_memory.shared else ""
                text += f"{PAD}{storage}{self._base.variable(capture.type, value)};\n"
                text += f"{PAD}__builtin_memcpy(&{value}, &{name}, sizeof({value}));\n"
            elif capture.transport is Transport.WORDS:
                text += self._put_together(capture, value)
            elif self._is_shared_pointer(capture):
                text += f"{PAD}REX_TEAM_SHARED {self._base.declaration(capture.type, value)};\n"
                text += f"{PAD}{value} = {name};\n"
            elif capture.start is not None:
                text += f"{PAD}rex_share_pointer({name}, {self._stem(capture, 'start')});\n"
        if any(c.transport is Transport.WORDS and self._is_made_by_first(c) for c in self._region.captures):
            text += f"{PAD}rex_team_wait();\n"
        if self._region.has(Role.NUM_DEVICES):
            facts = (Role.NUM_DEVICES, Role.DEVICE_NUM, Role.NUM_PROCS)
            text += f"{PAD}rex_set_device_facts({', '.join(f'(int){role.value}' for role in facts)});\n"
        if self._region.has(Role.LIMITS):
            text += f"{PAD}rex_set_fact(rex_limits, {Role.LIMITS.value});\n"
        return text

    def _is_made_by_first(self, capture: Capture) -> bool:
        """Whether the team's first thread makes the variable, where all begin the region."""
        return capture.symbol in self._region.team_memory.shared and self._region.steps is not None

    def _put_together(self, capture: Capture, value: str) -> str:
        """The statements that make the variable ``value`` of a structure's words and pointers, or have the team's first
        thread make it.

        Members of a class may be private, so they have offsets alone. A parameter may lead to const where the member
        does not.
        """
        is_class, shared = self._base.facts(capture.type).is_class, capture.symbol in self._region.team_memory.shared
        lines: list[str] = []
        for word in capture.words:
            place = f"(char *)&{value} + {word.offset}" if word.offset else f"&{value}"
            if word.size is None:
                lines.append(f"rex_put_word<{word.offset}>({value}, {word.name});\n")
            else:
                lines.append(f"__builtin_memcpy({place}, &{word.name}, {word.size});\n")
        for member in self._region.captures:
            if member.of is capture.symbol:
                name, target = self.of(member), ".".join([value, *map(self._base.member_name, member.path)])
                if is_class:
                    lines.append(f"rex_put_pointer<{member.offset}>({value}, {name});\n")
                else:
                    lines.append(f"{target} = (decltype({target})){name};\n")
        storage = "REX_TEAM_SHARED " if shared else ""
        text = f"{PAD}{storage}{self._base.in_words(capture.type, value, shared)};\n"
        if not self._is_made_by_first(capture):
            return text + "".join(PAD + line for line in lines)
        return f"{text}{PAD}if (rex_team_first()) {{\n{''.join(PAD * 2 + line for line in lines)}{PAD}}}\n"


class Kernel(ConstructPrinter):
    """One region's kernel."""

    def __init__(self, plan: TranslationUnitPlan, region: TargetRegion, base: Printer) -> None:
        super().__init__(plan)
        self.region = region
        rows: dict[Entity, tuple[str, ...]] = {}
        for extent in region.extents:
            rows[extent.symbol] = rows.get(extent.symbol, ()) + (extent.name,) * (extent.dimension > 0)
        whole = {extent.symbol: extent.name for extent in region.extents if extent.dimension == 0}
        again = base.declared_again(region.body)
        self.hidden = frozenset(c.symbol for c in region.captures if c.symbol in again)
        self.base = base
        names = {**variable_names(plan), **again}
        # Names that are bound in front of the region's code, with what each stands for: ``values`` that every thread
        # has, and ``places`` that threads share. If the region's own construct makes a copy, only the copy has the
        # name.
        self.values: dict[Entity, str] = {}
        places: dict[Entity, str] = {}
        # On the cpu device, the threads of a parallel region share the parameters.
        self.sharing = region.sharing if region.kind is KernelKind.PARALLEL else self._copies()
        self.parameters = KernelParameters(region, base, self.sharing, self.hidden)
        copied = self._privatised()
        for capture in region.captures:
            symbol, place = capture.symbol, self.parameters.place(capture)
            if place is None:  # the parameter has the name; for an array, '&' has to know that it is a pointer
                is_array = base.facts(symbol.type).is_array
                names[symbol] = self.parameters.of(capture) if is_array else base.own_name(symbol)
                continue
            names[symbol] = place
            if symbol not in copied and symbol not in self.hidden:
                names[symbol] = base.own_name(symbol)
                has_copy = capture.transport in (Transport.LITERAL, Transport.WORDS)
                by_value = has_copy and not base.facts(capture.type).is_class
                by_value = by_value and symbol not in region.team_memory.shared
                if symbol in region.changed_copies:
                    place, by_value = f"REX_CHANGED({place}, {string_literal(symbol.name)})", False
                (self.values if by_value else places)[symbol] = place
        locals_on_heap = (s for s in region.team_memory.heap if s not in region.sharing.named)
        names.update({s: on_heap(s.name) for s in locals_on_heap})
        self.printer = base.with_lengths(rows, whole).with_names(
            names,
            construct=self.render,
            team_memory=region.team_memory,
            steps=region.steps,
            team_arrays={one.symbol: one.room for one in region.optimised.team_arrays},
            updates={statement: update for one in region.optimised.team_arrays for statement, update in one.updates},
            own_arrays=self._own_arrays(),
            tables=frozenset(one.symbol for one in region.optimised.own_arrays if one.constant),
            places=places,
        )
        if region.kind is KernelKind.TEAMS:
            self.printer = self.printer.with_names(team_versions(plan, self.printer))
        self.is_direct = False
        self.restricted: frozenset[Entity] = frozenset()  # what overlaps nothing in the kernel that is printed
        self.exact_threads = region.launch.exact_threads or 0
        self.beside = region.steps.beside if region.steps is not None else frozenset()
        if region.optimised.direct is None or not region.optimised.direct.pointers:
            self.printer = self.printer.with_names({}, hoists=region.optimised.hoists)
        if region.optimised.direct is None:
            self.printer = self.printer.with_names({}, staged={one.loop: one for one in region.optimised.broadcast})

    def _own_arrays(self) -> dict[Entity, tuple[str, str]]:
        """What stands for the declarations of arrays in shared memory: another name, and a statement behind."""
        found: dict[Entity, tuple[str, str]] = {}
        for one in (one for one in self.region.optimised.own_arrays if not one.constant):
            name, macro = self.base.own_name(one.symbol), f"REX_OWN_ARRAY{'_FROM' * one.initialised}"
            found[one.symbol] = (f"{name}__rex_first", f"{macro}({name}, {self.region.launch.bound})")
        return found

    def text(self) -> str:
        if self.plan.claims:
            return self._watched()
        region, body = self.region, self._by_kind()
        constant = region.optimised.constant
        text = self._kernel(region.kernel, constant, constant, body)
        if self.updated != {*self.printer.around.updates}:
            raise InternalError("a statement that updates an array of a team was not printed as one")
        direct, collapsed = region.optimised.direct, region.optimised.collapsed
        if direct is not None:
            text += "\n" + self._run_directly()._render_direct(direct, region.direct[0], region)
        if collapsed is not None:
            whole = replace(region, nest=collapsed.nest, sharing=collapsed.sharing, optimised=collapsed.optimised)
            assert collapsed.optimised.direct is not None
            kernel = self.of(whole)
            text += "\n" + kernel._render_direct(collapsed.optimised.direct, region.collapsed[0], region)
        if (walking := region.walking_optimised) is not None:
            assert walking.direct is not None
            kernel = self.of(replace(region, optimised=walking))
            text += "\n" + kernel._render_direct(walking.direct, region.walking[0], region)
        return text

    def _watched(self) -> str:
        """The region as it is written, in place of each of its kernels, with what watches the claims of that kernel."""
        region = self.region
        optimised, collapsed, walking = region.optimised, region.optimised.collapsed, region.walking_optimised
        direct = (region.direct[0], optimised) if optimised.direct is not None else None
        kernels = [(region.kernel, optimised if direct is None else Optimised()), *([direct] if direct else [])]
        kernels += [(region.collapsed[0], collapsed.optimised)] if collapsed is not None else []
        kernels += [(region.walking[0], walking)] if walking is not None else []
        plain = replace(region, optimised=Optimised())
        return "\n".join(self.of(plain)._as_written(*kernel) for kernel in kernels)

    def _as_written(self, name: str, optimised: Optimised) -> str:
        claims, expected = watched(optimised.claims), optimised.direct.expected if optimised.direct is not None else ()
        self.printer = self.printer.with_names({}, claims=claims, watched=statements(claims), wrapped=reached(claims))

        def body() -> str:
            if expected:
                return self._if_expected(expected, lambda: definitions(claims) + self._loop_body(2), self.region)
            return definitions(claims) + self._by_kind()()

        return self._kernel(name, frozenset(), frozenset(), body)

    def _run_directly(self) -> Kernel:
        """What prints the direct kernel. One that a block runs in place of one thread has steps, and more threads."""
        block = self.region.optimised.block
        if block is None:
            return self
        launch = replace(self.region.launch, bound=BLOCK_THREADS)
        return self.of(replace(self.region, launch=launch, steps=block.steps))

    def of(self, region: TargetRegion) -> Kernel:
        """What prints another kernel for the region, which ``region`` describes."""
        return Kernel(self.plan, region, self.base)

    def _by_kind(self) -> Callable[[], str]:
        """What prints the body of a kernel of this kind."""
        return {
            KernelKind.WORKSHARING: self._worksharing,
            KernelKind.PARALLEL: self._spmd,
            KernelKind.TEAMS: self._generic,
            KernelKind.SERIAL: self._generic,
        }[self.region.kind]

    def _render_direct(self, direct: DirectKernel, name: str, general: TargetRegion) -> str:
        """The kernel ``name``, for launches that the host has looked at. It can do what the ``general`` one does."""
        region, constant = self.region, self.region.optimised.constant
        block = region.optimised.block
        of_warps = (*region.optimised.staged, *region.optimised.broadcast)
        loops: dict[Code, StagedLoop | BlockLoop] = {one.loop: one for one in of_warps}
        loops.update({one.loop: one for one in block.loops} if block is not None else {})
        hoists = region.optimised.hoists
        self.printer = self.printer.with_names({}, hoists=hoists, restricted=direct.pointers, staged=loops)
        self.is_direct = True
        restricted = constant
        if not direct.expected:  # otherwise the parameters serve the general kernel's loop, too
            restricted, constant = direct.pointers | constant, direct.constant | constant
        return self._kernel(name, restricted, constant, partial(self._direct, general))

    def _kernel(
        self, name: str, restricted: frozenset[Entity], constant: frozenset[Entity], body: Callable[[], str]
    ) -> str:
        self.restricted = restricted
        return self.framed(name, self.parameters.declarations(restricted, constant), body())

    def framed(self, name: str, parameters: Sequence[str], body: str) -> str:
        """The kernel ``name`` with its declared parameters, the first of which is the runtime's own."""
        region = self.region
        arguments = ["__rex_kernel_launch_env", *self.parameters.names()]
        head = listed(f"{name}(", ["void *__rex_kernel_launch_env", *parameters], ")")
        body = self.first_lines(name, arguments) + body + OWN_LINES.rstrip("\n")
        where = f"{self.plan.source_name}:{region.span.line}"
        return frames.kernel(where, region.directive, region.launch.bound, head, body)

    def first_lines(self, name: str, arguments: Sequence[str]) -> str:
        """The macro with which the kernel ``name`` begins. On the cpu device it runs the kernel's call of itself, with
        these arguments, on all threads."""
        region = self.region

        def run(macro: str, *first: str) -> str:
            call = listed(f"{macro}({''.join(one + ', ' for one in first)}{name}(", arguments, "));")
            return f"{PAD}{call.replace(chr(10), chr(10) + PAD)}\n"

        if region.kind is KernelKind.WORKSHARING:
            if region.has(Role.LAUNCH_SHAPE):
                return run("REX_CPU_GRID_EXACT", Role.LAUNCH_SHAPE.value)
            return run("REX_CPU_GRID" if "teams" in region.directive.split() else "REX_CPU_TEAM")
        shape = Role.LAUNCH_SHAPE.value
        if region.kind is not KernelKind.PARALLEL and not region.has(Role.LAUNCH_SHAPE):
            shape = "(1ULL << 32) + 1"
        told = ""
        if region.counts_threads:
            place = string_literal(f"{self.plan.source_name}:{region.span.line}")
            told = f"{PAD}REX_CPU_COUNTS_THREADS({shape}, {place});\n"
        return told + run("REX_CPU_TEAMS", shape)

    def _values(self) -> str:
        """What a kernel makes of its parameters first."""
        text = self.parameters.values()
        if self.region.calls_other_units:
            indirect = self.plan.indirect
            tables = f"{self.plan.functions_table}, __rex_device_functions" if indirect else "nullptr, nullptr"
            text += f"{PAD}rex_bring_functions({tables}, {len(indirect)});\n"
        return text

    # -- the kinds of kernel ------------------------------------------------------------------------------------

    def _bound(self, render: Callable[[], str], depth: int = 1) -> str:
        """What ``render`` prints. The names of captured variables in this text are bound in front of it."""
        places = self.printer.around.places
        text, printed = recorded(self.printer, render, {**places, **self.values})
        lines = ""
        for capture in self.region.captures:
            symbol = capture.symbol
            if symbol not in printed:
                continue
            name = self.base.own_name(symbol)
            if symbol in places:
                lines += PAD * depth + reference(name, places[symbol])
            elif symbol in self.values:
                declared = self.base.variable(capture.type, name, const=symbol not in self.region.changed)
                lines += f"{PAD * depth}{declared} = {self.values[symbol]};\n"
        return lines + text

    def _worksharing(self) -> str:
        return self._grid() + self._values() + self._bound(self._loop_body)

    def _direct(self, general: TargetRegion) -> str:
        """The loop for launches that the host has looked at.

        The text of its body is that of the general kernel again. One function for an iteration, inlined into both, is
        the same PTX (measured on bench/kernels/src/matmul.c). But nine bodies of ten have at most ten lines, no
        more than the function's head and its calls, and where pointers overlap nothing the bodies differ: in
        elements kept in variables, and in bounds that are read before their loop.
        """
        direct = self.region.optimised.direct
        assert direct is not None
        if self.region.kind is not KernelKind.WORKSHARING:
            self.covered = direct.once
            return self._by_kind()()
        loop = self._direct_loop if direct.once or direct.tiles is not None else self._loop_body
        if direct.expected:
            return self._if_expected(direct.expected, partial(loop, 2), general)
        return self._grid() + self._values() + self._bound(loop)

    def _if_expected(self, expected: Sequence[Capture], loop: Callable[[], str], general: TargetRegion) -> str:
        """A loop over the grid, for pointers in mapped objects that are those which the host has looked at, and the
        ``general`` kernel's loop for others."""
        start = self._grid() + self._values()
        tests = []
        for one in expected:
            assert one.of is not None
            path, pointer = ".".join(map(self.base.member_name, one.path)), self.parameters.captures[one.of]
            tests.append(f"{self._pointer_to(pointer)}->{path} == {self.parameters.of(one)}")
        other = self.of(replace(general, optimised=Optimised(index32=general.optimised.index32)))
        other.in_parallel = True
        direct = self.region.optimised.direct
        tiles = direct is not None and direct.tiles is not None
        known, unknown = self._bound(loop, 2), other._bound(partial(other._loop_body, 2, tiles), 2)
        end = f"{OWN_LINES}{PAD}}}"
        return f"{start}{PAD}if ({' && '.join(tests)}) {{\n{known}{end} else {{\n{unknown}{end}\n"

    def _pointer_to(self, capture: Capture) -> str:
        """A captured pointer, or the address of a captured object."""
        return self.parameters.of(capture)

    def _direct_loop(self, depth: int = 1) -> str:
        direct = self.region.optimised.direct
        assert direct is not None
        copies = self.privatise(self.sharing, self.printer, depth, self.region.nest)
        loop = self._shared_loop(copies)
        text = copies.declarations + self._where_aligned(lambda deep: direct_iterations(loop, direct, deep), depth)
        return text + self._combined(copies, depth, "rex_reduce_tiles")

    def _where_aligned(self, loop: Callable[[int], str], at: int) -> str:
        """A loop, and the same for arrays that are aligned to more than the language asks, if that helps."""
        captures = self.parameters.captures
        wide = [(self.parameters.of(captures[s]), size) for s, size in self.region.optimised.aligned]
        if not wide:
            return loop(at)
        pad, deeper, test = PAD * at, at + 1, " && ".join(f"REX_IS_ALIGNED({name}, {size})" for name, size in wide)
        known = "".join(f"{PAD * deeper}REX_ASSUME_ALIGNED({name}, {size});\n" for name, size in wide)
        return f"{pad}if ({test}) {{\n{known}{loop(deeper)}{pad}}} else {{\n{loop(deeper)}{pad}}}\n"

    def _shared_loop(self, copies: Copies) -> SharedLoop:
        region = self.region
        assert region.nest is not None
        assert region.schedule is not None
        return SharedLoop(
            region.nest, region.schedule, region.sharing, self.printer, copies, self.plan.escaping, region.optimised
        )

    def _grid(self) -> str:
        """The beginning of a kernel that is one loop over the grid."""
        region = self.region
        assert region.nest is not None
        assert region.schedule is not None
        self.in_parallel = True
        text = ""
        if (region.places and region.calls) or region.asks_settings:
            text += f"{PAD}rex_kernel_state({region.level});\n"
        elif region.places or region.schedule.by_team:
            text += f"{PAD}REX_KERNEL_LEVEL({region.level});\n"
        return text

    def _loop_body(self, depth: int = 1, tiles: bool = False) -> str:
        """The loop of a kernel that is nothing but a loop, from its private copies to its reductions. With ``tiles``, a
        grid of two dimensions may run it."""
        region, printer = self.region, self.printer
        assert region.nest is not None
        assert region.schedule is not None
        copies, pad = self.privatise(self.sharing, printer, depth, region.nest), PAD * depth
        text = copies.declarations
        if not region.schedule.by_team:
            count, number = "(long long)gridDim.x * blockDim.x", "(long long)blockIdx.x * blockDim.x + threadIdx.x"
            if tiles:
                count, number = "rex_threads_of_tiles()", "rex_thread_of_tiles()"
            text += f"{pad}const long long _dev_thread_num = {count};\n"
            text += f"{pad}const long long _dev_thread_id = {number};\n"
        counters = "_dev_thread_num", "_dev_thread_id"
        loop = self._shared_loop(copies)
        if region.optimised.direct is not None and not self.is_direct:
            # Where pointers may overlap, iterations side by side gain nothing.
            text += iterations(replace(loop, optimised=replace(region.optimised, batched=0)), depth, *counters)
        else:
            text += self._where_aligned(lambda deep: iterations(loop, deep, *counters), depth)
        return text + self._combined(copies, depth, "rex_reduce_tiles" if tiles else "rex_reduce_grid")

    def _combined(self, copies: Copies, depth: int, function: str) -> str:
        """The statements that combine the results of the grid's threads."""
        text = self.reductions(self.region.sharing.reductions, self.printer, copies, depth, function)
        return text + "".join(f"{PAD * depth}REX_DROPPED({name});\n" for name in self._dropped(self.printer))

    def _dropped(self, printer: Printer) -> Iterator[str]:
        """The addresses and names of variables of which the region has a copy that no clause asks for, so that the
        results of its reductions get lost."""
        mapping = self.region.mapping
        for r in self.region.sharing.reductions:
            parameter = mapping.parameter(Role.VARIABLE, r.symbol)
            flags = mapping.rows[parameter.row].flags if parameter is not None else 0
            if flags & Map.IMPLICIT and flags & Map.PRIVATE and not r.count:
                yield f"{address_of(r.symbol, printer)}, {string_literal(r.symbol.name)}"

    def _spmd(self) -> str:
        region = self.region
        self.in_parallel = True
        kind, sharing = ConstructKind.PARALLEL, self.sharing
        construct = DeviceConstruct(kind, region.span, sharing, region.body, region.nest, region.schedule)
        # A team of the cpu device may have fewer threads than the launch has, unless they are asked for.
        threads = "static_cast<int>(blockDim.x)" if region.asked_threads else "0"
        if region.steps is None:
            inner = partial(self._closure, construct, self.printer, 2)
            closure = self._bound(lambda: f"{PAD}rex_parallel_spmd({threads}, REX_REGION {{\n{inner()}{PAD}}});\n")
            return self._values() + closure
        self.all_threads = True
        own = f"_OF({threads})" if region.asked_threads else ""
        whole = partial(self.region_body, construct, self.printer.with_names({}, steps=None), 2)
        text = self._together(region.steps) + self._values()
        return text + self._bound(lambda: f"{PAD}REX_TEAM_REGION{own} {{\n{whole()}{PAD}}}\n")

    def _together(self, steps: TeamSteps) -> str:
        """The first lines of a kernel that all threads of a team run together."""
        launch = self.region.launch
        text = f"{PAD}REX_TEAM_TOGETHER{'_STATE' * steps.stateful}({launch.bound});\n"
        if steps.asks and not steps.stateful:
            text += f"{PAD}REX_TEAM_QUERIES;\n"
        return text if launch.exact_threads is None else f"{text}{PAD}REX_TEAM_EXACTLY({launch.exact_threads});\n"

    def _generic(self) -> str:
        region = self.region
        steps = region.steps
        alone = f"{PAD}if (!rex_team_begin())\n{PAD}{PAD}return;\n"
        text = (self._together(steps) if steps is not None else alone) + self._values()
        end = "" if steps is not None else f"{OWN_LINES}{PAD}rex_team_end();\n"
        return text + self._bound(self._initial_thread) + end

    def _initial_thread(self) -> str:
        """What the initial thread of a team runs, or what all its threads run together."""
        region, steps = self.region, self.region.steps
        sharing = self.sharing
        construct = DeviceConstruct(ConstructKind.LOOP, region.span, sharing, region.body, region.nest, region.schedule)
        if region.nest is not None and region.schedule is not None and region.schedule.over is not Over.THREAD:
            return self.loop(construct, self.printer, 1, barrier=False)
        if region.nest is not None:
            return self._serial_loop(construct, self.printer, 1, is_region=True)
        copies = self.privatise(sharing, self.printer, 1)
        together = steps is not None
        combined = self.reductions(sharing.reductions, self.printer, copies, 1 + together, "rex_reduce_league")
        if together and combined:
            combined = f"{PAD}if (rex_team_first()) {{\n{combined}{PAD}}}\n"
        lines, printer = iteration(copies.printer, 1)
        copies = replace(copies, printer=printer)
        return user_block(copies, region.body, 1, copies.declarations + lines, combined, braces=True)

    def _privatised(self) -> frozenset[Entity]:
        """The variables of which the region's own construct makes private copies."""
        region, sharing = self.region, self.sharing
        own = {*sharing.private, *sharing.firstprivate}.difference(sharing.lastprivate)
        if region.nest is None or (region.schedule is not None and region.schedule.over is not Over.THREAD):
            own |= {*sharing.lastprivate, *(r.symbol for r in sharing.reductions)}  # a single thread needs none
        return frozenset(own)

    def _copies(self) -> Sharing:
        """The sharing without firstprivate scalars whose parameters are a copy for each thread already.

        A scalar that needs an alignment, or that other threads reach, still gets a copy.
        """
        region, sharing = self.region, self.region.sharing
        values = {
            c.symbol
            for c in region.captures
            if c.transport in (Transport.LITERAL, Transport.WORDS) or self.base.facts(c.symbol.type).is_pointer
        }
        values -= {*(symbol for symbol, _ in sharing.alignments), *self.plan.escaping.copies}
        firstprivate = tuple(s for s in sharing.firstprivate if s not in values)
        return replace(sharing, firstprivate=firstprivate)

"""Kernels: one per target region, by kind, with their parameters and the ways they are launched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..base.line_directives import OWN_LINES
from ..c.cuda.functions import declared_again
from ..c.cuda.scope import Scope as CudaPrinter
from ..c.cuda.storage import on_heap
from ..c.cuda.text import Cast, Text
from ..c.cuda.text import name as name_text
from ..c.cuda.types import alignas
from ..c.sema import Symbol
from ..c.sema.ctype import Array, Pointer, is_pointer, qualified, strip
from ..c.syntax.nodes import OmpConstruct, ParsedUnit
from ..plan.captures import Capture, Transport
from ..plan.constructs import DeviceConstruct
from ..plan.region import KernelKind, TargetRegion
from ..plan.sharing import Sharing
from ..plan.unit import TranslationUnitPlan
from .constructs import ConstructPrinter, team_versions, variable_names
from .loops import PAD, direct_iterations, iterations
from .templating import environment


class Kernel(ConstructPrinter):
    """One region's kernel."""

    def __init__(self, plan: TranslationUnitPlan, unit: ParsedUnit, region: TargetRegion, base: CudaPrinter) -> None:
        super().__init__(plan)
        self.unit = unit
        self.region = region
        extents: dict[Symbol, tuple[Text, ...]] = {}
        outermost: dict[Symbol, Text] = {}
        for extent in region.extents:
            text = Cast("long", name_text(extent.name))
            if extent.dimension == 0:
                outermost[extent.symbol] = text
                extents.setdefault(extent.symbol, ())
            else:
                extents[extent.symbol] = (*extents.get(extent.symbol, ()), text)
        again = declared_again(base, region.construct)
        # The parameters for variables that a local one may hide have names of their own.
        parameters = {c.symbol: f"{c.symbol.name}__rex_global" for c in region.captures if c.symbol in again}
        self.base = base = base.with_names(parameters)
        names = {**variable_names(plan), **again, **parameters}
        for capture in region.captures:
            plain = base.symbol_text(capture.symbol)
            if capture.transport is Transport.LITERAL:
                names[capture.symbol] = f"{plain}__rex_value"
            elif capture.transport is Transport.ADDRESS:
                names[capture.symbol] = f"(*{plain})"
            elif self._is_shared_pointer(capture):
                names[capture.symbol] = f"{plain}__rex_value"
            elif isinstance(strip(capture.symbol.type), Array):
                names[capture.symbol] = plain  # a pointer to its first element, which '&' has to know
        locals_on_heap = (s for s in region.team_memory.heap if s not in region.sharing.named)
        names.update({s: on_heap(s.name) for s in locals_on_heap})
        self.printer = base.with_extents(extents, outermost).with_names(
            names, construct=self.render_construct, team_memory=region.team_memory, steps=region.steps
        )
        if region.kind is KernelKind.TEAMS:
            self.printer = self.printer.with_names(team_versions(plan, self.printer))
        self.exact_threads = region.launch.exact_threads or 0
        if region.optimised.direct is None or not region.optimised.direct.pointers:
            self.printer = self.printer.with_names({}, loads=region.optimised.loads, hoists=region.optimised.hoists)

    def render_construct(self, node: OmpConstruct, printer: CudaPrinter, depth: int) -> str:
        return super().render(node, printer, depth)

    def render(self) -> str:  # type: ignore[override]
        region = self.region
        body = {
            KernelKind.WORKSHARING: self._worksharing,
            KernelKind.PARALLEL: self._spmd,
            KernelKind.TEAMS: self._generic,
            KernelKind.SERIAL: self._generic,
        }[region.kind]
        constant = region.optimised.constant
        text = self._kernel(region.kernel, constant, constant, body)
        direct = region.optimised.direct
        if direct is None:
            return text
        self.printer = self.printer.with_names(
            {}, loads=region.optimised.loads, hoists=region.optimised.hoists, restricted=direct.pointers
        )
        restricted, constant = direct.pointers | constant, direct.constant | constant
        return f"{text}\n{self._kernel(region.direct[0], restricted, constant, self._direct)}"

    def _kernel(
        self, name: str, restricted: frozenset[Symbol], constant: frozenset[Symbol], body: Callable[[str], str]
    ) -> str:
        region = self.region
        arguments = ", ".join(["__rex_kernel_launch_env", *self._parameter_names()])
        return (
            environment()
            .get_template("kernel.cu.j2")
            .render(
                where=f"{self.plan.source_name}:{region.span.line}",
                directive=region.directive,
                bound=region.launch.bound,
                name=name,
                parameters=["void *__rex_kernel_launch_env", *self._parameters(restricted, constant)],
                body=body(f"{name}({arguments})") + OWN_LINES.rstrip("\n"),
            )
        )

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
                if capture.symbol in restricted and "restrict" not in kind.quals:
                    word = "__restrict__ "
                found.append((capture.row, name, self.base.declaration(kind, word + name)))
            if capture.start is not None:
                start = f"{name}__rex_start"
                found.append((capture.start.row, start, self.base.declaration(capture.start.type, start)))
        if region.partials_row is not None:
            found.append((region.partials_row, "__rex_partials", "unsigned long long *__rex_partials"))
        direct = region.optimised.direct
        if direct is not None and direct.tiling is not None:
            found.append((direct.tiling, "__rex_tiling", "unsigned long long __rex_tiling"))
        for extent in region.extents:
            found.append((extent.row, extent.name, f"unsigned long long {extent.name}"))
        if region.shape_row is not None:
            found.append((region.shape_row, "__rex_launch_shape", "unsigned long long __rex_launch_shape"))
        if region.facts_row is not None:
            for i, name in enumerate(("__rex_num_devices", "__rex_device_num", "__rex_num_procs")):
                found.append((region.facts_row + i, name, f"unsigned long long {name}"))
        if region.limits_row is not None:
            found.append((region.limits_row, "__rex_limits", "int *__rex_limits"))
        return sorted(found)

    def _parameters(
        self, restricted: frozenset[Symbol] = frozenset(), constant: frozenset[Symbol] = frozenset()
    ) -> list[str]:
        return [declaration for _, _, declaration in self._rows(restricted, constant)]

    def _parameter_names(self) -> list[str]:
        return [name for _, name, _ in self._rows()]

    def _is_shared_pointer(self, capture: Capture) -> bool:
        """Whether a pointer goes by value, and parallel regions change it or reach it by its address."""
        if capture.transport is not Transport.POINTER or capture.symbol in self._copies().named:
            return False
        return is_pointer(capture.symbol.type) and capture.symbol in self.region.team_memory.shared

    def _literals(self) -> str:
        """Scalars passed by value, rebuilt from the low bytes of their parameters."""
        text = ""
        for capture in self.region.captures:
            if capture.transport is Transport.LITERAL:
                name = self.base.symbol_text(capture.symbol)
                value = f"{name}__rex_value"
                storage = "REX_TEAM_SHARED " if capture.symbol in self.region.team_memory.shared else ""
                text += f"{PAD}{storage}{alignas(capture.type)}{self.base.declaration(capture.type, value)};\n"
                text += f"{PAD}__builtin_memcpy(&{value}, &{name}, sizeof({value}));\n"
            elif self._is_shared_pointer(capture):
                name = self.base.symbol_text(capture.symbol)
                text += f"{PAD}REX_TEAM_SHARED {self.base.declaration(capture.type, f'{name}__rex_value')};\n"
                text += f"{PAD}{name}__rex_value = {name};\n"
            elif capture.start is not None:
                name = self.base.symbol_text(capture.symbol)
                text += f"{PAD}rex_share_pointer({name}, {name}__rex_start);\n"
        if self.region.facts_row is not None:
            text += f"{PAD}rex_set_device_facts((int)__rex_num_devices, (int)__rex_device_num, (int)__rex_num_procs);\n"
        if self.region.limits_row is not None:
            text += f"{PAD}rex_limits = __rex_limits;\n"
        if self.region.calls_other_units:
            indirect = self.plan.indirect
            tables = f"{self.plan.functions_table}, __rex_device_functions" if indirect else "nullptr, nullptr"
            text += f"{PAD}rex_bring_functions({tables}, {len(indirect)});\n"
        return text

    # -- the kinds of kernel ------------------------------------------------------------------------------------

    def _worksharing(self, call: str) -> str:
        return self._grid(call) + self._loop_body(self.printer)

    def _direct(self, call: str) -> str:
        """The loop for launches that the host has looked at."""
        region, direct = self.region, self.region.optimised.direct
        assert region.nest is not None
        assert direct is not None
        if not direct.once:
            return self._grid(call) + self._loop_body(self.printer)
        text = self._grid(call) + self._literals()
        declarations, inner = self.privatise(self._copies(), self.printer, 1, region.nest)
        return text + declarations + direct_iterations(region, direct, self.printer, inner, 1)

    def _grid(self, call: str) -> str:
        """How a kernel that is one loop over the grid begins."""
        region = self.region
        assert region.nest is not None
        assert region.schedule is not None
        self.in_parallel = True
        text = f"{PAD}REX_CPU_GRID({call});\n"
        if region.shape_row is not None:
            text = f"{PAD}REX_CPU_GRID_EXACT(__rex_launch_shape, {call});\n"
        schedule = region.schedule
        chunked = schedule.thread_chunk is not None or schedule.team_chunk is not None or schedule.even
        by_team = chunked and schedule.over == "grid"  # chunks for teams, and shares of them for their threads
        if (region.places and region.calls) or region.asks_settings:
            text += f"{PAD}rex_kernel_state({region.level});\n"
        elif region.places or by_team:
            text += f"{PAD}REX_KERNEL_LEVEL({region.level});\n"
        return text

    def _loop_body(self, printer: CudaPrinter) -> str:
        """The loop as the whole of a kernel, from its literals to its reductions."""
        region = self.region
        assert region.nest is not None
        assert region.schedule is not None
        schedule = region.schedule
        chunked = schedule.thread_chunk is not None or schedule.team_chunk is not None or schedule.even
        by_team = chunked and schedule.over == "grid"
        text = self._literals()
        declarations, inner = self.privatise(self._copies(), printer, 1, region.nest)
        text += declarations
        if not by_team:
            text += f"{PAD}const long long _dev_thread_num = (long long)gridDim.x * blockDim.x;\n"
            text += f"{PAD}const long long _dev_thread_id = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
        counters = "_dev_thread_num", "_dev_thread_id"
        text += iterations(region.nest, region.schedule, region.sharing, printer, inner, 1, *counters, region.optimised)
        return text + self.reductions(region.sharing.reductions, printer, inner, 1, "rex_reduce_grid")

    def _spmd(self, call: str) -> str:
        region = self.region
        self.in_parallel = True
        text = f"{PAD}REX_CPU_TEAMS(__rex_launch_shape, {call});\n"
        text += self._literals()
        construct = DeviceConstruct("parallel", region.span, region.sharing, region.body)
        inner = self.region_body(construct, self.printer, 2)
        return f"{text}{PAD}rex_parallel_spmd(0, REX_REGION {{\n{inner}{PAD}}});\n"

    def _generic(self, call: str) -> str:
        region = self.region
        shape = "__rex_launch_shape" if region.shape_row is not None else "(1ULL << 32) + 1"
        text = f"{PAD}REX_CPU_TEAMS({shape}, {call});\n"
        steps = region.steps
        if steps is not None:
            text += f"{PAD}REX_TEAM_TOGETHER{'_STATE' * steps.stateful}({region.launch.bound});\n"
        else:
            text += f"{PAD}if (!rex_team_begin())\n{PAD}{PAD}return;\n"
        text += self._literals()
        sharing = self._copies()
        construct = DeviceConstruct("loop", region.span, sharing, region.body, region.nest, region.schedule)
        if region.nest is not None and region.schedule is not None and region.schedule.over != "thread":
            text += self.loop(construct, self.printer, 1, barrier=False)
        elif region.nest is not None:
            text += self._serial_loop(construct, self.printer, 1, is_region=True)
        else:
            declarations, inner = self.privatise(sharing, self.printer, 1)
            text += declarations
            text += inner.statement(region.body, 1)
            together = steps is not None
            combined = self.reductions(sharing.reductions, self.printer, inner, 1 + together, "rex_reduce_league")
            text += f"{PAD}if (rex_team_first()) {{\n{combined}{PAD}}}\n" if together and combined else combined
        return text if steps is not None else f"{text}{PAD}rex_team_end();\n"

    def _copies(self) -> Sharing:
        """Sharing without the firstprivate scalars that are copies of each thread's already: the values that it has as
        parameters. Those are not aligned, though, and not where other threads reach them."""
        region, sharing = self.region, self.region.sharing
        values = {
            c.symbol
            for c in region.captures
            if c.transport is Transport.LITERAL or isinstance(strip(c.symbol.type), Pointer)
        }
        values -= {*(symbol for symbol, _ in sharing.alignments), *self.plan.escaping.copies}
        firstprivate = tuple(s for s in sharing.firstprivate if s not in values)
        return replace(sharing, firstprivate=firstprivate)

"""Prints the kernels of C++ regions: those of members and templates call a function in the scope of the region."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..base.line_directives import OWN_LINES
from ..base.names import PAD, indent_lines
from ..base.records import replace
from ..plan.rows import Capture, Transport
from ..plan.unit import TargetRegion, TranslationUnitPlan
from ..render.kernels import Kernel
from ..render.lines import listed
from .captures import List
from .printer import CxxPrinter
from .regions import Decided


class PointedKernel(Kernel):
    """The kernels of a region. Pointers in closures that the region gets lead to the device's storage. ``late`` are the
    declarations of the function around it that name the kernel's variables."""

    def __init__(self, plan: TranslationUnitPlan, one: Decided, base: CxxPrinter, late: str) -> None:
        super().__init__(plan, one.region, base)
        self.one, self.pointed, self.own, self.late = one, one.pointed, base, late

    def of(self, region: TargetRegion) -> PointedKernel:
        return PointedKernel(self.plan, replace(self.one, region=region), self.own, self.late)

    def _values(self) -> str:
        text = super()._values()
        for one in self.pointed:
            name, kind = one.variable.name, one.variable.type.text
            capture = next(c for c in self.region.captures if c.symbol is one.variable)
            if capture.transport is Transport.WORDS:
                text += f"{PAD}void *const {name}__rex_addresses[] = {{{', '.join(one.names)}}};\n"
                whole = "whole()" if one.variable in self.region.team_memory.shared else "whole"
                text += f"{PAD}rex_point({name}__rex_value.{whole}, {name}__rex_addresses, {one.first});\n"
                continue
            address = self.parameters.of(capture)
            given = ", ".join([address, str(one.first), *one.names])
            const = "const " if one.variable.type.const else ""
            text += f"{PAD}rex_pointed<{const}{kind}, {len(one.names)}> {name}__rex_pointed({given});\n"
            text += f"{PAD}{address} = {name}__rex_pointed.object;\n"
        return text

    def _bound(self, render: Callable[[], str], depth: int = 1) -> str:
        return super()._bound(lambda: self.late + render(), depth)


class BodyKernel(PointedKernel):
    """The kernels of a region in a member function or a template.

    Their bodies are functions in the scope of the region's function, so that the names in there mean the same. The
    kernels themselves, one for each instantiation, stand at the end of the file.
    """

    def __init__(self, plan: TranslationUnitPlan, one: Decided, base: CxxPrinter, lines: str, late: str) -> None:
        super().__init__(plan, one, base, late)
        assert one.around is not None
        self.around = one.around
        self.instances = one.instances
        self.lines = lines
        self.shells: list[str] = []
        self.declarations: list[str] = []
        self.friends: list[str] = []
        self.lists = {one.whole: one for one in one.lists}
        self.this = next((c for c in one.region.captures if getattr(c.symbol, "name", "") == "this"), None)

    def of(self, region: TargetRegion) -> BodyKernel:
        other = BodyKernel(self.plan, replace(self.one, region=region), self.own, self.lines, self.late)
        other.shells, other.declarations, other.friends = self.shells, self.declarations, self.friends
        return other

    def _pointer_to(self, capture: Capture) -> str:
        return "this" if capture is self.this else super()._pointer_to(capture)

    def framed(self, name: str, parameters: Sequence[str], body: str) -> str:
        region, around = self.region, self.around
        parameters = self.parameters.declarations(frozenset(), frozenset())  # those that are restrict are not typed
        declared = ["void *__rex_kernel_launch_env"]
        names = ["__rex_kernel_launch_env"]
        values = ""
        lists: list[tuple[List, str]] = []
        own: list[str] = list(declared)
        passed: list[str] = list(names)
        for parameter, text, parameter_name in zip(region.parameters, parameters, self.parameters.names(), strict=True):
            brought = self.parameters.brought(parameter)
            names.append(parameter_name)
            if brought is None or brought[0].of is not None:  # no type to name: the shell has it, too
                declared.append(text)
                own.append(text)
                passed.append(parameter_name)
                continue
            capture, pointed = brought
            word = "__restrict__ " if capture.symbol in self.restricted else ""
            declared.append(f"void *{word}{parameter_name}")
            if capture is self.this:
                continue
            if capture.symbol in self.lists:
                lists.append((self.lists[capture.symbol], parameter_name))
                continue
            own.append(f"void *{word}{parameter_name}__rex_raw")
            passed.append(parameter_name)
            kind = self.base.declaration(pointed).removesuffix("__restrict").rstrip()
            values += f"{PAD}{text} = ({kind}){parameter_name}__rex_raw;\n"
        for one, _ in lists:
            own.append(f"typename rex_copy_of<typename rex_by_value<{one.pattern}>::type>::type... {one.name}")
        # In a class or a template, the function may have the kernel's name.
        inner = name if around.record is not None or around.is_template else f"{name}body__"
        is_static = around.record is not None and self.this is None
        const = " const" if around.is_const and not is_static else ""
        inside = around.is_in_class or around.record is None
        header = around.header if not around.is_in_class else around.own_head.rstrip()
        word = "static " if is_static and inside else "friend " if around.is_friend_inside else ""
        qualifier = "" if inside else around.qualifier
        own = [*(f"{tag} *" for tag in around.tags), *own]
        text = f"// {self.plan.source_name}:{region.span.line}: {region.directive}\n"
        text += f"{header}\n" if header else ""
        text += f"{listed(f'{word}inline __device__ void {qualifier}{inner}(', own, f'){const}')}\n"
        text += f"{{\n{self.lines}{values}{body}{OWN_LINES}}}\n"
        signature = f"({', '.join(own)}){const}"
        if around.classes:
            plain = f"{header}{' ' if header else ''}"
            self.declarations.append(f"{plain}inline __device__ void {inner}{signature};")
            self.friends.append(f"{plain}friend __device__ void {inner}{signature};")
        elif not inside:
            word = "static " if is_static else ""
            self.declarations.append(f"{around.own_head}{word}inline __device__ void {inner}{signature};")
        const = "const " if const else ""
        self._add_shells(name, f"{around.scope}{inner}", const, is_static, declared, names, passed, lists)
        return text

    def _add_shells(
        self, name: str, inner: str, const: str, is_static: bool, declared: Sequence[str], names: Sequence[str],
        passed: Sequence[str], lists: Sequence[tuple[List, str]],
    ) -> None:  # fmt: skip
        """Add the kernels that call the function with the body: one for each instantiation."""
        around, bound = self.around, self.region.launch.bound
        made = [(f"{name}{n}", i) for n, i in enumerate(self.instances, 1)] if around.is_template else [(name, None)]
        for number, (kernel, instance) in enumerate(made):
            items = [
                f"rex_item<{n}>::of(*static_cast<{one.types[number]} *>({where}))"
                for one, where in lists
                for n in range(one.counts[number])
            ]
            call = f"{inner}{instance.own if instance is not None else ''}"
            if around.record is not None:
                whole = instance.object if instance is not None else around.class_name
                method = f"{name}{instance.own if instance is not None else ''}"
                pointer = f"static_cast<{const}{whole} *>(rex_this)"
                call = f"{whole}::{method}" if is_static else f"{pointer}->{method}"
            tags = [f"static_cast<{tag} *>(nullptr)" for tag in instance.tags] if instance is not None else []
            first = self.first_lines(kernel, names)
            head = f'extern "C" __global__ void __launch_bounds__({bound})'
            called = first + indent_lines(listed(f"{call}(", [*tags, *passed, *items], ");"))
            self.shells.append(f"{head}\n{listed(f'{kernel}(', declared, ')')}\n{{\n{called}\n}}\n")

"""Parameters of kernels: what each is called and declared as, and what the kernel makes of it first."""

from __future__ import annotations

from ..base.indent import PAD
from ..plan.captures import Capture, Transport
from ..plan.code import Entity
from ..plan.printer import Printer
from ..plan.region import TargetRegion
from ..plan.rows import Parameter, Role
from ..plan.sharing import Sharing

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
        self._captures: dict[Entity, Capture] = {}
        for capture in region.captures:
            self._captures.setdefault(capture.symbol, capture)

    def _capture(self, parameter: Parameter) -> Capture | None:
        """The capture of the variable that a parameter is for, if it is for one."""
        return None if parameter.symbol is None else self._captures.get(parameter.symbol)

    def _declared(self, parameter: Parameter, restricted: frozenset[Entity], constant: frozenset[Entity]) -> str:
        """The declaration of a parameter.

        ``restricted`` pointers overlap nothing that is written, ``constant`` ones lead to what is only read.
        """
        name = self._name_of(parameter)
        capture = self._capture(parameter)
        if parameter.role is Role.START and capture is not None and capture.start is not None:
            return self._base.declaration(capture.start.type, name)
        if parameter.role is not Role.VARIABLE or capture is None or capture.transport is Transport.LITERAL:
            return _TYPES.get(parameter.role, "unsigned long long ") + name
        is_constant, is_restricted = capture.symbol in constant, capture.symbol in restricted
        return self._base.pointer_parameter(capture.type, name, is_constant, is_restricted)

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
            return self._stem(capture, "value")
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
        if self._region.has(Role.NUM_DEVICES):
            facts = (Role.NUM_DEVICES, Role.DEVICE_NUM, Role.NUM_PROCS)
            text += f"{PAD}rex_set_device_facts({', '.join(f'(int){role.value}' for role in facts)});\n"
        if self._region.has(Role.LIMITS):
            text += f"{PAD}rex_limits = {Role.LIMITS.value};\n"
        return text

    def _put_together(self, capture: Capture, value: str) -> str:
        """The statements that make the variable ``value`` of a structure's words and pointers.

        A parameter may lead to const where the member does not.
        """
        text = f"{PAD}{self._base.variable(capture.type, value)};\n"
        for word in capture.words:
            place = f"(char *)&{value} + {word.offset}" if word.offset else f"&{value}"
            text += f"{PAD}__builtin_memcpy({place}, &{word.name}, {word.size});\n"
        for member in self._region.captures:
            if member.of is capture.symbol:
                target = ".".join([value, *map(self._base.member_name, member.path)])
                text += f"{PAD}{target} = (decltype({target})){self.of(member)};\n"
        return text

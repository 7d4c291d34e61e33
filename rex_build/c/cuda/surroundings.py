"""The surroundings for which device code is printed: the unit, and the kernel, function or construct around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from itertools import count
from typing import Any

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.records import dataclass
from ...base.spans import SourceSpan
from ...plan.device_code import DeviceCode
from ...plan.memory import Escaping, TeamMemory
from ...plan.optimised import HoistedRead, TeamSteps
from ..analysis.device_names import DeviceNames
from ..sema import Sema, Symbol
from ..syntax.nodes import OmpConstruct

Locate = Callable[[c_ast.Node], SourceSpan | None]
PrintConstruct = Callable[[OmpConstruct, Any, int], str]  # (construct, the scope around it, depth)


@dataclass(frozen=True)
class PrintedUnit:
    """The facts that are the same for all code of a unit.

    ``locate`` gives the place of a node in the user's files. With it, every statement has a line marker before it.
    """

    sema: Sema
    code: DeviceCode
    locate: Locate | None = None
    wraps: bool = False  # signed overflow wraps around (-fwrapv)
    fuses: bool = True  # products may be fused with sums (not under -ffp-contract=off)
    shared: frozenset[Symbol] = frozenset()  # functions that other units may call by name
    kept_as_calls: frozenset[str] = frozenset()  # functions not to be inlined
    escaping: Escaping = field(default_factory=Escaping)
    serials: Iterator[int] = field(default_factory=lambda: count(1))  # numbers for temporaries
    printed: set[Symbol] = field(default_factory=set)  # symbols that the text mentions so far

    @cached_property
    def device_names(self) -> DeviceNames:
        """The names at file scope, which are chosen when they are first asked for."""
        return DeviceNames(self.code)


def _refuse_construct(node: OmpConstruct, _scope: object, _depth: int) -> str:
    raise error_at(node.directive.span, f"'{node.directive.name}' is not supported in device code")


@dataclass(frozen=True)
class Surroundings:
    """The decisions about the kernel, function or construct whose code is printed."""

    construct: PrintConstruct = _refuse_construct  # prints the OpenMP constructs inside a statement
    team_memory: TeamMemory = field(default_factory=TeamMemory)
    steps: TeamSteps | None = None  # set if all threads of a team run the sequential part
    loads: frozenset[c_ast.Node] = frozenset()  # lvalues of memory that nothing writes while a kernel runs
    restricted: frozenset[Symbol] = frozenset()  # pointers whose memory overlaps no other's
    hoists: tuple[HoistedRead, ...] = ()  # reads made before the loop that they bound
    before: Mapping[c_ast.Node, list[str]] = field(default_factory=dict)  # declarations to print before a statement
    replaced: Mapping[c_ast.Node, str] = field(default_factory=dict)  # expressions that a variable stands for
    places: Mapping[Symbol, str] = field(default_factory=dict)  # the objects to which names that are references refer

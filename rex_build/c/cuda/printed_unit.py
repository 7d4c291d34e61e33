"""The facts about a unit whose device code is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import count

from pycparser import c_ast

from ...base.records import dataclass, field
from ...base.spans import SourceSpan
from ...plan.code import Code
from ...plan.memory import Escaping
from ..analysis.device_names import DeviceNames
from ..analysis.used_code import UsedCode
from ..sema import Sema, Symbol
from ..syntax.nodes import ParsedUnit

Locate = Callable[[c_ast.Node], SourceSpan | None]


@dataclass(frozen=True)
class PrintedUnit:
    """The facts that are the same for all code of a unit.

    ``locate`` gives the place of a node in the user's files. With it, every statement has a line marker before it.
    """

    sema: Sema
    code: UsedCode
    locate: Locate | None = None
    wraps: bool = False  # signed overflow wraps around (-fwrapv)
    fuses: bool = True  # products may be fused with sums (not under -ffp-contract=off)
    shared: frozenset[Symbol] = frozenset()  # functions that other units may call by name
    kept_as_calls: frozenset[str] = frozenset()  # functions not to be inlined
    escaping: Escaping = field(default_factory=Escaping)
    unrolled: frozenset[Code] = frozenset()
    parsed: ParsedUnit | None = None  # for type definitions
    serials: Iterator[int] = field(default_factory=lambda: count(1))  # numbers for temporaries
    printed: set[Symbol] = field(default_factory=set)  # symbols that the text mentions so far

    @cached_property
    def device_names(self) -> DeviceNames:
        """The names at file scope, which are chosen when they are first asked for."""
        return DeviceNames(self.code)

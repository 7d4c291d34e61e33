"""OpenMP constructs inside device code."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from pycparser import c_ast

from ..base.records import dataclass
from ..base.spans import SourceSpan
from ..c.sema import Symbol
from .loops import LoopNest, Schedule
from .sharing import Sharing


@dataclass(frozen=True)
class Atomic:
    """One atomic operation: ``read``, ``write``, ``update`` or ``exchange`` on ``location``.

    ``operator`` is the device library's tag, and ``operand`` the other argument (None means the constant 1). With
    ``reversed``, the operation is ``operand op x``. ``captured`` receives the new or the old value.
    """

    operation: str
    location: c_ast.Node
    operator: str | None
    operand: c_ast.Node | None
    reversed: bool
    captured: c_ast.Node | None
    captures_new: bool
    desired: c_ast.Node | None = None  # for ``compare``: the new value of x if it equals ``operand``
    outcome: c_ast.Node | None = None  # for ``compare``: receives whether it was equal
    on_failure: bool = False  # for ``compare``: ``captured`` is set only if it was not equal
    ordered: bool = False  # a memory order stronger than relaxed

    def capturing(self, into: c_ast.Node, new: bool) -> Atomic:
        return replace(self, captured=into, captures_new=new)


class ConstructKind(Enum):
    """What the threads that meet a construct do."""

    PARALLEL = "parallel"  # a region of its own, with a loop if there is a nest
    LOOP = "loop"
    TASKLOOP = "taskloop"
    SECTIONS = "sections"
    SINGLE = "single"
    MASKED = "masked"
    CRITICAL = "critical"
    SCOPE = "scope"
    TASK = "task"  # runs at once
    BLOCK = "block"  # its body runs unchanged
    ATOMIC = "atomic"
    BARRIER = "barrier"
    FLUSH = "flush"
    ERROR = "error"
    NOTHING = "nothing"


@dataclass(frozen=True)
class DeviceConstruct:
    """An OpenMP construct inside device code. Constructs that are directly nested are combined into one."""

    kind: ConstructKind
    span: SourceSpan
    sharing: Sharing
    body: c_ast.Node | None
    nest: LoopNest | None = None
    schedule: Schedule | None = None
    nowait: bool = False
    num_threads: c_ast.Node | None = None
    condition: c_ast.Node | None = None
    lock: str | None = None
    atomic: Atomic | None = None
    filter: c_ast.Node | None = None
    sections: tuple[c_ast.Node, ...] = ()
    broadcast: tuple[Symbol, ...] = ()  # copyprivate
    message: c_ast.Node | None = None
    fatal: bool = True
    final: c_ast.Node | None = None  # of a task

"""OpenMP constructs inside device code."""

from __future__ import annotations

from enum import Enum

from ..base.records import dataclass
from ..base.spans import SourceSpan
from .code import Code, Entity
from .loops import LoopNest, Schedule
from .sharing import Sharing


@dataclass(frozen=True)
class Atomic:
    """One atomic operation: ``read``, ``write``, ``update`` or ``exchange`` on ``location``.

    ``operator`` is the device library's tag, and ``operand`` the other argument (None means the constant 1). With
    ``reversed``, the operation is ``operand op x``. ``captured`` receives the new or the old value.
    """

    operation: str
    location: Code
    operator: str | None
    operand: Code | None
    reversed: bool
    captured: Code | None
    captures_new: bool
    desired: Code | None = None  # for ``compare``: the new value of x if it equals ``operand``
    outcome: Code | None = None  # for ``compare``: receives whether it was equal
    on_failure: bool = False  # for ``compare``: ``captured`` is set only if it was not equal
    ordered: bool = False  # a memory order stronger than relaxed


REDUCTION_LOCK = "rex_reduction_lock"  # for reductions that the program declares


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
    TASKGROUP = "taskgroup"  # its tasks are complete when it ends
    TASKWAIT = "taskwait"
    BLOCK = "block"  # its body runs unchanged
    ATOMIC = "atomic"
    BARRIER = "barrier"
    FLUSH = "flush"
    ERROR = "error"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Dependence:
    """A list item of ``depend``, which the check device compares with those of other tasks.

    ``kind`` is ``in``, ``out`` or ``in_set``, or ``on_all`` if it is not known which storage it is. Device code
    may have no such ``variable``. ``steps`` lead from it to the first element: indices, or texts such as ``.x``.
    """

    kind: str
    name: str = ""
    variable: Entity | None = None
    steps: tuple[Code | str, ...] = ()


@dataclass(frozen=True)
class DeviceConstruct:
    """An OpenMP construct inside device code. Constructs that are directly nested are combined into one."""

    kind: ConstructKind
    span: SourceSpan
    sharing: Sharing
    body: Code | None
    nest: LoopNest | None = None
    schedule: Schedule | None = None
    nowait: bool = False  # nothing waits at its end
    num_threads: Code | None = None
    condition: Code | None = None  # of a region or a task
    lock: str | None = None
    atomic: Atomic | None = None
    filter: Code | None = None
    sections: tuple[Code, ...] = ()
    broadcast: tuple[Entity, ...] = ()  # copyprivate
    message: Code | None = None
    fatal: bool = True
    final: Code | None = None  # of a task
    depends: tuple[Dependence, ...] = ()  # of tasks and taskwait
    is_one_task: bool = False  # of a taskloop

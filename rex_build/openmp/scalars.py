"""How a scalar of which a region has copies reaches the kernel: by value, or in storage that its threads share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property

from ..base.records import dataclass
from ..plan.constructs import Entity, Sharing
from ..plan.unit import KernelKind
from ..tree import nodes as tree
from ..tree.calls import Calls
from ..tree.symbols import Function
from .program import C, Program

_ORDERING = frozenset(("critical", "flush", "ordered", "scan"))


@dataclass(frozen=True)
class Accesses:
    """What a region's body does with variables from outside.

    It changes those in ``changed``, and takes the addresses of those in ``addressed``. ``ordered`` gives those whose
    accesses by different threads it may order, as atomics do; None means all. They are found when somebody asks.
    """

    changed: Collection[Entity]
    find_addressed: Callable[[], Collection[Entity]]
    find_ordered: Callable[[], Collection[Entity] | None]

    @cached_property
    def addressed(self) -> Collection[Entity]:
        return self.find_addressed()

    @cached_property
    def ordered(self) -> Collection[Entity] | None:
        return self.find_ordered()


def needs_storage(
    symbol: Entity,
    kind: KernelKind,
    leaves: Sequence[str],
    sharing: Sharing,
    innermost: Sharing,
    accesses: Accesses,
    *,
    is_volatile: bool,
) -> bool:
    """Whether threads that share a firstprivate scalar of the region could see each other's changes to it.

    ``sharing`` is the region's, and ``innermost`` what the innermost of its constructs says alone.
    """
    if symbol not in accesses.changed and symbol not in {r.symbol for r in sharing.reductions}:
        return symbol in sharing.lastprivate
    copied = symbol in {*sharing.firstprivate, *sharing.private}
    if copied and symbol in {*innermost.firstprivate, *innermost.private} and len(leaves) > 1:
        return False
    if kind is not KernelKind.PARALLEL and symbol not in sharing.returned and not is_volatile:
        # Reading what another thread wrote would be a data race here, so a copy for each thread does as well.
        ordered = None if symbol in accesses.addressed else accesses.ordered
        if ordered is not None and symbol not in ordered:
            return False
    if kind in (KernelKind.SERIAL, KernelKind.TEAMS):
        return "teams" in leaves
    return True


def ordered_variables(
    program: Program[C], regions: Iterable[tree.Node], calls: Calls, addressed: Collection[Entity]
) -> Collection[Entity] | None:
    """The variables whose accesses by different threads a region, or a function it reaches, may order. None means all.

    The threads may be of different teams, or of the same worksharing loop. Relaxed atomics of other objects order
    nothing; where their object is not named, it may be a variable that is ``addressed``. ``regions`` are its trees.
    """
    found: set[Entity] = set()
    queue, seen = list(regions), set[Function]()
    while queue:
        for node in tree.walk(queue.pop()):
            match node:
                case tree.Opaque() if node.jumps or node.mentions is None:
                    return None
                case tree.Call() if node.virtual or not isinstance(node.callee, tree.FunctionAddress):
                    return None
                case tree.FunctionAddress(function=function) if function not in seen:
                    seen.add(function)
                    body = calls.body(function) if function.defined else None
                    queue += [body.statement] if body is not None else []
                    if _orders(function):
                        return None
                case tree.Load(place=place) | tree.Store(place=place) | tree.Update(place=place) if place.type.atomic:
                    return None
                case tree.Construct(directive=directive) if not _ORDERING.isdisjoint(directive.constructs):
                    return None
                case tree.Construct(directive=directive) if "atomic" in directive.constructs:
                    operation = program.atomic(node.origin)
                    if operation.ordered:
                        return None
                    variable = program.named(operation.location)
                    found.update(addressed if variable is None else [variable])
    return found


def _orders(function: Function) -> bool:
    name = function.name
    is_lock = name.startswith("omp_") and name.endswith("_lock")
    return is_lock or name.startswith(("__atomic_", "__sync_", "__c11_atomic_")) or ("::" in name and "atomic" in name)

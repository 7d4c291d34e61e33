"""Transformations of a kernel, applied and left out."""

from __future__ import annotations

from pycparser import c_ast

from ..base.records import dataclass
from ..c.sema import Symbol
from ..c.sema.ctype import CType


@dataclass(frozen=True)
class Optimisation:
    """What became of one transformation in one region. ``name`` is what ``--no-opt`` takes."""

    name: str
    applied: bool
    reason: str


@dataclass(frozen=True)
class OverlapTest:
    """Two mapped ranges that the host compares: where each begins and how many bytes it has; the first is written.
    ``objects``: both are of variables, not of what pointers point to, and device code that leaves one is wrong."""

    first: str
    first_size: str
    second: str
    second_size: str
    objects: bool


@dataclass(frozen=True)
class DirectKernel:
    """A second kernel, for launches of which the host has seen that what the kernel takes for granted is so.

    ``once``: every iteration has a device thread, and their numbers fit 32 bits. ``tiling`` is the row that carries the
    shape of two-dimensional tiles, in which the threads of a block then lie. ``pointers`` are captures that become
    ``__restrict__``, ``constant`` those that are only read, ``overlap_tests`` what the host compares for that.
    """

    once: bool
    tiling: int | None
    pointers: frozenset[Symbol] = frozenset()
    constant: frozenset[Symbol] = frozenset()
    overlap_tests: tuple[OverlapTest, ...] = ()


@dataclass(frozen=True)
class TeamSteps:
    """How all threads of a team run a generic region's sequential part together.

    They wait for each other before the statements ``barriers`` and at the end of each iteration of the loops ``ends``;
    ``guarded`` statements are the first thread's. ``shared`` variables live in team memory, the others in every thread.
    ``stateful``: parallel regions need the device library's record of where they run.
    """

    barriers: frozenset[c_ast.Node]
    ends: frozenset[c_ast.Node]
    guarded: frozenset[c_ast.Node]
    shared: frozenset[Symbol]
    stateful: bool


@dataclass(frozen=True)
class ScalarElement:
    """An element that an iteration keeps in a variable: ``element`` is the lvalue, ``uses`` every mention of it.
    ``member`` names the member of a structure, if it is one."""

    symbol: Symbol
    type: CType
    element: c_ast.Node
    uses: tuple[c_ast.Node, ...]
    member: str = ""


@dataclass(frozen=True)
class HoistedRead:
    """A read in the condition of ``loop`` that is made once, before it: ``element`` is the lvalue, ``uses`` are its
    mentions there."""

    loop: c_ast.Node
    symbol: Symbol
    type: CType
    element: c_ast.Node
    uses: tuple[c_ast.Node, ...]


@dataclass(frozen=True)
class Optimised:
    """The transformations of one region (see ``analysis.optimise``). ``scalars`` are for the ``direct`` kernel, and so
    are ``loads`` where that one has ``__restrict__`` pointers; else they and ``constant`` are for both kernels."""

    facts: tuple[Optimisation, ...] = ()
    direct: DirectKernel | None = None
    constant: frozenset[Symbol] = frozenset()
    loads: frozenset[c_ast.Node] = frozenset()
    scalars: tuple[ScalarElement, ...] = ()
    hoists: tuple[HoistedRead, ...] = ()  # as ``loads``
    index32: bool = True

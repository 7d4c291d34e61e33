"""Canonical loop nests and their schedules."""

from __future__ import annotations

from pycparser import c_ast

from ..base.records import dataclass
from ..base.spans import SourceSpan
from ..c.sema import Symbol
from ..c.sema.ctype import CType


@dataclass(frozen=True)
class CanonicalLoop:
    """The facts of one canonical loop (OpenMP 5.2, 4.4.1).

    ``step_value`` is the magnitude of a constant step; otherwise the magnitude is ``step``, negated when
    ``step_negated``. ``relation`` is written with the loop variable on the left.
    """

    symbol: Symbol
    type: CType
    declared: bool
    lower: c_ast.Node
    bound: c_ast.Node
    step: c_ast.Node | None  # None: the constant ``step_value``
    step_value: int | None
    step_negated: bool
    increasing: bool
    relation: str
    span: SourceSpan


@dataclass(frozen=True)
class LoopNest:
    """The loops that one directive associates with itself, outermost first, and what an iteration of them runs.

    ``inner`` are loops in ``body`` that belong to the nest, but cannot be collapsed with the others.
    """

    levels: tuple[CanonicalLoop, ...]
    body: c_ast.Node
    inner: tuple[CanonicalLoop, ...] = ()


@dataclass(frozen=True)
class Schedule:
    """Who runs which iteration. Chunks are expressions in iterations, None where the clause gives none."""

    over: str  # "grid", "teams", "team": whose threads share the iterations; "thread", "first": one runs all in order
    team_chunk: c_ast.Node | None = None  # dist_schedule(static, c)
    thread_chunk: c_ast.Node | None = None  # schedule(static, c)
    even: bool = False  # schedule(static) or dist_schedule(static), observed: contiguous chunks, one each
    runtime: bool = False  # ... unless omp_set_schedule() has asked for chunks: schedule(runtime), observed

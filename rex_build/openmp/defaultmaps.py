"""How variables are mapped that no clause names, where ``defaultmap`` says so (OpenMP 5.2, section 5.8.9)."""

from __future__ import annotations

from collections.abc import Iterable

from ..directives.model import Clause, DefaultmapClause


def defaultmap_of(clauses: Iterable[Clause], category: str) -> str | None:
    """How variables of a category (``scalar``, ``pointer`` or ``aggregate``) are mapped, or None for the default."""
    for clause in clauses:
        if isinstance(clause, DefaultmapClause) and clause.category in (None, category, "all"):
            return None if clause.behavior == "default" else clause.behavior
    return None


def is_copied(clauses: Iterable[Clause], category: str) -> bool:
    """Whether a ``target`` construct has copies of variables of a category that no clause names."""
    behavior = defaultmap_of(clauses, category)
    return behavior == "firstprivate" or (behavior is None and category != "aggregate")

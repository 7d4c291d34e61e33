"""The target task of a construct, which the host makes around its block."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ..directives.dependences import older_dependences
from ..directives.model import DependClause, Directive, ReductionClause
from .host import HostTask


def target_task(
    directive: Directive, kept: Collection[str], variables: Callable[[], tuple[list[str], list[str]]] | None = None
) -> HostTask | None:
    """The target task of a construct with ``nowait``, ``depend`` or ``in_reduction``, or None without these clauses.

    ``variables`` gives (the variables that the task gets copies of, those that it shares). Without it, the task cannot
    be deferred. The names ``kept`` are neither. Inside the task, a variable in ``in_reduction`` is the host's private
    copy, which the construct then maps.

    Host compilers may not know ``inoutset``: ``inout`` stands for it, which orders more than is needed. They may not
    know ``omp_all_memory`` either: such a construct begins when all earlier tasks are done, and nothing else begins
    before it ends.
    """
    depends = [c for c in directive.all("depend") if isinstance(c, DependClause)]
    reductions = [c for c in directive.all("in_reduction") if isinstance(c, ReductionClause)]
    nowait = variables is not None and directive.has("nowait")
    if not depends and not reductions and not nowait:
        return None
    after_all = any(item.name == "omp_all_memory" for c in depends for item in c.items)
    deferred = nowait and not after_all
    words = ["task"] if deferred else ["task if(0) default(shared)"]
    words += [f"depend({text})" for text in map(_dependence, depends) if text]
    words += [f"in_reduction({c.operator}: {', '.join(item.text for item in c.items)})" for c in reductions]
    if deferred and variables is not None:
        reduced = {item.name for c in reductions for item in c.items}
        copied, shared = variables()
        if copied := [name for name in copied if name not in reduced and name not in kept]:
            words.append(f"firstprivate({', '.join(copied)})")
        if shared := [name for name in shared if name not in reduced]:
            words.append(f"shared({', '.join(shared)})")
    return HostTask(" ".join(words), after_all)


def _dependence(clause: DependClause) -> str:
    """The clause's argument for host compilers. It is empty if nothing is left of the clause."""
    kept = [item.text for item in clause.items if item.name != "omp_all_memory"]
    if clause.items and len(kept) < len(clause.items):
        return f"{clause.kind}: {', '.join(kept)}" if kept else ""
    return older_dependences(clause.text)

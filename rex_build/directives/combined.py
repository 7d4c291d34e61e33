"""Splits combined constructs: which clause applies to which leaf construct, and what the host version's directive is.

Source: OpenMP 5.2, section 17.2 (clauses on combined and composite constructs).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..base.patterns import regex
from ..base.records import replace
from .clauses import CLAUSES
from .model import (
    Clause,
    DefaultmapClause,
    DependClause,
    Directive,
    ExprClause,
    KeywordClause,
    ListClause,
    Locator,
    MapClause,
    ReductionClause,
    ScheduleClause,
    TextClause,
)
from .model import Iterator as IteratorModifier

_WORKSHARING = ("for", "sections", "single", "scope")


def leaf_clauses(directive: Directive) -> Mapping[str, tuple[Clause, ...]]:
    """The clauses of each leaf construct of a directive, in source order.

    A clause whose list items go to different leaves appears on each leaf with its own items. Clauses that the standard
    derives from others are included, with the place of their origin: ``shared`` on ``parallel`` and ``teams`` for
    variables of which an inner leaf makes copies, and ``map(tofrom:)`` on ``target`` for reductions and lastprivates.
    ``collapse`` appears on every loop leaf, as all of them share its iteration space.
    """
    leaves = directive.constructs
    applied: dict[str, list[Clause]] = {leaf: [] for leaf in leaves}
    for clause in directive.clauses:
        for leaf, part in _spread(directive, clause):
            applied[leaf].append(part)
    return {leaf: tuple(clauses) for leaf, clauses in applied.items()}


_INNER = ("sections", "masked", "master", "taskloop")


def split(directive: Directive) -> tuple[Directive, Directive] | None:
    """``parallel sections`` as ``parallel`` and ``sections``, and the like: the two parts share no loop."""
    leaves = directive.constructs
    at = next((i for i, leaf in enumerate(leaves) if i > 0 and leaf in _INNER), None)
    if at is None:
        return None
    applied = leaf_clauses(directive)

    def part(leaves: tuple[str, ...]) -> Directive:
        clauses = tuple(dict.fromkeys(c for leaf in leaves for c in applied[leaf]))
        return replace(directive, name=" ".join(leaves), constructs=leaves, clauses=clauses)

    return part(leaves[:at]), part(leaves[at:])


def _spread(directive: Directive, clause: Clause) -> Iterator[tuple[str, Clause]]:
    """The leaf constructs to which a clause applies, each with the clause as it is there."""
    rule = CLAUSES.get(clause.name)
    leaves = directive.constructs
    takers = [leaf for leaf in leaves if rule is not None and leaf in rule.allowed]
    if isinstance(clause, ExprClause) and clause.name == "if" and clause.modifier is not None:
        takers = [leaf for leaf in takers if leaf == clause.modifier]
    elif isinstance(clause, ListClause) and clause.name == "firstprivate":
        yield from _firstprivate(directive, clause, takers)
        return
    elif isinstance(clause, ListClause) and clause.name == "lastprivate":
        firstprivate = _names(directive, "firstprivate")
        alone = tuple(item for item in clause.items if item.name not in firstprivate)
        yield from _shared_outside(directive, clause, alone, takers)
        yield from _mapped(directive, clause, clause.items)
    elif isinstance(clause, ReductionClause) and clause.name == "reduction":
        takers = [leaf for leaf in takers if not _reduces_inside(leaf, leaves)]
        yield from _shared_outside(directive, clause, clause.items, takers)
        yield from _mapped(directive, clause, clause.items)
    elif clause.name in {"private", "linear"}:
        takers = takers[-1:]
    elif clause.name == "nowait":
        takers = takers[:1]
    for leaf in takers:
        yield leaf, clause


def _names(directive: Directive, *clauses: str) -> set[str]:
    """The variables that these clauses list."""
    listed = (c for c in directive.all(*clauses) if isinstance(c, (ListClause, MapClause, ReductionClause)))
    return {item.name for clause in listed for item in clause.items}


def _firstprivate(directive: Directive, clause: ListClause, takers: list[str]) -> Iterator[tuple[str, Clause]]:
    """``firstprivate`` applies to ``target``, and to the outermost leaf inside it that makes copies."""
    leaves = directive.constructs
    chosen = [leaf for leaf in takers if leaf in {"distribute", "taskloop", *_WORKSHARING}]
    if "teams" in leaves and "distribute" not in leaves:
        chosen.append("teams")
    if "parallel" in leaves and not {"taskloop", *_WORKSHARING}.intersection(leaves):
        chosen.append("parallel")
    chosen += [leaf for leaf in takers if leaf in {"task"}]
    for leaf in leaves:
        if leaf == "target":
            elsewhere = _names(directive, "lastprivate", "map")
            items = tuple(item for item in clause.items if item.name not in elsewhere)
            if items:
                yield leaf, replace(clause, items=items)
        elif leaf in chosen:
            yield leaf, clause
        elif leaf in {"parallel", "teams"}:
            yield leaf, ListClause("shared", clause.span, clause.items)


def _reduces_inside(leaf: str, leaves: tuple[str, ...]) -> bool:
    """Whether a leaf leaves a reduction to the constructs inside of it."""
    if leaf == "parallel":
        return bool({"for", "sections", "loop", "taskloop"}.intersection(leaves))
    return leaf == "teams" and "loop" in leaves


def _shared_outside(
    directive: Directive, clause: Clause, items: tuple[Locator, ...], takers: list[str]
) -> Iterator[tuple[str, Clause]]:
    for leaf in directive.constructs:
        if leaf in {"parallel", "teams"} and leaf not in takers and items:
            yield leaf, ListClause("shared", clause.span, items)


def _mapped(directive: Directive, clause: Clause, items: tuple[Locator, ...]) -> Iterator[tuple[str, Clause]]:
    elsewhere = _names(directive, "map")
    wanted = tuple(item for item in items if item.name not in elsewhere)
    if "target" in directive.constructs and wanted:
        yield "target", MapClause("map", clause.span, "tofrom", (), wanted)


def says_nothing(directive: Directive) -> bool:
    """Whether the host version has no directive in place of one of a region: copies are made around the region."""
    return {"target", "teams"}.issuperset(directive.constructs) and not directive.has("reduction", "allocate")


def host_spelling(directive: Directive, counted: bool = False) -> str | None:
    """The directive, without ``omp``, that a host compiler without offloading should see in place of this one.

    None if no directive is needed. The result runs the region on the host's threads: ``target``, ``teams`` and
    ``distribute`` are removed, and a loop that they distribute over teams is distributed over threads. In some cases a
    region of one thread makes the copies instead, because several threads must not take part: for a ``distribute``
    alone, whose iterations share the team's variables; for copies, reductions included, that only ``target`` or
    ``teams`` would make; and with ``counted``, if iterations can tell their thread.
    """
    leaves = directive.constructs
    if leaves[0] != "target" and leaves[0].startswith(("target", "declare target", "begin declare", "end declare")):
        return None
    if not {"target", "teams", "distribute"}.intersection(leaves):
        return directive.text
    kept, team_of_one = _host_leaves(directive, counted)
    if not kept:
        return None
    extra = ["num_threads(1)"] if team_of_one else []
    clauses = list(_host_clauses(directive, kept, team_of_one))
    teams = None if team_of_one else _teams(directive)
    if teams is not None and not teams.isdigit():
        always = [c for c in clauses if isinstance(c, ExprClause) and c.name == "if" and c.modifier is None]
        clauses = [c for c in clauses if c not in always]
        conditions = [f"({c.expr.text})" for c in always if c.expr is not None]
        extra.append(f"if(parallel: {' && '.join([*conditions, f'({teams}) != 1'])})")
    return " ".join([*kept, *extra, *map(spell_clause, clauses)])


def _teams(directive: Directive) -> str | None:
    """The number of teams that may share a loop's iterations, with one thread each.

    A single team runs them in order.
    """
    clause = directive.clause("num_teams")
    leaves = directive.constructs
    if not {"teams", "distribute"}.issubset(leaves) or "parallel" in leaves:
        return None
    teams = clause.expr.text if isinstance(clause, ExprClause) and clause.expr is not None else "rex_omp_max_teams()"
    own = [c.expr for c in directive.all("if") if isinstance(c, ExprClause) and c.modifier == "teams"]
    return f"({own[0].text}) ? ({teams}) : 1" if own and own[0] is not None else teams


def _host_leaves(directive: Directive, counted: bool) -> tuple[list[str], bool]:
    """(the leaves of the host's directive, whether one thread has to run it)."""
    leaves = directive.constructs
    copies = directive.has("private", "firstprivate", "reduction")
    kept = [leaf for leaf in leaves if leaf not in {"target", "teams", "distribute"}]
    if "loop" in kept:
        return ["parallel", "for"], False
    if "distribute" in leaves and "parallel" not in kept:
        return ["parallel", "for", *kept], counted or "teams" not in leaves or _teams(directive) == "1"
    if kept == ["simd"] and directive.has("firstprivate"):
        return ["parallel", "for", "simd"], True  # simd itself takes no firstprivate
    if not kept and copies:
        return ["parallel"], True
    return kept, False


def _host_clauses(directive: Directive, kept: list[str], team_of_one: bool) -> Iterator[Clause]:
    """The clauses of the host's directive, which has the leaves ``kept``."""
    copied = _names(directive, "private", "firstprivate", "lastprivate", "linear", "reduction")
    for clause in directive.clauses:
        plain_if = isinstance(clause, ExprClause) and clause.name == "if" and clause.modifier is None
        if isinstance(clause, ScheduleClause) and clause.name == "dist_schedule":
            if "parallel" not in directive.constructs and not team_of_one:
                yield replace(clause, name="schedule")  # because iterations of a chunk run in order
            continue
        if not _concerns_host(directive, clause, kept) or (plain_if and team_of_one):
            continue
        if isinstance(clause, ListClause) and clause.name == "allocate":
            # A task around the construct makes the copies of in_reduction.
            items = tuple(item for item in clause.items if item.name in copied)
            if items:
                yield replace(clause, items=items)
        else:
            yield clause


def _concerns_host(directive: Directive, clause: Clause, kept: list[str]) -> bool:
    """Whether a clause stays on the host's directive, which has the leaves ``kept``."""
    rule = CLAUSES.get(clause.name)
    if rule is None or not set(rule.allowed).intersection(kept) or clause.name == "nowait":
        return False
    if isinstance(clause, ExprClause) and clause.name == "if":
        # Without a modifier it applies to every construct that takes it, so to parallel as well as to target.
        return clause.modifier in kept or (
            clause.modifier is None and ("target" not in directive.constructs or "parallel" in kept)
        )
    if isinstance(clause, KeywordClause) and clause.name == "default":
        # default(none) would need the map clauses, which are gone here.
        return clause.value not in {"none", "shared"}
    return True


def with_clauses(directive: Directive, clauses: tuple[Clause, ...]) -> Directive:
    """A directive with other clauses, and with their text."""
    return replace(directive, clauses=clauses, text=" ".join([_head(directive), *map(spell_clause, clauses)]))


def _head(directive: Directive) -> str:
    arguments = f"({directive.argument_text})" if directive.argument_text is not None else ""
    return directive.name + arguments


def spell_clause(clause: Clause) -> str:
    """A clause as OpenMP text. Parsing the text gives an equal clause, apart from places."""
    if isinstance(clause, TextClause):
        return clause.text
    argument = _argument(clause)
    return clause.name if argument is None else f"{clause.name}({argument})"


def _argument(clause: Clause) -> str | None:
    if isinstance(clause, ExprClause):
        if clause.expr is None:
            return None
        before = clause.lower.text if clause.lower else clause.modifier
        return _after(before or "", clause.expr.text)
    if isinstance(clause, MapClause):
        return _after(_modifiers(clause, clause.map_type), _list(clause.items))
    if isinstance(clause, ListClause):
        return _list_argument(clause)
    if isinstance(clause, ReductionClause):
        return _after(", ".join(filter(None, (clause.modifier, clause.operator))), _list(clause.items))
    if isinstance(clause, ScheduleClause):
        kind = clause.kind if clause.chunk is None else f"{clause.kind}, {clause.chunk.text}"
        return _after(", ".join(clause.modifiers), kind)
    if isinstance(clause, DependClause):
        return clause.text
    if isinstance(clause, KeywordClause):
        return _after(clause.modifier or "", clause.value)
    if isinstance(clause, DefaultmapClause):
        return clause.behavior if clause.category is None else f"{clause.behavior}: {clause.category}"
    return None


def _after(before: str, text: str) -> str:
    return f"{before}: {text}" if before else text


def _list(items: tuple[Locator, ...]) -> str:
    return ", ".join(item.text for item in items)


def _list_argument(clause: ListClause) -> str:
    items = _list(clause.items)
    step = clause.step.text if clause.step else ""
    if clause.name == "allocate":
        allocator = f"allocator({step})" if step and clause.modifiers else step
        return _after(", ".join(filter(None, (allocator, *clause.modifiers))), items)
    if clause.name == "linear" and clause.modifiers:
        items = f"{clause.modifiers[0]}({items})"
    if step:
        return f"{items}: {step}"
    return items if clause.name == "linear" else _after(_modifiers(clause), items)


def _modifiers(clause: MapClause | ListClause, *last: str) -> str:
    ranges = ", ".join(map(_iterator, clause.iterators))
    mapper = f"mapper({clause.mapper})" if clause.mapper else ""
    return ", ".join(filter(None, (*clause.modifiers, mapper, f"iterator({ranges})" if ranges else "", *last)))


def _iterator(one: IteratorModifier) -> str:
    step = f":{one.step.text}" if one.step else ""
    return f"{one.type_text} {one.name} = {one.begin.text}:{one.end.text}{step}"


# Spells ``depend`` clauses in words that older host compilers know.

_INOUTSET = regex(r"\binoutset\b(?=\s*[:)])")
_MEMBER_SECTION = regex(r"((?:\.|->)\s*\w+\s*(?:\[[^\[\]:]*\]\s*)*)\[\s*([^\[\]:]*?)\s*:[^\[\]]*\]")
_DEPEND_OBJECTS = regex(r"(\bdepobj\s*:\s*)([^()]*\[[^()]*)(?=\)|$)")


def older_dependences(text: str) -> str:
    """The text of ``depend`` clauses in older words.

    ``inoutset`` becomes ``inout``, which orders more. Sections of members become their first elements. Elements of
    arrays of depend objects, which older compilers take for sections, become ``*&`` of the element.
    """
    text = _DEPEND_OBJECTS.sub(lambda m: m[1] + ", ".join(map(_depend_object, m[2].split(","))), text)
    return _MEMBER_SECTION.sub(lambda m: f"{m[1]}[{m[2] or '0'}]", _INOUTSET.sub("inout", text))


def _depend_object(text: str) -> str:
    return f"*(&{text.strip()})" if "[" in text else text.strip()

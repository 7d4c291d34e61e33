"""Reads clauses, with one function for each form of clause. The clause table says which form a clause has.

A form turns a :class:`ClauseText` into a frozen clause, and raises InputError at the place that is wrong. The keywords
of a clause come from its row in the table, where they are grouped by the names that the standard gives to such groups.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ..base.diagnostics import InputError, SourceSpan, suggestion
from ..base.records import dataclass
from .arguments import Stretch, dependences, expression, iterators, locators, variables
from .model import (
    Clause,
    DefaultmapClause,
    DependClause,
    Expr,
    ExprClause,
    Iterator,
    KeywordClause,
    ListClause,
    Locator,
    MapClause,
    ReductionClause,
    ScheduleClause,
    Section,
    TextClause,
)

MAP_TYPES = {
    "target": ("alloc", "from", "to", "tofrom"),
    "target data": ("alloc", "from", "to", "tofrom"),
    "target enter data": ("alloc", "to", "tofrom"),
    "target exit data": ("delete", "from", "release", "tofrom"),
    "declare mapper": ("alloc", "from", "to", "tofrom"),
}
"""Map-types each construct takes; ``tofrom`` means ``to`` on entry and ``from`` on exit (OpenMP 5.2, 5.8.3)."""


@dataclass(frozen=True)
class ClauseText:
    """A clause as it is written. ``whole`` covers its name and parentheses, ``argument`` the text between these.

    ``words`` maps a role (``map-type``, ``modifier``) to its keywords. ``constructs`` are the leaf constructs of the
    clause's directive.
    """

    name: str
    section: str
    words: Mapping[str, Collection[str]]
    directive: str
    constructs: tuple[str, ...]
    whole: Stretch
    argument: Stretch | None

    @property
    def span(self) -> SourceSpan:
        return self.whole.span

    @property
    def source(self) -> str:
        return f"OpenMP 5.2, section {self.section}, {self.name} clause"

    def required(self) -> Stretch:
        """The argument. It is an error if there are no parentheses or nothing between them."""
        if self.argument is None:
            raise self.whole.part(len(self.whole)).error(f"expected '(' after '{self.name}'", self.source)
        if not self.argument:
            raise self.argument.error(f"expected an argument in '{self.name}' clause", self.source)
        return self.argument

    def choices(self, role: str) -> list[str]:
        """The keywords of a role that are allowed on this directive."""
        known = self.words.get(role, ())
        if role == "map-type":
            known = MAP_TYPES[next((c for c in self.constructs if c in MAP_TYPES), "target")]
        return sorted(known)

    def unknown(self, part: Stretch, role: str) -> InputError:
        """The error for a keyword that does not belong to this role."""
        choices = self.choices(role)
        if not choices:
            return part.error(f"'{self.name}' takes no {role}", self.source)
        note = f"on '{self.directive}' the {role} is one of: {', '.join(choices)} ({self.source})"
        if not part:
            return part.error(f"expected a {role} in '{self.name}' clause", note)
        if part.text in self.words.get(role, ()):
            return part.error(f"{role} '{part.text}' is not allowed on '{self.directive}'", note)
        return part.error(
            f"unknown {role} '{part.text}' in '{self.name}' clause", *suggestion(part.text, choices), note
        )

    def keyword(self, part: Stretch, role: str) -> str:
        """The keyword in ``part``, which must be one of this role."""
        if part.word is None or part.word not in self.choices(role):
            raise self.unknown(part, role)
        return part.word


@dataclass(frozen=True)
class Modifiers:
    """The part of a clause before the colon: keywords by role, ``mapper(name)`` and ``iterator(...)``."""

    words: Mapping[str, tuple[str, ...]]
    mapper: str | None = None
    iterators: tuple[Iterator, ...] = ()


def _modifiers(text: ClauseText, head: Stretch | None, *roles: str) -> Modifiers:
    """Read modifiers in any order, separated by commas or blanks. The keyword of the last role is expected last."""
    words: dict[str, tuple[str, ...]] = dict.fromkeys(roles, ())
    mapper: str | None = None
    ranges: tuple[Iterator, ...] = ()
    at = 0
    while head is not None and at < len(head):
        part = head.part(at, at + 1)
        at += 1
        if part.first == ",":
            if at == len(head) or at == 1:
                raise part.error(f"expected a modifier beside ',' in '{text.name}' clause", text.source)
            continue
        role = next((r for r in roles if part.first in text.choices(r)), roles[-1] if at == len(head) else roles[0])
        name = text.keyword(part, role)
        if name not in ("mapper", "iterator"):
            words[role] += (name,)
            continue
        if head.part(at).first != "(":
            raise part.error(f"expected '(' after '{name}'", text.source)
        inner, at = head.bracketed(at)
        if name == "iterator":
            ranges = iterators(inner)
        elif inner.word is None:
            raise inner.error("expected the name of a mapper", "OpenMP 5.2, section 5.8.2 (mapper identifiers)")
        else:
            mapper = inner.word
    return Modifiers(words, mapper, ranges)


def _cut_head(text: ClauseText) -> tuple[Stretch | None, Stretch]:
    """(the part before the colon, the list after it); the first is None if there is no colon."""
    head, rest = text.required().cut(":")
    if head is not None and not head:
        raise head.error(f"expected a modifier before ':' in '{text.name}' clause", text.source)
    return head, rest


def bare(text: ClauseText) -> Clause:
    """``read``, ``untied``: a clause without an argument."""
    if text.argument is not None:
        raise text.whole.part(1).error(f"'{text.name}' takes no argument", text.source)
    return Clause(text.name, text.span)


def raw(text: ClauseText) -> TextClause:
    """A clause whose argument is kept as text."""
    text.required()
    return TextClause(text.name, text.span, text.whole.text)


def variant(text: ClauseText) -> TextClause:
    """``otherwise([directive])`` (OpenMP 5.2, section 7.4.2)."""
    if text.argument is None:
        text.required()
    return TextClause(text.name, text.span, text.whole.text)


def optional_raw(text: ClauseText) -> TextClause:
    """``destroy``, ``destroy(object)``."""
    return TextClause(text.name, text.span, text.whole.text)


def value(text: ClauseText) -> ExprClause:
    """``collapse(n)``, ``grainsize(strict: n)``: one expression, with a modifier if the table lists some."""
    head, rest = _cut_head(text)
    modifier = None if head is None else text.keyword(head, "modifier")
    return ExprClause(text.name, text.span, expression(rest, text.name), modifier)


def optional_value(text: ClauseText) -> ExprClause:
    """``ordered``, ``ordered(n)``, ``nowait``."""
    return ExprClause(text.name, text.span, None) if text.argument is None else value(text)


def condition(text: ClauseText) -> ExprClause:
    """``if([directive-name:] expression)`` (OpenMP 5.2, section 3.4)."""
    head, rest = _cut_head(text)
    if head is None:
        return ExprClause(text.name, text.span, expression(rest, text.name))
    modifier = " ".join(token.text for token in head.tokens)
    if modifier not in text.constructs:
        raise head.error(
            f"'{modifier}' in 'if' clause is not a part of '{text.directive}'",
            *suggestion(modifier, text.constructs),
            f"the directive-name-modifier is one of: {', '.join(text.constructs)} ({text.source})",
        )
    return ExprClause(text.name, text.span, expression(rest, text.name), modifier)


def bounds(text: ClauseText) -> ExprClause:
    """``num_teams([lower:] upper)`` (OpenMP 5.2, section 10.2.1)."""
    head, rest = _cut_head(text)
    lower = None if head is None else expression(head, text.name)
    return ExprClause(text.name, text.span, expression(rest, text.name), None, lower)


def variable_list(text: ClauseText) -> ListClause:
    """``private(list)``, ``lastprivate(conditional: list)``: whole variables."""
    return _listed(text, variables)


def locator_list(text: ClauseText) -> ListClause:
    """``use_device_addr(list)``, ``to([present,] [mapper(id),] [iterator(...):] list)``: also members and sections."""
    return _listed(text, locators)


def _listed(text: ClauseText, read: Callable[[Stretch, str], tuple[Locator, ...]]) -> ListClause:
    head, rest = _cut_head(text)
    before = _modifiers(text, head, "modifier")
    return ListClause(
        text.name, text.span, read(rest, text.name), before.words["modifier"], before.mapper, before.iterators
    )


def aligned_list(text: ClauseText) -> ListClause:
    """``aligned(list[: alignment])`` (OpenMP 5.2, section 5.11)."""
    head, rest = _cut_head(text)
    if head is None:
        return ListClause(text.name, text.span, variables(rest, text.name))
    return ListClause(text.name, text.span, variables(head, text.name), step=expression(rest, text.name))


def linear_list(text: ClauseText) -> ListClause:
    """``linear(list[: step])``, ``linear(val(list): step)`` and ``linear(list: val, step(e))`` (OpenMP 5.2, 5.4.6)."""
    argument = text.required()
    head, rest = argument.cut(":")
    listed, after = (rest, None) if head is None else (head, rest)
    words: tuple[str, ...] = ()
    if len(listed) > 2 and listed.first in text.words["modifier"] and listed.tokens[1].text == "(":
        words, (listed, _) = (listed.first,), listed.bracketed(1)
    step: Expr | None = None
    for part in after.split(",") if after is not None else ():
        if part.first == "step" and len(part) > 1 and part.tokens[1].text == "(":
            step = expression(part.bracketed(1)[0], text.name)
        elif part.word in text.words["modifier"]:
            words += (str(part.word),)
        else:
            step = expression(part, text.name)
    return ListClause(text.name, text.span, variables(listed, text.name), words, step=step)


def allocate_list(text: ClauseText) -> ListClause:
    """``allocate([allocator:] list)``, ``allocate(allocator(a), align(n): list)`` (OpenMP 5.2, section 6.6)."""
    head, rest = _cut_head(text)
    words: tuple[str, ...] = ()
    allocator: Expr | None = None
    for part in head.split(",") if head is not None else ():
        if part.first in ("allocator", "align") and len(part) > 2 and part.tokens[1].text == "(":
            inner = expression(part.bracketed(1)[0], text.name)
            if part.first == "allocator":
                allocator = inner
            else:
                words += (f"align({inner.text})",)
        else:
            allocator = expression(part, text.name)
    return ListClause(text.name, text.span, variables(rest, text.name), words, step=allocator)


def mapping(text: ClauseText) -> MapClause:
    """``map([modifier,]... [map-type:] list)`` (OpenMP 5.2, section 5.8.3).

    Modifiers and map-type may come in any order. On ``target enter data`` and ``target exit data``, ``tofrom`` and an
    omitted map-type become what they mean there, ``to`` or ``from``.
    """
    head, rest = _cut_head(text)
    before = _modifiers(text, head, "modifier", "map-type")
    types = before.words["map-type"]
    if head is not None and len(types) > 1:
        raise head.error("more than one map-type in 'map' clause", text.source)
    map_type = types[0] if types else "tofrom"
    if map_type == "tofrom":
        map_type = {"target enter data": "to", "target exit data": "from"}.get(text.constructs[0], map_type)
    items = locators(rest, text.name)
    return MapClause(text.name, text.span, map_type, before.words["modifier"], items, before.mapper, before.iterators)


def reduction(text: ClauseText) -> ReductionClause:
    """``reduction([modifier,] identifier: list)`` (OpenMP 5.2, sections 5.5.8 to 5.5.10)."""
    head, rest = _cut_head(text)
    if head is None:
        raise rest.error(f"expected 'operator: list' in '{text.name}' clause", text.source)
    *before, identifier = head.split(",")
    modifier = text.keyword(before[0], "modifier") if before else None
    if len(before) > 1 or len(identifier) != 1:
        raise head.error(f"malformed '{text.name}' clause: expected '[modifier,] operator: list'", text.source)
    if identifier.word is None and identifier.first not in text.words["operator"]:
        raise text.unknown(identifier, "operator")
    return ReductionClause(text.name, text.span, identifier.first, locators(rest, text.name), modifier)


def schedule(text: ClauseText) -> ScheduleClause:
    """``schedule([modifier [, modifier]:] kind [, chunk])``, ``dist_schedule(static [, chunk])``."""
    head, rest = _cut_head(text)
    before = _modifiers(text, head, "modifier")
    kind, *chunk = rest.split(",", 1)
    name = text.keyword(kind, "kind")
    size = expression(chunk[0], text.name) if chunk else None
    return ScheduleClause(text.name, text.span, name, size, before.words["modifier"])


def dependence(text: ClauseText) -> DependClause:
    """``depend([iterator(...),] type: list)``, ``doacross(sink: vector)`` (OpenMP 5.2, sections 15.9.5, 15.9.6)."""
    head, rest = text.required().cut(":")
    if head is None:  # depend(source) is the only form without a colon
        head, rest = rest, rest.part(len(rest))
    before = _modifiers(text, head, "modifier", "dependence-type")
    if len(before.words["dependence-type"]) != 1:
        raise text.unknown(head.part(len(head)), "dependence-type")
    kind = before.words["dependence-type"][0]
    items: tuple[Locator, ...] = ()
    if kind == "sink":  # loop iteration vectors are not list items
        for element in rest.split(","):
            expression(element, text.name)
    elif kind == "source":
        if rest and (text.name != "doacross" or rest.text != "omp_cur_iteration"):
            raise rest.error(f"'source' in '{text.name}' clause takes no list", text.source)
    else:
        items = dependences(rest, text.name)
    return DependClause(text.name, text.span, kind, items, text.required().text, before.iterators)


def choice(text: ClauseText) -> KeywordClause:
    """``default(none)``, ``order(reproducible: concurrent)``: a keyword, with a modifier if the table lists some."""
    head, rest = _cut_head(text)
    modifier = None if head is None else text.keyword(head, "modifier")
    return KeywordClause(text.name, text.span, text.keyword(rest, "keyword"), modifier)


def default(text: ClauseText) -> Clause:
    """The data-sharing clause ``default``, or the older name of ``otherwise`` (OpenMP 5.2, section 7.4.2)."""
    return variant(text) if "metadirective" in text.constructs else choice(text)


def update(text: ClauseText) -> Clause:
    """``update`` on ``atomic``, ``update(type)`` on ``depobj``."""
    return bare(text) if text.argument is None else choice(text)


def defaultmap(text: ClauseText) -> DefaultmapClause:
    """``defaultmap(behavior[: category])`` (OpenMP 5.2, section 5.8.7)."""
    behavior, *category = text.required().split(":", 1)
    return DefaultmapClause(
        text.name,
        text.span,
        text.keyword(behavior, "behavior"),
        text.keyword(category[0], "category") if category else None,
    )


def features(clause: Clause) -> tuple[tuple[str, str], ...]:
    """The parts of its table row that a clause uses, as (role, keyword): its modifiers and the forms of its items."""
    used: list[tuple[str, str | None]] = []
    if isinstance(clause, ExprClause):
        if clause.name != "if":
            used.append(("modifier", clause.modifier))
        used.append(("form", "lower bound" if clause.lower else None))
        used.append(("form", "argument" if clause.expr else None))
    elif isinstance(clause, MapClause):
        used.append(("map-type", clause.map_type))
    elif isinstance(clause, ReductionClause):
        used += [("operator", clause.operator), ("modifier", clause.modifier)]
    elif isinstance(clause, ScheduleClause):
        used.append(("kind", clause.kind))
    elif isinstance(clause, DependClause):
        used.append(("dependence-type", clause.kind))
    elif isinstance(clause, KeywordClause):
        used += [("keyword", clause.value), ("modifier", clause.modifier)]
    elif isinstance(clause, DefaultmapClause):
        used += [("behavior", clause.behavior), ("category", clause.category)]
    if isinstance(clause, (MapClause, ListClause, ScheduleClause)):
        used += [("modifier", modifier) for modifier in clause.modifiers]
    if isinstance(clause, (MapClause, ListClause, DependClause)) and clause.iterators:
        used.append(("modifier", "iterator"))
    if isinstance(clause, (MapClause, ListClause)) and clause.mapper:
        used.append(("modifier", "mapper"))
    for item in getattr(clause, "items", ()):
        used += [("form", form) for form in _forms(item)]
    return tuple(dict.fromkeys((role, keyword) for role, keyword in used if keyword))


def _forms(item: Locator) -> tuple[str, ...]:
    """The forms of a list item for which the table has entries."""
    sections = [step for step in item.steps if isinstance(step, Section)]
    return (
        *(["array section"] if sections else []),
        *(["stride"] if any(section.stride for section in sections) else []),
        *(["array shaping"] if item.shape else []),
        *(["omp_all_memory"] if item.name == "omp_all_memory" else []),
    )

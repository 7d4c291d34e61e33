"""Parses the text of a pragma to a :class:`~rex_build.directives.model.Directive`, and checks directives.

Parsing raises no error for a clause. A clause that cannot be read is kept as text with the reason, because the host
compiler judges directives that stay on the host. For directives that are lowered, :func:`check_on_device` raises these
reasons, and reports all other violations of the clause table. :func:`refuse_unsupported` then refuses what is legal
OpenMP but not supported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..base.diagnostics import Diagnostic, InputError, SourceSpan, suggestion
from ..base.records import replace
from .arguments import DirectiveText, Locate, ParseExpression, Stretch, locators
from .clauses import CLAUSES, DIRECTIVES, ClauseRule, Status, Support, combined_names, following, is_complete
from .forms import ClauseText, features
from .model import (
    Clause,
    DefaultmapClause,
    DependClause,
    Directive,
    Expr,
    ExprClause,
    ListClause,
    Locator,
    MapClause,
    ReductionClause,
    ScheduleClause,
    TextClause,
)

_LONGEST_NAME = max(len(name.split()) for name in DIRECTIVES)
_SHARING = ("private", "firstprivate", "lastprivate", "shared", "linear", "reduction", "in_reduction")
_LISTED_ONCE = {name: name for name in (*_SHARING, "task_reduction", "copyprivate", "copyin", "is_device_ptr")} | {
    "use_device_ptr": "device", "use_device_addr": "device", "inclusive": "scan", "exclusive": "scan",
}  # fmt: skip
_COMBINED = "OpenMP 5.2, section 17.3 (combined and composite directive names)"
_WITH_ARGUMENT = ("depobj", "threadprivate", "allocate")
_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}
POSITIVE = "'{}' takes a positive number"
# These numbers are positive (OpenMP 5.2, at each clause).
_POSITIVE = frozenset((
    "collapse", "ordered", "partial", "safelen", "simdlen", "num_threads", "num_teams", "thread_limit", "grainsize",
    "num_tasks", "schedule", "dist_schedule",
))  # fmt: skip
_MAY_SHARE_ITEMS = {frozenset({"firstprivate", "lastprivate"})}


def parse_directive(
    text: str, locate: Locate, parse_expression: ParseExpression, checked: bool = True, *, qualified: bool = False,
    begin: int = 0,
) -> Directive:  # fmt: skip
    """Parse ``text``, which is the text after ``#pragma omp`` with macros expanded, from the place ``begin`` on.

    ``locate(start, end)`` gives the place in the user's file of a range of character offsets in ``text``.
    ``parse_expression(text, span)`` parses one C expression. Raises InputError for an unknown directive. If
    ``checked`` is set and the directive concerns a target device, also raises what :func:`check_on_device` finds.
    Names may be ``qualified``, as in C++.
    """
    source = DirectiveText.read(text, locate, parse_expression, begin, qualified=qualified)
    constructs, after = _directive_name(source)
    name = " ".join(constructs)
    rule = DIRECTIVES[constructs[-1]]
    arguments: tuple[Locator, ...] = ()
    argument_text = None
    whole = source.stretch(0)
    if rule.arguments and whole.part(after).first == "(" and after in source.partners:
        inner, after = whole.bracketed(after)
        argument_text = inner.text
        if rule.arguments == "list":
            try:
                arguments = locators(inner, name)
            except InputError:
                if _is_target_related(constructs):
                    raise
    clauses = tuple(_clauses(source, after, name, constructs))
    directive = Directive(
        name=name,
        constructs=constructs,
        clauses=clauses,
        association=_association(constructs, clauses, argument_text),
        span=whole.span,
        text=whole.text,
        arguments=arguments,
        argument_text=argument_text,
    )
    if checked and concerns_target(directive):
        check_on_device(directive)
    return directive


def concerns_target(directive: Directive) -> bool:
    """Whether a directive concerns target devices wherever it stands.

    ``target``, ``target data`` and the like, ``declare target`` and ``declare mapper`` do. Other directives do only
    inside a target region or a device function.
    """
    return _is_target_related(directive.constructs)


def _is_target_related(constructs: tuple[str, ...]) -> bool:
    first = constructs[0]
    return first.startswith("target") or first.endswith("declare target") or first == "declare mapper"


def _directive_name(source: DirectiveText) -> tuple[tuple[str, ...], int]:
    """(the leaf constructs at the beginning, the number of the token after them)."""
    words: list[str] = []
    for token in source.tokens:
        if token.kind != "word":
            break
        words.append(token.text)
    if not words:
        raise source.stretch(0, min(1, len(source.tokens))).error(
            "expected the name of an OpenMP directive", "OpenMP 5.2, section 3.1 (directive format)"
        )
    for length in range(min(_LONGEST_NAME, len(words)), 0, -1):
        first = " ".join(words[:length])
        if first not in DIRECTIVES:  # OpenMP 6.0 joins the words of older names with underscores
            first = first.replace("_", " ")
        if first in DIRECTIVES:
            break
    else:
        raise source.stretch(0, 1).error(
            f"unknown OpenMP directive '{words[0]}'",
            *_closest_name(words),
            "OpenMP 5.2, section 3.1 (directive format)",
        )
    constructs: tuple[str, ...] = (first,)
    at = length
    while at < len(words) and words[at] in following(constructs):
        constructs = (*constructs, words[at])
        at += 1
    return constructs, at


def _closest_name(words: list[str]) -> tuple[str, ...]:
    """A note that names the directive closest to the first words, or no note."""
    from difflib import SequenceMatcher

    def likeness(name: str) -> float:
        return SequenceMatcher(None, name, " ".join(words[: len(name.split())])).ratio()

    best = max(DIRECTIVES, key=likeness)
    return (f"did you mean '{best}'?",) if likeness(best) >= 0.6 else ()


def _association(constructs: tuple[str, ...], clauses: tuple[Clause, ...], argument_text: str | None) -> str:
    names = {clause.name for clause in clauses}
    if constructs == ("ordered",) and names & {"depend", "doacross"}:
        return "none"
    if constructs == ("declare target",) and (argument_text is not None or names & {"to", "enter", "link"}):
        return "none"
    return DIRECTIVES[constructs[-1]].association


def _clauses(source: DirectiveText, at: int, name: str, constructs: tuple[str, ...]) -> Iterator[Clause]:
    """The clauses from token ``at`` on. Commas between them are optional."""
    tokens = source.tokens
    failed = False  # the text after a clause that could not be read gets no message of its own
    while at < len(tokens):
        token = tokens[at]
        if token.kind != "word":
            here = source.stretch(at, at + 1)
            at = source.partners.get(at, at) + 1 if token.text in _CLOSED_BY else at + 1
            if token.text != "," and not failed:
                yield _unreadable(here, token.text, here.error(f"expected a clause, found '{token.text}'"))
                failed = True
            continue
        start, argument = at, None
        at += 1
        if at < len(tokens) and tokens[at].text == "(":
            bracket, closed = at, at in source.partners
            if closed:
                argument, at = source.stretch(0).bracketed(at)
            else:
                at = len(tokens)
            wrong = [i for i in source.unpaired if bracket < i < at] or ([] if closed else [bracket])
            if wrong:
                here = source.stretch(start, at)
                yield _unreadable(here, token.text, _unpaired_error(source.stretch(wrong[0], wrong[0] + 1), token.text))
                failed = True
                continue
        clause = _clause(source.stretch(start, at), argument, name, constructs)
        failed = isinstance(clause, TextClause) and (clause.error is not None or clause.name not in CLAUSES)
        yield clause


def _unpaired_error(bracket: Stretch, clause: str) -> InputError:
    if bracket.first in _CLOSED_BY:
        return bracket.error(f"expected '{_CLOSED_BY[bracket.first]}' in '{clause}' clause", "to close this bracket")
    return bracket.error(f"unexpected '{bracket.first}' in '{clause}' clause")


def _unreadable(stretch: Stretch, name: str, error: InputError | None) -> TextClause:
    return TextClause(name, stretch.span, stretch.text, error)


def _clause(whole: Stretch, argument: Stretch | None, directive: str, constructs: tuple[str, ...]) -> Clause:
    name = whole.first
    rule = CLAUSES.get(name)
    if rule is None:
        return _unreadable(whole, name, None)
    text = ClauseText(name, rule.section, rule.words, directive, constructs, whole, argument)
    try:
        return rule.parse(text)
    except InputError as error:
        return _unreadable(whole, name, error)


def check_on_device(directive: Directive) -> None:
    """Raise InputError with every clause that is unknown, malformed, misplaced or wrongly repeated.

    This is for directives that are lowered. :func:`parse_directive` calls it for directives that always concern
    devices. The analysis calls it for other directives inside a target region or a device function.
    """
    found = [*_name_errors(directive), *_clause_errors(directive), *_sharing_errors(directive)]
    needs = DIRECTIVES[directive.constructs[0]].needs
    if needs and not directive.has(*needs):
        found.append(
            Diagnostic(
                "error",
                f"'{directive.name}' needs a {' or '.join(repr(n) for n in needs)} clause",
                name_span(directive),
                (_directive_source(directive),),
            )
        )
    if found:
        raise InputError(found)


def name_span(directive: Directive) -> SourceSpan:
    """The place of the directive's name, without its clauses."""
    return replace(directive.span, length=min(directive.span.length, len(directive.name)))


def _directive_source(directive: Directive) -> str:
    if len(directive.constructs) > 1:
        return "OpenMP 5.2, section 17.2 (clauses on combined and composite constructs)"
    return f"OpenMP 5.2, section {DIRECTIVES[directive.name].section} ({directive.name})"


def _clause_source(rule: ClauseRule) -> str:
    return f"OpenMP 5.2, section {rule.section} ({rule.name} clause)"


def _name_errors(directive: Directive) -> Iterator[Diagnostic]:
    if not is_complete(directive.constructs):
        yield Diagnostic(
            "error",
            f"'{directive.name}' is not complete: 'for' has to follow 'parallel'",
            name_span(directive),
            (_COMBINED,),
        )
    if directive.name in _WITH_ARGUMENT and directive.argument_text is None:
        what = f"expected '(' after '{directive.name}'"
        yield Diagnostic("error", what, name_span(directive), (_directive_source(directive),))


def _clause_errors(directive: Directive) -> Iterator[Diagnostic]:
    seen: dict[tuple[str, str], Clause] = {}
    unknown = False
    for clause in directive.clauses:
        rule = CLAUSES.get(clause.name)
        if rule is None or not _takes(directive, rule):
            if unknown and clause.name in DIRECTIVES:
                continue  # this is the rest of a misspelt directive name
            unknown |= rule is None
            if isinstance(clause, TextClause) and clause.error is not None and rule is None:
                yield from clause.error.diagnostics
            else:
                yield _not_here(directive, clause, rule)
            continue
        if isinstance(clause, TextClause) and clause.error is not None:
            yield from clause.error.diagnostics
        if clause.name in _POSITIVE and any(map(_is_below_one, _numbers(clause))):
            yield Diagnostic("error", POSITIVE.format(clause.name), clause.span)
        for key in _once(clause, rule):
            if key not in seen:
                seen[key] = clause
                continue
            yield _repeated(directive, clause, seen[key], rule)
            break


def _numbers(clause: Clause) -> tuple[Expr | None, ...]:
    """The numbers that a clause has."""
    if isinstance(clause, ScheduleClause):
        return (clause.chunk,)
    return (clause.lower, clause.expr) if isinstance(clause, ExprClause) else ()


def _is_below_one(number: Expr | None) -> bool:
    """Whether a number is below 1, as it is written."""
    text = number.text.strip("( )") if number is not None else ""
    return text.removeprefix("-").strip().isdigit() and (text[:1] == "-" or not text.strip("0"))


def _takes(directive: Directive, rule: ClauseRule) -> bool:
    if not set(rule.allowed).intersection(directive.constructs):
        return False
    # A parallel region ends with a barrier that cannot be left out. On a target directive, nowait belongs to the
    # target.
    return rule.name != "nowait" or "parallel" not in directive.constructs or directive.is_target


def _not_here(directive: Directive, clause: Clause, rule: ClauseRule | None) -> Diagnostic:
    if clause.name in DIRECTIVES and clause.name != "allocate":
        return Diagnostic(
            "error",
            f"'{clause.name}' cannot be combined with '{directive.name}'",
            clause.span,
            (_way_to_combine(directive, clause.name), _COMBINED),
        )
    if rule is not None:
        note = f"it is allowed on {', '.join(rule.allowed)}: {_clause_source(rule)}"
        return Diagnostic("error", f"clause '{clause.name}' is not allowed on '{directive.name}'", clause.span, (note,))
    known = [r.name for r in CLAUSES.values() if _takes(directive, r)] + list(following(directive.constructs))
    notes = (*suggestion(clause.name, known), _directive_source(directive))
    span = replace(clause.span, length=min(clause.span.length, len(clause.name)))
    return Diagnostic("error", f"unknown clause '{clause.name}' on '{directive.name}'", span, notes)


def _way_to_combine(directive: Directive, more: str) -> str:
    """What to write in place of a combination that does not exist: the shortest one with all of its parts."""
    parts = {*directive.constructs, more, *(clause.name for clause in directive.clauses if clause.name in DIRECTIVES)}
    whole = [name for name in combined_names() if name.startswith(directive.constructs[0]) and parts <= {*name.split()}]
    apart = ", or 'parallel' in a line of its own inside" * (more == "parallel")
    return f"write '{min(whole, key=len)}'{apart}" if whole else f"leave '{more}' out"


def _once(clause: Clause, rule: ClauseRule) -> Iterator[tuple[str, str]]:
    """The keys of a clause. No two clauses of a directive may have the same key."""
    if rule.exclusive:
        yield (rule.exclusive, "")
    if rule.repeatable:
        return
    if isinstance(clause, ExprClause) and clause.name == "if":
        yield ("if", clause.modifier or "")
    elif isinstance(clause, DefaultmapClause):
        yield ("defaultmap", clause.category or "all")
    else:
        yield (clause.name, "")


def _repeated(directive: Directive, clause: Clause, first: Clause, rule: ClauseRule) -> Diagnostic:
    message = (
        f"clause '{clause.name}' appears more than once on '{directive.name}'"
        if first.name == clause.name
        else f"clauses '{first.name}' and '{clause.name}' exclude each other"
    )
    return Diagnostic("error", message, clause.span, (f"the first one is at {first.span}", _clause_source(rule)))


def _sharing_errors(directive: Directive) -> Iterator[Diagnostic]:
    conditions = [c for c in directive.clauses if isinstance(c, ExprClause) and c.name == "if"]
    plain = [c for c in conditions if c.modifier is None]
    if plain and len(plain) < len(conditions):
        yield Diagnostic(
            "error",
            "an 'if' clause without directive-name-modifier cannot stand beside one that has it",
            plain[0].span,
            (_clause_source(CLAUSES["if"]),),
        )
    yield from _repeated_items(directive)
    owner: dict[str, str] = {}
    for clause in directive.clauses:
        if clause.name not in _SHARING or not isinstance(clause, (ListClause, ReductionClause)):
            continue
        for item in clause.items:
            before = owner.setdefault(item.name, clause.name)
            if before == clause.name or frozenset({before, clause.name}) in _MAY_SHARE_ITEMS:
                continue
            yield Diagnostic(
                "error",
                f"'{item.name}' appears in a '{before}' and in a '{clause.name}' clause of '{directive.name}'",
                item.span,
                ("OpenMP 5.2, section 5.4 (data-sharing attribute clauses)",),
            )


def _repeated_items(directive: Directive) -> Iterator[Diagnostic]:
    """The errors for variables that clauses of one name list twice."""
    seen: set[tuple[str, str]] = set()
    for clause in directive.clauses:
        if clause.name not in _LISTED_ONCE or not isinstance(clause, (ListClause, ReductionClause)):
            continue
        for item in clause.items:
            key = (_LISTED_ONCE[clause.name], item.text)
            if key in seen:
                what = f"'{item.text}' appears more than once in '{clause.name}' clauses of '{directive.name}'"
                yield Diagnostic("error", what, item.span, (_clause_source(CLAUSES[clause.name]),))
            seen.add(key)


def refuse_unsupported(directive: Directive, *, cxx: bool = False) -> None:
    """Raise InputError with everything in a lowered directive that is legal but not supported, in C++ if ``cxx``."""
    found = [*_refused_constructs(directive), *_refused_clauses(directive, cxx)]
    if found:
        raise InputError(found)


def check_lowered(directive: Directive, *, cxx: bool = False) -> None:
    """Raise InputError with whatever keeps a directive from being lowered, in C++ if ``cxx``."""
    check_on_device(directive)
    refuse_unsupported(directive, cxx=cxx)


def _refusal(what: str, support: Support, span: SourceSpan, section: str, name: str) -> Diagnostic:
    notes = (f"OpenMP 5.2, section {section} ({name})", *filter(None, (support.reason,)))
    where = "" if support.status is Status.REFUSED else " in C++"
    return Diagnostic("error", f"{what} is not supported{where}", span, notes)


def _refused_constructs(directive: Directive) -> Iterator[Diagnostic]:
    constructs, span = directive.constructs, name_span(directive)
    for leaf in constructs:
        if DIRECTIVES[leaf].support.status is Status.REFUSED:
            what = f"'{leaf}'" if leaf == directive.name else f"'{leaf}' in '{directive.name}'"
            yield _refusal(f"directive {what}", DIRECTIVES[leaf].support, span, DIRECTIVES[leaf].section, leaf)


def _refused_clauses(directive: Directive, cxx: bool) -> Iterator[Diagnostic]:
    def is_refused(support: Support) -> bool:
        return support.status is Status.REFUSED or (cxx and not support.in_cxx)

    for clause in directive.clauses:
        rule = CLAUSES.get(clause.name)
        leaves = [leaf for leaf in directive.constructs if rule is not None and leaf in rule.allowed]
        if rule is None or all(DIRECTIVES[leaf].support.status is Status.REFUSED for leaf in leaves):
            continue  # the clause is unknown, or its directive is already refused
        source = f"{rule.name} clause"
        if is_refused(rule.support):
            what = f"clause '{clause.name}' on '{directive.name}'"
            yield _refusal(what, rule.support, clause.span, rule.section, source)
            continue
        for role, keyword in features(clause):
            known = rule.words.get(role, {}).get(keyword)
            if known is not None and is_refused(known):
                what = keyword if role == "form" else f"{role} '{keyword}'"
                span = _part_span(clause, role)
                yield _refusal(f"{what} in '{clause.name}' clause", known, span, rule.section, source)


def _part_span(clause: Clause, role: str) -> SourceSpan:
    """The place of a refused part: the list item if a form is refused and there is only one item, else the clause."""
    listed = (ListClause, MapClause, ReductionClause, DependClause)
    items = clause.items if role == "form" and isinstance(clause, listed) else ()
    return items[0].span if len(items) == 1 else clause.span

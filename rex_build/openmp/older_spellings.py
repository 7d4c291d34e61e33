"""Writes host directives in words that gcc 12 knows, if the user wrote newer words that mean the same.

LLVM's runtime orders gcc's tasks by the addresses at which list items begin. So a section may be written as its first
element.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.records import replace
from ..directives.combined import older_dependences, spell_clause, with_clauses
from ..directives.model import (
    GONE,
    Clause,
    DependClause,
    Directive,
    ExprClause,
    HostForm,
    Index,
    KeywordClause,
    ListClause,
    Locator,
    Member,
    ReductionClause,
    TextClause,
)
from ..directives.parser import check_on_device
from ..directives.selectors import listed

_STEP = regex(r"\blinear\s*\([^:()]*:[^()]*\b(?:step\s*\(|val\b)")


def older(
    directive: Directive, around: Sequence[str], previous: str | None, fresh: Callable[[str], str]
) -> HostForm | None:
    """The form of a directive that needs another spelling, whatever the loops below it are, or None.

    ``around`` are the leaf constructs around it, and ``previous`` is the value, as text, that the variable of a loop
    with ``doacross`` had one iteration before.
    """
    name = directive.name
    if name == "error":
        return older_error(directive)
    if name == "task" and directive.has("detach"):
        check_on_device(directive)
        return older_detach(directive, fresh)
    if name == "ordered" and directive.has("doacross"):
        check_on_device(directive)
        return older_doacross(directive, previous)
    if name == "interop" and "target" not in around:
        check_on_device(directive)
        return older_interop(directive)
    form = older_form(directive, fresh)
    if form is not None:
        check_on_device(directive)
    return form


def older_form(directive: Directive, fresh: Callable[[str], str]) -> HostForm | None:
    """The form in which the host compiler sees ``directive``, or None if it knows the directive.

    Source: OpenMP 5.2, sections 11.2 (``scope``), 12.5 (``task``), 15.5 (``taskwait``), 15.9.4 (``depobj``),
    7.7 (``declare simd``).
    """
    match directive.name:
        case "task" | "taskwait" if "omp_all_memory" in directive.text:
            return _after_all(directive)
        case "task" | "taskwait" | "depobj":
            return _older_depend(directive)
        case "scope" if directive.has("allocate") or any(
            isinstance(c, ReductionClause) and c.modifier == "task" for c in directive.clauses
        ):
            # A loop has one iteration for each thread. LLVM's runtime supports task reductions for loops, but not for
            # scopes.
            number = fresh("__rex_scope")
            loop = f"for (int {number} = 0; {number} < rex_omp_num_threads(); ++{number})"
            text = " ".join(["for schedule(static, 1)", *map(spell_clause, directive.clauses)])
            return HostForm(replace(directive, text=text), inside=(loop,))
        case "scope" if directive.has("firstprivate"):
            return _scope(directive, fresh)
        case "declare simd" if _STEP.search(directive.text):
            return GONE
    return None


def _older_depend(directive: Directive) -> HostForm | None:
    text = older_dependences(directive.text)
    if directive.name == "taskwait":
        text = re.sub(r"\bnowait\b", "", text).rstrip()
    if directive.name == "depobj":
        text = re.sub(r"\bdestroy\s*\(.*\)", "destroy", text)
    return None if text == directive.text else HostForm(replace(directive, text=text))


def _scope(directive: Directive, fresh: Callable[[str], str]) -> HostForm:
    """``scope`` with private variables of its own, which get the old values."""
    names = [item.text for c in directive.all("firstprivate") if isinstance(c, ListClause) for item in c.items]
    given = {name: fresh(f"__rex_given_{number}") for number, name in enumerate(names)}
    clauses = [spell_clause(c) for c in directive.clauses if c.name != "firstprivate"]
    return HostForm(
        replace(directive, text=" ".join(["scope", *clauses])),
        before=("{", *(_copy(copy, name) for name, copy in given.items())),
        inside=("{", *(_copy(name, copy) for name, copy in given.items())),
        after=("} }",),
    )


def _copy(name: str, of: str) -> str:
    """A declaration that copies a variable, which may be an array."""
    return f"__typeof__({of}) {name}; __builtin_memcpy((void *)&{name}, (const void *)&{of}, sizeof {of});"


def _after_all(directive: Directive) -> HostForm:
    """A dependence on ``omp_all_memory``. The task starts after all earlier tasks and ends before anything else."""
    if directive.name == "taskwait":
        return HostForm(replace(directive, text="taskwait"))
    clauses = [spell_clause(c) for c in directive.clauses if c.name not in ("if", "depend")]
    undeferred = replace(directive, text=" ".join(["task if(0)", *clauses]))
    return HostForm(undeferred, before=("{", "#pragma omp taskwait"), after=("}",))


_DEPENDENCES = {"in": 1, "out": 3, "inout": 3, "mutexinoutset": 4, "inoutset": 8}


def older_detach(directive: Directive, fresh: Callable[[str], str]) -> HostForm:
    """``task detach(event)``, as the task without the clause and an empty task that the event completes.

    Everything that depends on the first task depends on the empty task too. The task has its own event. Source: OpenMP
    5.2, section 12.5.2. Raises InputError for dependences whose storage does not have one known address each.
    """
    event = directive.clause("detach")
    assert isinstance(event, ExprClause)
    assert event.expr is not None
    rows = []
    for clause in directive.all("depend"):
        assert isinstance(clause, DependClause)
        kind = _DEPENDENCES.get(clause.kind)
        if kind is None or clause.iterators or any(item.name == "omp_all_memory" for item in clause.items):
            what = "'detach' is not supported beside iterators, depend objects and 'omp_all_memory'"
            raise error_at(clause.span, what)
        rows += [f"{{&{_first_element(item)}, 1, {kind}}}" for item in clause.items]
    clauses = [spell_clause(c) for c in directive.clauses if c.name != "detach"]
    clauses.append(f"firstprivate({event.expr.text})")
    place, task, table = fresh("__rex_location"), fresh("__rex_completion"), fresh("__rex_dependences")
    lines = [f"const struct rex_dependence {table}[] = {{{', '.join(rows)}}};"] if rows else []
    return HostForm(
        replace(directive, text=older_dependences(" ".join(["task", *clauses]))),
        before=(
            f"{{ static struct rex_location {place} = {{0, 2, {{0, 0}}, 0}};",
            f"void *{task} = rex_completion_task(&{place}, &{event.expr.text});",
        ),
        after=(*lines, f"rex_start_task(&{place}, {task}, {len(rows)}, {table if rows else '0'}); }}"),
    )


def _first_element(item: Locator) -> str:
    """The storage whose address identifies a dependence. For a section it is the first element."""
    text = item.name
    for step in item.steps:
        if isinstance(step, Member):
            text += ("->" if step.arrow else ".") + step.name
        elif isinstance(step, Index):
            text += f"[{step.expr.text}]"
        else:
            text += f"[{step.lower.text if step.lower is not None else 0}]"
    return text


def older_error(directive: Directive) -> HostForm | None:
    """``error at(execution)`` as a call, because LLVM's runtime lacks the entry points that gcc calls."""
    at, severity, message = (directive.clause(n) for n in ("at", "severity", "message"))
    if not (isinstance(at, KeywordClause) and at.value == "execution"):
        return None
    level = 1 if isinstance(severity, KeywordClause) and severity.value == "warning" else 2
    text = message.expr.text if isinstance(message, ExprClause) and message.expr is not None else "(const char *)0"
    return HostForm(None, before=(f"rex_error({level}, {text});",))


_BEFORE = regex(r"\bomp_cur_iteration\s*-\s*1\b")


def older_doacross(directive: Directive, previous: str | None) -> HostForm:
    """``doacross`` as ``depend``.

    ``previous`` gives the text for ``omp_cur_iteration - 1``, and raises InputError if that is not known.
    """
    texts = []
    for clause in directive.all("doacross"):
        assert isinstance(clause, DependClause)
        sink = clause.text
        if _BEFORE.search(sink):
            if previous is None:
                what = "'omp_cur_iteration - 1' is not supported in several loops, nor in one whose step is not plain"
                raise error_at(clause.span, what, "OpenMP 5.2, section 15.9.6 (doacross clause)")
            sink = _BEFORE.sub(previous, sink)
        texts.append("depend(source)" if clause.kind == "source" else f"depend({sink})")
    return HostForm(replace(directive, text=" ".join(["ordered", *texts])))


_INIT = regex(r"(?P<modifiers>.*):(?P<objects>[^:]*)", re.DOTALL)
_INTEROP = "OpenMP 5.2, section 14.1 (interop construct)"


def interop_kind(modifiers: str) -> int | None:
    """The runtime's number for the type of an interoperability object: 1 target, 2 targetsync, None without either."""
    types = set(re.sub(r"\(.*\)", "", modifiers).replace(" ", "").split(","))
    return 2 if "targetsync" in types else 1 if "target" in types else None


def older_interop(directive: Directive) -> HostForm:
    """``interop`` as calls. They first wait for the dependences, even with ``nowait``, and then run at once.

    Raises InputError for an ``init`` clause without a type.
    """
    clause = directive.clause("device")
    device = clause.expr.text if isinstance(clause, ExprClause) and clause.expr is not None else "-1"
    depends = [f"depend({older_dependences(c.text)})" for c in directive.all("depend") if isinstance(c, DependClause)]
    lines = ["{", *([f"#pragma omp taskwait {' '.join(depends)}"] if depends else ())]
    for action in directive.all("init", "use", "destroy"):
        assert isinstance(action, TextClause)
        argument = action.text[action.text.index("(") + 1 : action.text.rindex(")")].strip()
        if action.name != "init":
            lines += [f"rex_interop_{action.name}(&({each}));" for each in listed(argument)]
            continue
        parts = _INIT.fullmatch(argument)
        kind = interop_kind(parts["modifiers"]) if parts else None
        if parts is None or kind is None:
            raise error_at(action.span, "expected 'target' or 'targetsync' and an object", _INTEROP)
        lines += [f"rex_interop_init(&({each}), {kind}, {device});" for each in listed(parts["objects"])]
    return HostForm(None, before=(*lines, "}"))


_BOUND = {"teams": ("distribute", "parallel", "for"), "parallel": ("for",), "thread": ("simd",)}


def plain_linear(directive: Directive) -> Directive:
    """A directive with ``linear(list: step)`` in place of the newer ``val``, which C always means, and ``step()``."""
    if not re.search(r"\blinear\b.*\b(val|step\s*\()", directive.text):
        return directive

    def plain(clause: Clause) -> Clause:
        if isinstance(clause, ListClause) and clause.name == "linear" and clause.modifiers == ("val",):
            return replace(clause, modifiers=())
        return clause

    return with_clauses(directive, tuple(map(plain, directive.clauses)))


def bound_loop(directive: Directive, enclosing: tuple[str, ...]) -> Directive:
    """A ``loop`` construct as the worksharing that its binding region gives it (OpenMP 5.2, section 11.7.1)."""
    check_on_device(directive)
    at = directive.constructs.index("loop")
    before = directive.constructs[:at]
    bind = directive.clause("bind")
    around = (*enclosing, *before)
    innermost = around[-1] if around else ""
    if before == ("target",):
        new: tuple[str, ...] = ("teams", *_BOUND["teams"])
    elif before:
        new = _BOUND["teams" if innermost == "teams" else "parallel"]
    elif isinstance(bind, KeywordClause):
        new = _BOUND[bind.value]
        if bind.value == "teams" and "parallel" in around:
            new = ("distribute",)
    else:
        new = _BOUND.get(innermost, _BOUND["thread"])
    clauses = tuple(c for c in directive.clauses if c.name != "bind")
    constructs = (*before, *new, *directive.constructs[at + 1 :])
    return with_bound_clauses(replace(directive, constructs=constructs), clauses)


def spread_loop(directive: Directive) -> Directive:
    """A ``loop`` construct without ``bind`` that is all of a ``target`` construct, as in ``target loop``.

    Its iterations may run in any order and at once, so the thread that encounters it need not run them all.
    """
    if directive.name != "loop" or directive.has("bind"):
        return directive
    spread = bound_loop(directive, ("teams",))
    return replace(spread, constructs=("teams", *spread.constructs), text=f"teams {spread.text}")


def with_bound_clauses(directive: Directive, clauses: tuple[Clause, ...]) -> Directive:
    """The worksharing directive that a ``loop`` directive becomes, with other clauses.

    Host compilers refuse calls of the OpenMP API in ``loop`` and with ``order(concurrent)``, but not in this.
    """
    text = " ".join([*directive.constructs, *(spell_clause(c) for c in clauses if c.name != "order")])
    return replace(directive, clauses=clauses, text=text)

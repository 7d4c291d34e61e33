"""Host directives in words that gcc 12 knows, where the user wrote newer ones that mean no more.

LLVM's runtime orders gcc's tasks by the address where a list item begins, so a section may be spelled as its first
element.
"""

from __future__ import annotations

import re

from pycparser import c_ast, c_generator

from ...base.diagnostics import error_at
from ...directives.combined import spell_clause
from ...directives.model import DependClause, Directive, ExprClause, ListClause, ReductionClause, TextClause
from ..source.gnu_text import arguments_at

_INOUTSET = re.compile(r"\binoutset\b(?=\s*[:)])")
_MEMBER_SECTION = re.compile(r"((?:\.|->)\s*\w+\s*(?:\[[^\[\]:]*\]\s*)*)\[\s*([^\[\]:]*?)\s*:[^\[\]]*\]")
_DEPEND_OBJECTS = re.compile(r"(\bdepobj\s*:\s*)([^()]*\[[^()]*)(?=\)|$)")
_STEP = re.compile(r"\blinear\s*\([^:()]*:[^()]*\b(?:step\s*\(|val\b)")


def older_dependences(text: str) -> str:
    """``depend`` clauses: ``inoutset`` as ``inout``, which orders more, sections of members as their beginnings, and
    elements of arrays of depend objects, which are taken for sections, as what their address leads to."""
    text = _DEPEND_OBJECTS.sub(lambda m: m[1] + ", ".join(map(_depend_object, m[2].split(","))), text)
    return _MEMBER_SECTION.sub(lambda m: f"{m[1]}[{m[2] or '0'}]", _INOUTSET.sub("inout", text))


def _depend_object(text: str) -> str:
    return f"*(&{text.strip()})" if "[" in text else text.strip()


def older_spelling(directive: Directive) -> str | None:
    """What the host compiler is to see instead of ``directive``, None where it knows what stands there.

    Source: OpenMP 5.2, sections 11.2 (``scope``), 15.5 (``taskwait``), 15.9.4 (``depobj``), 7.7 (``declare simd``).
    """
    text = f"#pragma omp {directive.text}"
    new = text
    if directive.name in ("task", "taskwait") and "omp_all_memory" in text:
        return _after_all(directive)
    match directive.name:
        case "task" | "taskwait" | "depobj":
            new = older_dependences(text)
            if directive.name == "taskwait":
                new = re.sub(r"\bnowait\b", "", new).rstrip()
            if directive.name == "depobj":
                new = re.sub(r"\bdestroy\s*\(.*\)", "destroy", new)
        case "scope" if directive.has("firstprivate") and not directive.has("allocate"):
            new = _scope(directive)
        case "scope" if directive.has("allocate") or _reduces_tasks(directive):
            # One iteration for each thread. LLVM's runtime has reductions of tasks for loops, none for scopes.
            clauses = " ".join(map(spell_clause, directive.clauses))
            loop = "for (int __rex_scope = 0; __rex_scope < rex_omp_num_threads(); ++__rex_scope)"
            new = f"#pragma omp for schedule(static, 1) {clauses}\n{loop}"
        case "declare simd" if _STEP.search(text):
            new = ""
    return None if new == text else new


SCOPE_END = " } }"


def _scope(directive: Directive) -> str:
    """``scope`` with private variables of its own, given the values from before; ``SCOPE_END`` comes behind it."""
    names = [item.text for c in directive.all("firstprivate") if isinstance(c, ListClause) for item in c.items]
    given = {name: f"__rex_given_{number}" for number, name in enumerate(names)}
    clauses = [spell_clause(c) for c in directive.clauses if c.name != "firstprivate"]
    before = [_copy(copy, name) for name, copy in given.items()]
    inside = [_copy(name, copy) for name, copy in given.items()]
    return "\n".join(["{", *before, " ".join(["#pragma omp scope", *clauses]), "{", *inside])


def _copy(name: str, of: str) -> str:
    """A declaration, of an array as well."""
    return f"__typeof__({of}) {name}; __builtin_memcpy((void *)&{name}, (const void *)&{of}, sizeof {of});"


def _reduces_tasks(directive: Directive) -> bool:
    return any(isinstance(c, ReductionClause) and c.modifier == "task" for c in directive.clauses)


def _after_all(directive: Directive) -> str:
    """A dependence on ``omp_all_memory``: the task comes after all earlier tasks and ends before anything else."""
    if directive.name == "taskwait":
        return "#pragma omp taskwait"
    clauses = [c for c in directive.clauses if c.name not in ("if", "depend")]
    return f"#pragma omp taskwait\n#pragma omp task if(0) {' '.join(map(spell_clause, clauses))}"


_BEFORE = re.compile(r"\bomp_cur_iteration\s*-\s*1\b")


def older_doacross(directive: Directive, previous: str | None) -> str:
    """``doacross`` as ``depend``. ``previous`` stands for ``omp_cur_iteration - 1``; it raises InputError where
    that is not known."""
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
    return " ".join(["#pragma omp ordered", *texts])


_INIT = re.compile(r"(?P<modifiers>.*):(?P<objects>[^:]*)", re.DOTALL)
_INTEROP = "OpenMP 5.2, section 14.1 (interop construct)"


def interop_kind(modifiers: str) -> int | None:
    """What the runtime calls the type of an interoperability object: 1 target, 2 targetsync, None without either."""
    types = set(re.sub(r"\(.*\)", "", modifiers).replace(" ", "").split(","))
    return 2 if "targetsync" in types else 1 if "target" in types else None


def _listed(text: str) -> list[str]:
    enclosed = f"({text})"
    return [enclosed[low:high].strip() for low, high in arguments_at(enclosed, 0)]


def older_interop(directive: Directive) -> str:
    """``interop`` as calls. What it depends on is waited for, whatever ``nowait`` says, so that it runs at once.

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
            lines += [f"rex_interop_{action.name}(&({each}));" for each in _listed(argument)]
            continue
        parts = _INIT.fullmatch(argument)
        kind = interop_kind(parts["modifiers"]) if parts else None
        if parts is None or kind is None:
            raise error_at(action.span, "expected 'target' or 'targetsync' and an object", _INTEROP)
        lines += [f"rex_interop_init(&({each}), {kind}, {device});" for each in _listed(parts["objects"])]
    return "\n".join([*lines, "}"])


def iteration_before(loop: c_ast.Node | None) -> str | None:
    """The value that a loop's variable had one iteration before, as C text; None for loops of another form."""
    step = loop.next if isinstance(loop, c_ast.For) else None
    if isinstance(step, c_ast.UnaryOp) and step.op in ("++", "--", "p++", "p--") and isinstance(step.expr, c_ast.ID):
        return f"{step.expr.name} {'-' if '+' in step.op else '+'} 1"
    if isinstance(step, c_ast.Assignment) and step.op in ("+=", "-=") and isinstance(step.lvalue, c_ast.ID):
        amount = c_generator.CGenerator().visit(step.rvalue)
        return f"{step.lvalue.name} {'-' if step.op == '+=' else '+'} {amount}"
    return None

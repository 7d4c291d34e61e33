"""Constructs inside of regions and of the functions that these call."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..base.diagnostics import error_at
from ..c.source.tokens import closing, next_token, statement_end
from ..directives.model import Clause, ExprClause, ScheduleClause
from ..directives.parser import check_on_device, refuse_unsupported
from ..plan.constructs import Atomic, ConstructKind, DeviceConstruct
from ..plan.loops import Over, Schedule
from ..plan.sharing import NO_SHARING
from .code import Construct, Range, Text
from .loops import canonical_nest
from .sharing import sharing_of
from .unit import Function, Unit

_NOTHING = ("scan", "ordered", "taskwait", "taskyield", "cancel", "cancellation point", "nothing", "assume")
_BLOCKS = {
    "single": ConstructKind.SINGLE,
    "master": ConstructKind.MASKED,
    "masked": ConstructKind.MASKED,
    "task": ConstructKind.TASK,
    "taskgroup": ConstructKind.BLOCK,
    "scope": ConstructKind.SCOPE,
}
LOOPS = frozenset(("for", "loop", "simd", "distribute"))
_ASSIGN = re.compile(r"(?P<x>.+?)(?<![=<>!+\-*/&|^%])(?P<op>\+|-|\*|/|&|\||\^|<<|>>|%)?=(?!=)(?P<value>.+)$", re.DOTALL)
_OPERATORS = {
    "+": "rex_add", "-": "rex_sub", "*": "rex_mul", "/": "rex_div", "&": "rex_band", "|": "rex_bor", "^": "rex_bxor",
    "<<": "rex_shl", ">>": "rex_shr",
}  # fmt: skip
_COMMUTES = ("+", "*", "&", "|", "^")


def directly_nested(unit: Unit, construct: Construct) -> Construct | None:
    """The construct that is the whole statement of another one, perhaps in braces."""
    text, at = unit.text, construct.body_start
    end = construct.end
    while text[at] == "{":
        closed = closing(text, at)
        end = closed - 1
        at += 1
        while text[at].isspace():
            at += 1
    inner = next((c for c in unit.constructs if c.start == at), None)
    if inner is None or inner.directive.association not in ("block", "loop"):
        return None
    after = inner.end
    while text[after : after + 1].isspace():
        after += 1
    return inner if after >= end else None


def chain_of(unit: Unit, construct: Construct, follows: frozenset[str]) -> list[Construct]:
    """A construct, and those directly nested in it that are a part of one combined construct."""
    chain = [construct]
    while chain[-1].directive.association == "block":
        inner = directly_nested(unit, chain[-1])
        if inner is None or not follows.issuperset(inner.directive.constructs):
            break
        if "parallel" in chain[-1].directive.constructs and "parallel" in inner.directive.constructs:
            break
        chain.append(inner)
    return chain


def collapse_of(clauses: Sequence[Clause]) -> int:
    for clause in clauses:
        if isinstance(clause, ExprClause) and clause.name == "collapse" and clause.expr is not None:
            if not clause.expr.text.isdigit():
                raise error_at(clause.span, "the argument of 'collapse' must be a number here")
            return int(clause.expr.text)
    return 1


def expression(clauses: Sequence[Clause], name: str, *modifiers: str | None) -> str | None:
    """The text of a clause's expression."""
    for clause in clauses:
        if not isinstance(clause, ExprClause) or clause.name != name or clause.expr is None:
            continue
        if not modifiers or clause.modifier in modifiers:
            return clause.expr.text
    return None


def device_construct(unit: Unit, function: Function, construct: Construct) -> DeviceConstruct:
    """What the threads that meet a construct do. Raises InputError for what is not supported."""
    directive = construct.directive
    check_on_device(directive)
    refuse_unsupported(directive)
    name, span = directive.name, directive.span
    if directive.is_target or name.startswith("target "):
        raise error_at(
            span, f"'{name}' inside a target region", "OpenMP 5.2, section 13.8: target construct, restrictions"
        )
    if name == "barrier":
        return DeviceConstruct(ConstructKind.BARRIER, span, NO_SHARING, None)
    if name == "flush":
        return DeviceConstruct(ConstructKind.FLUSH, span, NO_SHARING, None)
    if name in _NOTHING and directive.association not in ("block", "loop"):
        return DeviceConstruct(ConstructKind.NOTHING, span, NO_SHARING, None)
    if name == "atomic":
        return DeviceConstruct(ConstructKind.ATOMIC, span, NO_SHARING, None, atomic=_atomic(unit, construct))
    if name == "critical":
        lock = f"rex_critical_{directive.argument_text.strip()}" if directive.argument_text else "rex_critical"
        return DeviceConstruct(ConstructKind.CRITICAL, span, NO_SHARING, construct.body, lock=lock)
    if name in _BLOCKS:
        sharing = sharing_of(unit, function, [construct])
        if directive.has("copyprivate", "detach", "depend", "in_reduction", "task_reduction"):
            raise error_at(span, f"this '{name}' has a clause that is not supported in C++ device code")
        where = expression(directive.clauses, "filter")
        return DeviceConstruct(
            _BLOCKS[name], span, sharing, construct.body, nowait=directive.has("nowait"),
            filter=Text(where, construct.start) if where is not None else None,
        )  # fmt: skip
    if name == "sections":
        return _sections(unit, function, construct)
    if name == "section":
        return DeviceConstruct(ConstructKind.BLOCK, span, NO_SHARING, construct.body)
    leaves = directive.constructs
    chain = [construct]
    if leaves in (("parallel",), ("distribute",)):
        chain = chain_of(
            unit, construct, frozenset(("for", "simd", "loop")) if leaves == ("parallel",) else frozenset()
        )
        leaves = tuple(leaf for part in chain for leaf in part.directive.constructs)
    clauses = [clause for part in chain for clause in part.directive.clauses]
    sharing = sharing_of(unit, function, chain)
    nest = schedule = None
    if not LOOPS.isdisjoint(leaves):
        nest = canonical_nest(unit, function, chain[-1], collapse_of(clauses))
        schedule = _schedule(leaves, clauses, construct)
    if "parallel" in leaves:
        threads = expression(clauses, "num_threads")
        condition = expression(clauses, "if", None, "parallel")
        return DeviceConstruct(
            ConstructKind.PARALLEL, span, sharing, chain[-1].body, nest, schedule,
            num_threads=Text(threads, construct.start) if threads is not None else None,
            condition=Text(condition, construct.start) if condition is not None else None,
        )  # fmt: skip
    if nest is None:
        raise error_at(span, f"'{name}' is not supported in a target region in C++")
    return DeviceConstruct(
        ConstructKind.LOOP, span, sharing, chain[-1].body, nest, schedule, nowait=directive.has("nowait")
    )


def chunk_of(clauses: Sequence[Clause], name: str, place: int) -> Text | None:
    for clause in clauses:
        if isinstance(clause, ScheduleClause) and clause.name == name and clause.chunk is not None:
            return Text(clause.chunk.text, place)
    return None


def _schedule(leaves: tuple[str, ...], clauses: Sequence[Clause], construct: Construct) -> Schedule:
    if "distribute" in leaves:
        over = Over.GRID if "for" in leaves else Over.TEAMS
    elif "for" in leaves:
        over = Over.TEAM
    elif "loop" in leaves:
        over = Over.TEAM if "parallel" in leaves else Over.THREAD
    else:
        over = Over.THREAD
    if over is Over.THREAD:
        return Schedule(over)
    even = any(isinstance(c, ScheduleClause) and c.kind in ("static", "runtime") and c.chunk is None for c in clauses)
    return Schedule(
        over, chunk_of(clauses, "dist_schedule", construct.start), chunk_of(clauses, "schedule", construct.start), even
    )


def _sections(unit: Unit, function: Function, construct: Construct) -> DeviceConstruct:
    text = unit.text
    inside = [
        c for c in unit.constructs if construct.body_start < c.start < construct.end and c.directive.name == "section"
    ]
    parts: list[Range] = []
    at = next_token(text, construct.body_start + 1)
    first = inside[0].start if inside else construct.end
    if at < first and text[at] != "}":
        parts.append(Range(at, statement_end(text, at)))
    parts += [c.body for c in inside]
    return DeviceConstruct(
        ConstructKind.SECTIONS, construct.directive.span, sharing_of(unit, function, [construct]), construct.body,
        nowait=construct.directive.has("nowait"), sections=tuple(parts),
    )  # fmt: skip


# ---- atomics ----


def _atomic(unit: Unit, construct: Construct) -> Atomic:
    directive, place = construct.directive, construct.body_start
    text = unit.text[construct.body_start : construct.end].strip()
    ordered = directive.has("seq_cst", "acquire", "release", "acq_rel")
    kind = next((k for k in ("read", "write", "capture", "compare") if directive.has(k)), "update")
    wrong = error_at(directive.span, "this form of 'atomic' is not supported in C++ device code")
    if kind == "compare":
        raise wrong

    def code(part: str) -> Text:
        return Text(part.strip(), place)

    statements = _statements(text) if text.startswith("{") else [text.rstrip(";").strip()]
    if kind in ("read", "write"):
        match = _ASSIGN.match(statements[0])
        if match is None or match["op"] or len(statements) != 1:
            raise wrong
        if kind == "read":
            return Atomic("read", code(match["value"]), None, None, False, code(match["x"]), False, ordered=ordered)
        return Atomic("write", code(match["x"]), None, code(match["value"]), False, None, False, ordered=ordered)
    if kind == "update":
        if len(statements) != 1 or (found := _update(statements[0])) is None:
            raise wrong
        x, operator, operand, is_reversed = found
        return Atomic(
            "update", code(x), operator, code(operand) if operand else None, is_reversed, None, False, ordered=ordered
        )
    return _capture(statements, code, wrong, ordered)


def _capture(statements: list[str], code: type | object, wrong: Exception, ordered: bool) -> Atomic:
    assert callable(code)
    if len(statements) == 1:  # v = x op= e, v = x++, v = ++x
        match = _ASSIGN.match(statements[0])
        if match is None or match["op"]:
            raise wrong
        target, rest = match["x"], match["value"].strip()
        found = _update(rest)
        if found is None:
            inner = _ASSIGN.match(rest)
            if inner is None or inner["op"]:
                raise wrong
            return Atomic(
                "exchange", code(inner["x"]), None, code(inner["value"]), False, code(target), True, ordered=ordered
            )
        x, operator, operand, is_reversed = found
        new = not rest.endswith(("++", "--"))
        value = code(operand) if operand else None
        return Atomic("update", code(x), operator, value, is_reversed, code(target), new, ordered=ordered)
    if len(statements) != 2:
        raise wrong
    first, second = statements
    for update, read, new in ((first, second, True), (second, first, False)):
        taken = _ASSIGN.match(read)
        found = _update(update)
        if taken is None or taken["op"]:
            continue
        if found is not None and _same(found[0], taken["value"]):
            x, operator, operand, is_reversed = found
            value = code(operand) if operand else None
            return Atomic("update", code(x), operator, value, is_reversed, code(taken["x"]), new, ordered=ordered)
        written = _ASSIGN.match(update)
        if written is not None and not written["op"] and _same(written["x"], taken["value"]) and not new:
            return Atomic(
                "exchange",
                code(written["x"]),
                None,
                code(written["value"]),
                False,
                code(taken["x"]),
                False,
                ordered=ordered,
            )
    raise wrong


def _same(one: str, other: str) -> bool:
    return re.sub(r"\s+", "", one) == re.sub(r"\s+", "", other)


def _statements(block: str) -> list[str]:
    inside = block[1:-1]
    return [part.strip() for part in inside.split(";") if part.strip()]


def _update(text: str) -> tuple[str, str, str, bool] | None:
    """(x, the operator's tag, the operand or an empty text for 1, whether it is ``operand op x``)"""
    text = text.strip()
    for mark, tag in (("++", "rex_add"), ("--", "rex_sub")):
        if text.startswith(mark) or text.endswith(mark):
            return text.removeprefix(mark).removesuffix(mark).strip(), tag, "", False
    match = _ASSIGN.match(text)
    if match is None:
        return None
    x, operator, value = match["x"].strip(), match["op"], match["value"].strip()
    if operator:
        return (x, _OPERATORS[operator], value, False) if operator in _OPERATORS else None
    squeezed = re.escape(x)
    for mark, tag in _OPERATORS.items():
        begin = re.match(rf"{squeezed}\s*{re.escape(mark)}(?![=<>&|])(.+)$", value, re.DOTALL)
        if begin is not None:
            rest = begin[1].strip()
            if _is_operand(rest, mark):
                return x, tag, rest, False
        end = re.match(rf"(.+?)\s*{re.escape(mark)}\s*{squeezed}$", value, re.DOTALL)
        if end is not None and _is_operand(end[1].strip(), mark):
            return x, tag, end[1].strip(), mark not in _COMMUTES
    return None


def _is_operand(text: str, mark: str) -> bool:
    """Whether a text can be one operand as a whole: it has no operator outside of brackets that binds less closely."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if depth != 0 or char not in "+-*/%&|^<>?:,=" or at == 0 or "->" in text[at - 1 : at + 2]:
            continue
        is_sign = text[:at].rstrip().endswith(tuple("eE+-*/([,"))
        if not is_sign and not (mark in ("+", "-") and char in "*/%"):
            return False
    return True

"""The statement forms of ``atomic`` (OpenMP 5.2, section 15.8.4), reduced to one operation on one location."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.records import replace
from ..c.source.tokens import closing, next_token, statement_end
from ..plan.constructs import Atomic
from .code import Construct, Text
from .unit import Unit

_ASSIGN = regex(r"(?P<x>.+?)(?<![=<>!+\-*/&|^%])(?P<op>\+|-|\*|/|&|\||\^|<<|>>|%)?=(?!=)(?P<value>.+)$", re.DOTALL)
_OPERATORS = {
    "+": "rex_add", "-": "rex_sub", "*": "rex_mul", "/": "rex_div", "&": "rex_band", "|": "rex_bor", "^": "rex_bxor",
    "<<": "rex_shl", ">>": "rex_shr",
}  # fmt: skip
_COMMUTES = ("+", "*", "&", "|", "^")
Code = Callable[[str], Text]


def atomic_operation(unit: Unit, construct: Construct) -> Atomic:
    directive, place = construct.directive, construct.body_start
    text = unit.text[construct.body_start : construct.end].strip()
    default = unit.requirements.get("atomic_default_mem_order", "relaxed")
    ordered = directive.has("seq_cst", "acquire", "release", "acq_rel")
    ordered = ordered or (default != "relaxed" and not directive.has("relaxed"))
    kind = next((k for k in ("compare", "read", "write", "capture") if directive.has(k)), "update")
    wrong = error_at(directive.span, "this form of 'atomic' is not supported in C++ device code")

    def code(part: str) -> Text:
        return Text(part.strip(), place)

    statements = _statements(text)
    if kind == "compare":
        found = _compare_capture(statements, code) if directive.has("capture") else _compare(statements, code)
        if found is None:
            raise wrong
        return replace(found, ordered=ordered)
    if kind in ("read", "write"):
        match = _ASSIGN.match(statements[0])
        if match is None or match["op"] or len(statements) != 1:
            raise wrong
        if kind == "read":
            return Atomic("read", code(match["value"]), None, None, False, code(match["x"]), False, ordered=ordered)
        return Atomic("write", code(match["x"]), None, code(match["value"]), False, None, False, ordered=ordered)
    if kind == "update":
        if len(statements) != 1 or (update := _update(statements[0])) is None:
            raise wrong
        x, operator, operand, is_reversed = update
        return Atomic(
            "update", code(x), operator, code(operand) if operand else None, is_reversed, None, False, ordered=ordered
        )
    return _capture(statements, code, wrong, ordered)


def _capture(statements: list[str], code: Code, wrong: Exception, ordered: bool) -> Atomic:
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
    return _bare(one) == _bare(other)


def _bare(text: str) -> str:
    """An expression without white space and parentheses around all of it."""
    text = re.sub(r"\s+", "", text)
    while text.startswith("(") and closing(text, 0) == len(text):
        text = text[1:-1]
    return text


def _statements(text: str) -> list[str]:
    """The statements of a statement, which may be a block, without their semicolons."""
    text = text.strip()
    if not text.startswith("{"):
        return [text.rstrip("; \n")] if not text.startswith("if") else [text]
    found: list[str] = []
    at, end = next_token(text, 1), len(text) - 1
    while at < end:
        stop = statement_end(text, at)
        part = text[at:stop].strip()
        if part not in ("", ";"):
            found.append(part if part.startswith("if") else part.rstrip("; \n"))
        at = next_token(text, stop)
    return found


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


# ---- compare ----


def _compare(statements: list[str], code: Code) -> Atomic | None:
    """``if (x == e) x = d;``, ``x = x == e ? d : x;`` and the same with ``<`` or ``>`` (where d is e)."""
    if len(statements) != 1:
        return None
    if (choice := _if(statements[0])) is not None:
        condition, then, otherwise = choice
        assigned = _plain(then)
        return _conditional(condition, *assigned, code) if assigned is not None and not otherwise else None
    assigned = _plain(statements[0])
    if assigned is None:
        return None
    match = re.fullmatch(r"\(?(?P<test>[^?]+)\?(?P<new>.+):(?P<old>[^:]+?)\)?", assigned[1], re.DOTALL)
    if match is None or not _same(match["old"], assigned[0]):
        return None
    return _conditional(match["test"].strip(), assigned[0], match["new"].strip(), code)


def _compare_capture(statements: list[str], code: Code) -> Atomic | None:
    """The forms of ``compare capture``: the old or the new value, only on failure, or the comparison's result."""
    if len(statements) == 1 and _if(statements[0]) is not None:
        return _with_failure(statements[0], code)
    if len(statements) == 1:  # v = x = x == e ? d : x
        outer = _plain(statements[0])
        inner = _compare([outer[1]], code) if outer is not None else None
        return inner.capturing(code(outer[0]), new=True) if inner is not None and outer is not None else None
    if len(statements) != 2:
        return None
    first, second = statements
    taken = _plain(first)
    if taken is not None and _if(first) is None:
        changed = _compare([second], code)
        if changed is not None and _same(taken[1], _text(changed.location)):
            return changed.capturing(code(taken[0]), new=False)
        choice = _if(second)
        if choice is not None and _same(choice[0], taken[0]):  # r = x == e; if (r) x = d; [else v = x;]
            otherwise = f" else {choice[2]}" if choice[2] else ""
            found = _with_failure(f"if ({taken[1]}) {choice[1]}{otherwise}", code)
            return replace(found, outcome=code(taken[0])) if found is not None else None
    changed, taken = _compare([first], code), _plain(second)
    if changed is None or taken is None or not _same(taken[1], _text(changed.location)):
        return None
    return changed.capturing(code(taken[0]), new=True)


def _with_failure(statement: str, code: Code) -> Atomic | None:
    """``if (x == e) x = d; [else v = x;]``"""
    choice = _if(statement)
    if choice is None:
        return None
    found = _compare([f"if ({choice[0]}) {choice[1]}"], code)
    if found is None or not choice[2]:
        return found
    kept = _plain(choice[2])
    if found.operation != "compare" or kept is None or not _same(kept[1], _text(found.location)):
        return None
    return replace(found, captured=code(kept[0]), on_failure=True)


def _conditional(test: str, x: str, desired: str, code: Code) -> Atomic | None:
    """``x = desired`` under a condition that compares x."""
    while test.startswith("(") and closing(test, 0) == len(test):
        test = test[1:-1].strip()
    match = re.fullmatch(r"(?P<left>.+?)(?P<op>==|<(?![<=])|(?<!-)>(?![>=]))(?P<right>.+)", test, re.DOTALL)
    if match is None:
        return None
    left, op, right = match["left"].strip(), match["op"], match["right"].strip()
    if _same(left, x):
        other = right
    elif _same(right, x):
        other, op = left, {"<": ">", ">": "<"}.get(op, op)
    else:
        return None
    if op == "==":
        return Atomic("compare", code(x), None, code(other), False, None, False, desired=code(desired))
    if not _same(other, desired):
        return None
    return Atomic("update", code(x), "rex_max" if op == "<" else "rex_min", code(desired), False, None, False)


def _if(statement: str) -> tuple[str, str, str] | None:
    """(the condition, the statement, that behind ``else``) of an ``if``"""
    if not re.match(r"if\s*\(", statement):
        return None
    opening = statement.index("(")
    end = closing(statement, opening)
    at = next_token(statement, end)
    text = statement if statement.rstrip().endswith(("}", ";")) else statement + ";"
    stop = closing(text, at) if text[at] == "{" else text.index(";", at) + 1
    rest = text[stop:].strip()
    if rest and not re.match(r"else\b", rest):
        return None
    return text[opening + 1 : end - 1].strip(), text[at:stop], rest.removeprefix("else").strip()


def _plain(statement: str) -> tuple[str, str] | None:
    """(x, e) of ``x = e``, which may be alone in a block"""
    parts = _statements(statement)
    match = _ASSIGN.match(parts[0]) if len(parts) == 1 else None
    return (match["x"].strip(), match["value"].strip()) if match is not None and not match["op"] else None


def _text(code: object) -> str:
    assert isinstance(code, Text)
    return code.text

"""The edits of a sequential part that all threads of a team run: where they wait, and what only the first one runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from ..c.source.tokens import closing, next_token, statement_end
from ..plan.constructs import Code
from ..plan.optimised import TeamSteps
from ..tree import nodes as tree
from .libclang import is_users
from .text_constructs import Assigned, Construct, Declaration, Range
from .unit import Unit

WAIT = "rex_team_wait();"
FIRST = "if (rex_team_first()) {"
_VALUE = "__rex_value"
Edit = tuple[int, int, str]  # a text in place of a stretch
_Braces = tuple[int, int, str, str]  # where a statement begins and ends, the text in front of it and behind it


def later_declarators(unit: Unit, body: tree.Node) -> set[tree.Node]:
    """The variables that are not the first of their declaration."""
    seen: set[int] = set()
    later: set[tree.Node] = set()
    for node in tree.walk(body):
        if isinstance(node, tree.Declare) and node.origin is not None and is_users(node.origin):
            start = unit.extent(node.origin)[0]
            if start in seen:
                later.add(node)
            seen.add(start)
    return later


def code_of(unit: Unit, later: Collection[tree.Node], node: tree.Node) -> Code | None:
    """What the text has of a statement or a value, if it is the user's and no part of a statement's head."""
    origin = node.origin
    if origin is None or isinstance(origin, Construct):
        return origin
    if not is_users(origin):
        return None
    start, end = unit.extent(origin)
    is_value = not isinstance(node, tree.Evaluate) and origin.kind.is_expression()
    if is_value:
        return Range(start, end)
    if unit.text[max(0, start - 200) : start].rstrip().endswith("("):
        return None  # it is the first part of a statement's head
    if isinstance(node, tree.Declare):
        return Declaration(start, node.variable.name if node in later else "")
    return Range(start, statement_end(unit.text, start))


def team_steps(
    unit: Unit, steps: TeamSteps, start: int, end: int, expression: Callable[[Range], str]
) -> tuple[list[Edit], list[Range]]:
    """(the edits of a stretch of the unit, what these replace).

    Each statement with steps gets braces, so that it stays one statement. ``expression`` prints a value.
    """
    around: list[_Braces] = []
    computed = [c for c in steps.computed if isinstance(c, Assigned) and start <= c.statement.start < end]
    values = [c.value for c in computed]
    own = {*values, *(c.statement for c in computed)}
    for code in steps.barriers | steps.guarded:
        wait = f"{WAIT} " if code in steps.barriers else ""
        if isinstance(code, Declaration) and start <= code.start < end and not code.later:
            around.append((code.start, code.start, wait, ""))
        elif isinstance(code, Range) and start <= code.start < end and code not in own:
            first = code in steps.guarded
            around.append((code.start, code.end, f"{{ {wait}{FIRST if first else ''} ", " }" * (1 + first)))
    for code in steps.ends:
        if isinstance(code, Range) and start <= code.start < end:
            around.append(_end_of_body(unit.text, code))
    for one in computed:
        before = f"{WAIT} " if one.statement in steps.barriers else ""
        between = f"{WAIT} " if one.value in steps.barriers else ""
        value = " ".join(expression(one.value).split("\n"))
        head = f"{{ {before}const auto {_VALUE} = {value}; {between}{FIRST} "
        around.append((one.statement.start, one.statement.end, head, " } }"))
    return [*_in_order(around), *((v.start, v.end, _VALUE) for v in values)], values


def _in_order(around: list[_Braces]) -> Iterator[Edit]:
    """The texts around statements, so that what is opened last is closed first."""
    opened = [(low, 1, -high, before) for low, high, before, _ in around if before]
    closed = [(high, 0, -low, behind) for low, high, _, behind in around if behind]
    for place, _, _, text in sorted([*opened, *closed]):
        yield place, place, text


def _end_of_body(text: str, loop: Range) -> _Braces:
    """What lets threads wait at the end of each iteration of a loop."""
    is_do = text.startswith("do", loop.start)
    low = loop.start + len("do") if is_do else closing(text, text.index("(", loop.start))
    body = next_token(text, low)
    if text[body] == "{" and not text[low:body].strip():
        return body, closing(text, body) - 1, "", f"{WAIT} "
    return low, statement_end(text, low), " {", f" {WAIT} }}"

"""Directives in C, in whose clauses variables have their names there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.records import replace
from ...directives.combined import with_clauses
from ...directives.model import (
    Clause,
    DependClause,
    Directive,
    Expr,
    Index,
    ListClause,
    Locator,
    MapClause,
    Member,
    ReductionClause,
    Section,
)
from ...tree import nodes as tree
from ...tree import types
from ...tree.symbols import Storage, Variable
from ...tree.types import Pointer
from ..reading.clauses import member_of
from ..reading.frame import NotReadError
from .expressions import Expressions
from .text import CannotWriteError


def directive_in_c(body: Expressions, node: tree.Construct) -> str:
    """The text of a directive behind ``omp``."""
    return _Writer(body, node).text()


class _Writer:
    def __init__(self, body: Expressions, node: tree.Construct) -> None:
        self._body, self._node = body, node
        self._expressions = {id(expr): value for expr, value in node.expressions}
        self._roots: Mapping[int, tree.Place] = {id(item.locator): item.place for item in node.items}

    def text(self) -> str:
        directive = self._node.directive
        clauses = tuple(map(self._clause, directive.clauses))
        made = replace(directive, arguments=tuple(self._item(one, "") for one in directive.arguments))
        if directive.arguments:
            made = replace(made, argument_text=", ".join(one.text for one in made.arguments))
        return with_clauses(made, clauses).text + "".join(self._implicit(directive))

    def _clause(self, clause: Clause) -> Clause:
        changed: dict[str, Any] = {}
        for name, value in vars(clause).items():
            if isinstance(value, Expr):
                changed[name] = replace(value, text=self._expression(value))
            elif isinstance(value, tuple) and value and isinstance(value[0], Locator):
                changed[name] = tuple(self._item(one, clause.name, clause) for one in value)
        made = replace(clause, **changed) if changed else clause
        if isinstance(made, DependClause) and made.items and not made.iterators:
            return replace(made, text=f"{made.kind}: {', '.join(one.text for one in made.items)}")
        return made

    def _expression(self, expr: Expr) -> str:
        value = self._expressions.get(id(expr))
        text = str(self._body.value(value)) if value is not None else expr.text
        return text[1:-1] if text.startswith("(") and text.endswith(")") and _is_one(text) else text

    # -- list items ---------------------------------------------------------------------------------------------------

    def _item(self, item: Locator, clause: str, of: Clause | None = None) -> Locator:
        root = self._roots.get(id(item))
        if root is None:
            return item
        text = str(self._body.place(root)) if item.name != "this" else self._this(root)
        steps = list(item.steps)
        copied = isinstance(of, MapClause) or clause in ("to", "from")
        if text.startswith("(*"):
            inner = text[2:-1]
            first = steps[0] if steps else None
            if isinstance(first, Member):
                text, rest = f"{inner}->{self._member(root.type, first)}", steps[1:]
                return replace(item, text=self._steps(text, _member_type(root.type, first), rest))
            if steps or not copied:
                raise CannotWriteError  # the copy of what a reference means has no form in C
            return replace(item, text=f"{inner}[0:1]")
        return replace(item, text=self._steps(text, root.type, steps, this=item.name == "this"))

    def _this(self, root: tree.Place) -> str:
        assert isinstance(root, tree.Pointee)
        return str(self._body.value(root.pointer))

    def _steps(self, text: str, t: types.Type, steps: list[Any], this: bool = False) -> str:
        for number, step in enumerate(steps):
            if isinstance(step, Member):
                if step.arrow and not this:
                    t = t.to if isinstance(t, Pointer) else t
                text += ("->" if step.arrow else ".") + self._member(t, step)
                t, this = _member_type(t, step), False
            elif isinstance(step, Index | Section):
                text += f"[{self._part(step)}]"
                if not (this and number == 0):
                    t = t.to if isinstance(t, Pointer) else t.of if isinstance(t, types.Array) else t
                this = False
        return text

    def _part(self, step: Index | Section) -> str:
        if isinstance(step, Index):
            return self._expression(step.expr)
        parts = [step.lower, step.length, step.stride][: 3 if step.stride is not None else 2]
        return ":".join(self._expression(one) if one is not None else "" for one in parts)

    def _member(self, t: types.Type, step: Member) -> str:
        """The way to a member, which a base class may have."""
        place = _found(t, step)
        names: list[str] = []
        while isinstance(place, tree.Part):
            name = self._body.w.types.member(place.whole.type, place.member)
            names[:0] = [name] if name else []
            place = place.whole
        return ".".join(names)

    # -- what the language maps by itself -----------------------------------------------------------------------------

    def _implicit(self, directive: Directive) -> list[str]:
        """What a region uses by ``this`` or by references that no clause names."""
        body = self._node.body
        if not directive.is_target or body is None:
            return []
        listed = {item.name for c in directive.clauses for item in getattr(c, "items", ())}
        inside = list(self._body.seen([body]))
        declared = {one.variable for one in inside if isinstance(one, tree.Declare | tree.Temporary)}
        found: dict[str, None] = {}
        kinds = ListClause | MapClause | ReductionClause
        items = [i for c in directive.clauses if isinstance(c, kinds) for i in c.items if i.name == "this"]
        whole = any(not any(isinstance(step, Member) for step in i.steps) for i in items)
        for one in inside:
            if not isinstance(one, tree.Named) or one.variable in declared:
                continue
            t = one.variable.type
            if one.variable.name == "this" and one.variable in self._body.body.parameters and not whole:
                found[" map(tofrom: this[0:1])"] = None  # OpenMP 5.2, section 5.8.1
            if not isinstance(t, Pointer) or not t.reference or self._body.is_plain(one.variable):
                continue
            if one.variable.name in listed or one.variable.storage not in (Storage.LOCAL, Storage.PARAMETER):
                continue
            found[f" map(tofrom: {self._body.name(one.variable)}[0:1])"] = None  # the copy of a number has no form in C
        return list(found)


def _found(t: types.Type, step: Member) -> tree.Place:
    try:
        return member_of(tree.Named(t, Variable("", t, Storage.LOCAL, None)), step.name)
    except NotReadError:
        raise CannotWriteError from None


def _member_type(t: types.Type, step: Member) -> types.Type:
    return _found(t, step).type


def _is_one(text: str) -> bool:
    """Whether the first bracket of a text is closed by the last one."""
    depth = 0
    for number, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and number < len(text) - 1:
            return False
    return True


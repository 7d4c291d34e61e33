"""C++'s constructs, for the decisions that both front ends ask for."""

from __future__ import annotations

from collections.abc import Collection

from ..c.source.tokens import closing
from ..plan.code import Entity
from ..plan.sharing import Sharing
from .code import Construct
from .functions import Function
from .sharing import named_copies
from .text_constructs import identifiers_in
from .unit import Unit


class Constructs:
    """The constructs in a function (see :class:`~rex_build.openmp.chains.Constructs`)."""

    whole_teams = True

    def __init__(self, unit: Unit, function: Function) -> None:
        self._unit, self._function = unit, function

    def inner(self, construct: Construct) -> Construct | None:
        """The construct that is the whole statement of another one, perhaps in braces."""
        text, at = self._unit.text, construct.body_start
        end = construct.end
        while text[at] == "{":
            end = closing(text, at) - 1
            at += 1
            while text[at].isspace():
                at += 1
        inner = next((c for c in self._unit.constructs if c.start == at), None)
        if inner is None or inner.directive.association not in ("block", "loop"):
            return None
        after = inner.end
        while text[after : after + 1].isspace():
            after += 1
        return inner if after >= end else None

    def sharing(self, construct: Construct) -> Sharing:
        """Which variables get copies. Of reductions, only the variable is known."""
        return named_copies(self._unit, self._function, construct)

    def used(self, construct: Construct) -> Collection[Entity]:
        unit, function = self._unit, self._function
        mentioned = (r for r in function.mentions.references if construct.start <= r.start < construct.end)
        used = {r.variable for r in mentioned if not construct.start <= r.variable.start < construct.end}
        inside = (c for c in unit.constructs if construct.start <= c.start < construct.end)
        names = {name for c in inside for _, name in identifiers_in(c.directive.text)}
        return used | {v for name in names if (v := unit.lookup(function, name, construct.start)) is not None}

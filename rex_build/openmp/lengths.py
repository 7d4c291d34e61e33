"""Whether an expression of a clause surely is the length that an array of variable length has.

That is the value that an expression had when the array was declared. If a section spells the same length later, it
means the same number only if nothing has changed the variables in between.
"""

from __future__ import annotations

from collections.abc import Callable

from ..plan.code import Entity
from ..tree import nodes as tree
from ..tree.questions import same_value
from ..tree.symbols import Storage, Variable
from ..tree.types import Array, Integer

_KEEP = frozenset(("firstprivate", "shared", "to"))  # with these clauses, a variable or its copy keeps its value


def is_length(
    given: tree.Expression, length: tree.Expression, array: Array, body_of: Callable[[Entity], tree.Body | None]
) -> bool:
    """Whether ``given`` has the value that ``length`` had where the array was declared. ``body_of`` gives the function
    that declares a variable."""
    if not same_value(given, length):
        return False
    places = [node.place for node in tree.walk(given) if isinstance(node, tree.Load)]
    return all(isinstance(one, tree.Named) and not _may_have_changed(one.variable, array, body_of) for one in places)


def _may_have_changed(variable: Variable, array: Array, body_of: Callable[[Entity], tree.Body | None]) -> bool:
    """Whether a variable may have changed since an array was declared, while the array is in scope.

    Control leaves the scope before it comes back to what is in front of the declaration. So only what is behind it
    matters.
    """
    t, body = variable.type, body_of(variable.entity) if variable.entity is not None else None
    if not isinstance(t, Integer) or t.volatile or t.atomic:
        return True
    if t.const:
        return False
    if variable.storage not in (Storage.LOCAL, Storage.PARAMETER) or body is None:
        return True
    is_behind = not any(node.variable is array.length for node in tree.parts(body.statement, tree.Declare))
    for node in body.statement.below:
        match node:
            case tree.Declare(variable=declared) if declared is array.length:
                is_behind = True
            case tree.Opaque(mentions=mentions):
                named = [n for m in mentions or () for n in tree.walk(m) if isinstance(n, tree.Named)]
                if mentions is None or any(one.variable is variable for one in named):
                    return True
            case tree.AddressOf(place=tree.Named(variable=changed)) if changed is variable:
                return True
            case tree.Store(place=tree.Named(variable=changed)) | tree.Update(place=tree.Named(variable=changed)):
                if is_behind and changed is variable:
                    return True
            case tree.Construct(directive=directive) if is_behind:
                kept = {item for c in directive.all(*_KEEP) for item in getattr(c, "items", ())}
                others = (item.place for item in node.items if item.locator not in kept)
                if any(isinstance(place, tree.Named) and place.variable is variable for place in others):
                    return True
    return False

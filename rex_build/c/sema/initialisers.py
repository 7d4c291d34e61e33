"""C initialisers (6.7.9) put in the order of the members they initialise, without designators or elided braces."""

from __future__ import annotations

from pycparser import c_ast

from ...base.records import dataclass, field
from . import Sema
from .ctype import Array, CType, Field, Record

_ZEROS = frozenset(("0", "0u", "0l", "0ul", "0L", "0UL", "0U", "0.0", "0.", "0.0f", "0.f"))


@dataclass(frozen=False)
class Initialiser:
    """The initialiser of one object: ``value`` for a scalar, string or whole record, else ``parts`` by index.

    The index is the number of an array's element, or the position of a member in ``members(record)``. ``bit_width`` is
    set for bit-fields.
    """

    type: CType
    value: c_ast.Node | None = None
    parts: dict[int, Initialiser] = field(default_factory=dict)
    bit_width: int | None = None

    @property
    def is_zero(self) -> bool:
        """Whether it consists of literal zeros only."""
        if self.value is not None:
            return isinstance(self.value, c_ast.Constant) and self.value.value in _ZEROS
        return all(part.is_zero for part in self.parts.values())


def members(t: Record) -> list[Field]:
    """The members that an initialiser list counts, which are all but unnamed bit-fields (6.7.9p9)."""
    return [f for f in t.info.fields if f.name is not None or f.is_anonymous_record]


def is_string(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Constant) and node.type == "string"


def read_initialiser(sema: Sema, t: CType, node: c_ast.Node) -> Initialiser:
    """The normal form of ``node`` as the initialiser of an object of type ``t``. The code must be analysed already."""
    if not isinstance(node, c_ast.InitList):
        return Initialiser(t, node)
    result = Initialiser(t)
    for item in node.exprs or ():
        value = item.expr if isinstance(item, c_ast.NamedInitializer) else item
        path = sema.initialiser_path(item)
        if not path:
            if isinstance(t, Record) or (isinstance(t, Array) and not is_string(value)):
                continue  # there are more initialisers than members: compilers warn of them and ignore them
            return read_initialiser(sema, t, value)
        targets = [result]
        for step in path:  # a GNU range names several elements
            steps = step if isinstance(step, range) else (step,)
            targets = [_part(target, one) for target in targets for one in steps]
        for last in targets:
            new = read_initialiser(sema, last.type, value)
            last.value, last.parts = new.value, new.parts  # a later initialiser of one object replaces the earlier
    return result


def _part(whole: Initialiser, step: Field | int) -> Initialiser:
    """The part of an aggregate that a step selects."""
    t = whole.type
    if isinstance(step, int):
        assert isinstance(t, Array)
        return whole.parts.setdefault(step, Initialiser(t.of))
    assert isinstance(t, Record)
    index = next(i for i, f in enumerate(members(t)) if f.node is step.node)
    if t.info.kind == "union" and index not in whole.parts:
        whole.parts.clear()
    return whole.parts.setdefault(index, Initialiser(step.type, bit_width=step.bit_width))

"""Functions for the initialisers and default arguments that have regions: kernels belong to functions.

    double s = [this] { ... }();    ->   auto rex_first_s_1() -> double { return [this] { ... }(); } double s =
                                         rex_first_s_1();
    void f(int n = [] { ... }());   ->   static inline auto rex_first_n_1() -> int { return [] { ... }(); }
                                         void f(int n = rex_first_n_1());
"""

from __future__ import annotations

from typing import Any

from ..base.names import initialiser_name
from ..c.rewrite.rewriting import Respelling, respelled
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import next_token
from .templates import specifiers
from .unit import Unit


def with_functions(unit: Unit) -> Preprocessed:
    """The unit's text with such functions, one for each declaration. Others may be left."""
    edits: dict[int, list[Respelling]] = {}
    for construct in unit.constructs:
        if construct.directive.name.startswith("target") and unit.function_at(construct.start) is None:
            found = _made(unit, construct.start, len(edits) + 1)
            edits.setdefault(found[0][0] if found else -1, found)
    return respelled(unit.pre, [edit for start in sorted(edits) for edit in edits[start]])


def _made(unit: Unit, place: int, number: int) -> list[Respelling]:
    """The edits that make a function of the initialiser around a place; none where that is not possible."""
    k, text = unit.kinds, unit.text
    owner, declared = unit.tu.cursor, unit.tu.cursor
    while declared is not None and declared.kind not in (k.VAR_DECL, k.FIELD_DECL, k.PARM_DECL):
        owner, inside = declared, (c for c in unit.own_children(declared) if _is_around(unit, c, place))
        declared = next(inside, None)
    if declared is None:
        return []
    is_parameter, (start, end) = declared.kind == k.PARM_DECL, unit.extent(declared)
    whole = owner if is_parameter else declared  # what the function stands in front of
    record = whole.lexical_parent if whole.lexical_parent.kind in unit.classes else None
    begin, name = unit.extent(whole)[0], unit.place(declared.location) + len(declared.spelling)
    others = [] if is_parameter else [c for c in unit.own_children(owner) if c != declared]
    at = next_token(text, name)
    is_alone = whole.semantic_parent == whole.lexical_parent and not any(unit.extent(c)[0] == start for c in others)
    kind = declared.type
    if not is_alone or text[at] not in "={" or kind.get_array_size() >= 0:
        return []
    if kind.kind == unit.types.LVALUEREFERENCE and kind.get_pointee().is_const_qualified():
        kind = kind.get_pointee()  # of a value that lives no longer than the function
    result = kind.spelling.replace("(anonymous namespace)::", "")
    header, arguments = "", ""
    if is_parameter and owner.kind == k.FUNCTION_TEMPLATE:
        header = text[begin : specifiers(text, begin)]
        arguments = f"<{', '.join(unit.parameters_as_arguments(owner))}>"
    of_object = declared.kind == k.FIELD_DECL
    # Other units may have other functions of this name.
    word = "" if of_object else "static " if record is not None else "static inline "
    function = initialiser_name(declared.spelling, number)
    first = at if text[at] == "{" else at + 1
    head = f"{header}{word}auto {function}() -> {result} {{ return {result if first == at else ''}"
    lines = "\n" * (text.count("\n", begin, first) - head.count("\n"))
    again = " ".join(text[begin:name].split())
    return [(begin, first, head + lines), (end, end, f"; }} {again} = {function}{arguments}()")]


def _is_around(unit: Unit, cursor: Any, place: int) -> bool:
    start, end = unit.extent(cursor)
    return start <= place < end

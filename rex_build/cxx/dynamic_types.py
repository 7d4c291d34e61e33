"""The classes of objects whose virtual functions are called, where the text makes them certain."""

from __future__ import annotations

from typing import Any

from .libclang import children, pattern
from .reading import clang


def certain_class(call: Any) -> tuple[str, Any] | None:
    """(the class of the object whose virtual function is called, the variable that points or refers to it)

    None if the class is not certain, and an empty text if the call names the class itself. ``<>`` follows that of a
    template. There is no variable if the call's own text has an object of the class.
    """
    member = next(iter(children(call)), None)
    if call.kind.name != "CALL_EXPR" or member is None or member.kind.name != "MEMBER_REF_EXPR":
        return None
    parts = children(member)
    if any(part.kind.name in ("TYPE_REF", "TEMPLATE_REF") for part in parts):
        return "", None
    record = member.referenced.semantic_parent
    final = [member.referenced, record]
    found = inside(parts[0]) if parts else None
    if found is not None and found.kind.name == "ARRAY_SUBSCRIPT_EXPR":
        array = children(found)[0]
        while array.kind.name == "UNEXPOSED_EXPR" and children(array):
            array = children(array)[0]
        is_array = array.type.get_canonical().kind.name == "CONSTANTARRAY"
        is_certain = is_array and found.type.get_canonical().kind.name == "RECORD"  # and no pointer
    else:
        named = found is not None and found.kind.name in ("DECL_REF_EXPR", "MEMBER_REF_EXPR")
        declared = found.referenced if named and found is not None else None
        is_certain = declared is not None and declared.type.get_canonical().kind.name == "RECORD"
    variable = None
    if is_certain and found is not None:
        record = found.type.get_canonical().get_declaration()
    elif any(c.kind.name == "CXX_FINAL_ATTR" for one in final for c in children(one)):
        pass
    elif (meant := class_behind(found)) is not None:
        record, variable = meant, found
    else:
        return None
    return f"{record.spelling}{'<>' if record.get_num_template_arguments() > 0 else ''}", variable


def class_behind(mention: Any) -> Any:
    """The class of the object to which a local pointer or reference leads, or None if it is not certain.

    It is certain if all that the function ever stores in the variable are addresses of objects of one class.
    """
    pointers = ("POINTER", "LVALUEREFERENCE")
    queue = [mention.referenced if mention is not None and mention.kind.name == "DECL_REF_EXPR" else None]
    done: set[int] = set()
    found: dict[int, Any] = {}
    while queue:
        variable = queue.pop()
        if variable is None or variable.kind.name != "VAR_DECL" or variable.storage_class.name not in ("NONE", "AUTO"):
            return None
        kind, around = variable.type.get_canonical(), variable.semantic_parent
        if kind.kind.name == "RECORD":
            found[kind.get_declaration().canonical.hash] = kind.get_declaration()
            continue
        is_one = kind.kind.name in pointers and kind.get_pointee().kind.name not in pointers
        if not is_one or around.kind.name == "TRANSLATION_UNIT":
            return None
        if variable.hash in done:
            continue
        done.add(variable.hash)
        sources = _sources(variable, around)
        if sources is None:
            return None
        for source in map(inside, sources):
            if source.kind.name == "CXX_NEW_EXPR":
                record = source.type.get_canonical().get_pointee().get_canonical().get_declaration()
                found[record.canonical.hash] = record
            elif source.kind.name == "UNARY_OPERATOR" and clang.unary(source) == "&":
                operand = inside(children(source)[0])
                queue.append(operand.referenced if operand.kind.name == "DECL_REF_EXPR" else None)
            elif source.kind.name == "DECL_REF_EXPR":
                queue.append(source.referenced)
            elif source.kind.name not in ("CXX_NULL_PTR_LITERAL_EXPR", "GNU_NULL_EXPR"):
                return None
    return next(iter(found.values())) if len(found) == 1 else None


def final_overrider(method: Any, record: Any) -> Any:
    """The function that a call of a virtual one runs for an object of a class, or None if its text is not known."""
    queue = [record]
    for one in queue:
        inner = children(pattern(one))
        for child in inner:
            same = child.kind.name == "CXX_METHOD" and child.displayname == method.displayname
            if same and child.is_const_method() == method.is_const_method():
                return child
        bases = (c.type.get_declaration() for c in inner if c.kind.name == "CXX_BASE_SPECIFIER")
        queue += [base for base in bases if base not in queue]  # a template may be its own base
    return None


def _sources(variable: Any, function: Any) -> list[Any] | None:
    """The expressions whose values a variable gets, or None if something else may change it."""
    is_reference = variable.type.get_canonical().kind.name == "LVALUEREFERENCE"
    sources = [child for child in children(variable) if child.kind.is_expression()]
    stack = [(function, None)]
    while stack:
        node, parent = stack.pop()
        inner = children(node)
        stack += [(child, node) for child in inner]
        if node.kind.name == "VARIABLE_REF" and node.referenced == variable:
            return None  # a closure captures it
        if node.kind.name != "DECL_REF_EXPR" or node.referenced != variable or is_reference:
            continue
        assert parent is not None
        extent = (parent.extent.start.offset, parent.extent.end.offset)
        is_read = parent.kind.name == "UNEXPOSED_EXPR" and extent == (node.extent.start.offset, node.extent.end.offset)
        if is_read:
            continue
        operands = children(parent)
        if parent.kind.name != "BINARY_OPERATOR" or operands[0] != node or clang.binary(parent) != "=":
            return None
        sources.append(operands[1])
    return sources


def inside(expression: Any) -> Any:
    """An expression without conversions and parentheses around it."""
    wrapped = ("UNEXPOSED_EXPR", "PAREN_EXPR")
    while expression.kind.name in wrapped and (inner := children(expression)):
        expression = inner[-1]
    return expression

"""The functions of a C++ unit, and what their bodies mention."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from ..base.patterns import regex
from ..base.records import dataclass, field
from ..c.analysis.device_library import library_name
from ..c.source.gnu_text import is_barrier
from ..c.source.tokens import closing, has_word, next_token
from . import libclang
from .declarations import Declarations
from .dynamic_types import certain_class, class_behind, final_overrider, inside
from .reading import clang
from .text_constructs import ASKED, CxxType, Variable, typedef_before
from .type_names import FUNCTIONS

_ELEMENT = regex(r"(?!.*\b(?:alignas|volatile|const)\b)[\w:]+(?:[\w:\s*]|<.*>)*", re.DOTALL)
_CALL = regex(r"\s*(?:\.\s*\w+\s*)?\(")  # of an object in front of it, or of a method of it
ITERATING = ("operator++", "operator!=", "operator==")  # what a loop over a range asks of iterators, besides "*"
_LITERAL = 'operator""'  # of a literal of the user's


@dataclass(frozen=True)
class Reference:
    """A mention of a variable. It ``is_read`` if the value is taken and nothing else, or ``is_assigned``. ``qualifier``
    is what stands before the name, such as ``app::``."""

    start: int
    end: int
    variable: Variable
    is_read: bool
    is_assigned: bool
    qualifier: int


@dataclass(frozen=True)
class Mentions:
    """What the body of a function mentions.

    ``calls`` are the places and the declarations of what it calls, ``overloads`` those of what names in a template may
    mean, ``odd`` the places of what device code cannot do, and ``this`` the places of what is used through ``this``,
    with the name of the member or, for the object itself, nothing. ``bindings`` are the mentions of structured
    bindings, with the places of their declarations. ``deleted`` are the classes of objects that ``delete`` ends,
    and whether they are certain, ``made`` the places of ``new``, and ``by_pointer`` those of calls through pointers.
    ``open_calls`` are these calls, and those of which only instantiations know what they call.
    ``addressed`` are functions that are named otherwise than to call them, and where.
    ``named_classes`` are the places of virtual functions' names in calls that have to name the class, too,
    and ``casts`` are those of pointers to such objects, with the pointer's name and the cast to the class. ``by_table``
    are the places of the calls in which the object has to tell the function, with a function and the object's pointer.
    ``thrown`` are where what throws, or calls ``std::terminate``, begins and ends, and ``lambdas`` where lambdas do, of
    which ``generic`` are those whose operator is a template. ``temporaries`` are expressions that perhaps make an
    object. ``steps`` are ``++`` and ``--`` of narrow signed integers, in other words: stretches, and the texts in their
    place. ``open_steps`` are those of variables whose type depends on a template's parameters, by where the expression
    begins.
    ``objects`` are where values that are parameters of templates are called, or their methods.
    ``variables`` are all that is declared, by name: the place, the declaration, and where its scope begins and ends.
    """

    references: list[Reference] = field(default_factory=list)
    calls: list[tuple[int, Any]] = field(default_factory=list)
    overloads: list[tuple[int, Any]] = field(default_factory=list)
    this: list[tuple[int, str]] = field(default_factory=list)
    odd: list[tuple[int, str]] = field(default_factory=list)
    local_types: list[tuple[int, Variable]] = field(default_factory=list)
    declared: list[tuple[int, Any]] = field(default_factory=list)
    temporaries: list[tuple[int, Any]] = field(default_factory=list)
    steps: list[tuple[int, int, str]] = field(default_factory=list)
    open_steps: dict[int, list[tuple[int, int, str]]] = field(default_factory=dict)
    deleted: list[tuple[int, Any, bool]] = field(default_factory=list)
    made: list[int] = field(default_factory=list)
    by_pointer: list[int] = field(default_factory=list)
    open_calls: list[tuple[int, Any]] = field(default_factory=list)
    addressed: list[tuple[int, Any]] = field(default_factory=list)
    bindings: list[tuple[int, int, str]] = field(default_factory=list)
    named_classes: dict[int, str] = field(default_factory=dict)
    casts: dict[int, tuple[str, str]] = field(default_factory=dict)
    by_table: dict[int, tuple[Any, str]] = field(default_factory=dict)
    thrown: list[tuple[int, int]] = field(default_factory=list)
    lambdas: list[tuple[int, int]] = field(default_factory=list)
    generic: list[tuple[int, int]] = field(default_factory=list)
    objects: list[tuple[int, int]] = field(default_factory=list)
    variables: dict[str, list[tuple[int, Any, int, int]]] = field(default_factory=dict)


THROWS = "throws an exception"
NARROW_SIGNED = {"CHAR_S": "char", "SCHAR": "signed char", "SHORT": "short"}  # by the kinds of libclang
# What ends the program, which device code cannot do. CUDA declares these functions for the host only.
_ENDING = frozenset(("exit", "_Exit", "quick_exit"))


@dataclass(frozen=True)
class Function:
    """A function, method or function template of the user's that is defined in the unit.

    ``start`` and ``end`` are the offsets of its definition, and ``body`` that of its brace, in front of which ``try``
    may stand.
    """

    unit: Declarations = field(repr=False)
    cursor: Any
    name: str
    start: int
    end: int
    body: int
    is_member: bool
    is_template: bool
    is_constexpr: bool

    def __hash__(self) -> int:
        return self.start

    @cached_property
    def is_of_function(self) -> bool:
        """Whether it is a method of a function's class."""
        around = self.cursor.semantic_parent
        while around is not None and around.kind in self.unit.classes:
            around = around.semantic_parent
        return self.is_member and around is not None and around.kind.name in FUNCTIONS

    @cached_property
    def mentions(self) -> Mentions:
        """What its body mentions, which is read when somebody asks for the first time."""
        return _read(self.unit, self)

    def references(self, start: int, end: int) -> list[Reference]:
        """The mentions of variables in a stretch of it."""
        return [r for r in self.mentions.references if start <= r.start < end]


def may_be_shared(unit: Declarations, function: Function) -> bool:
    """Whether other units may have a function's code, too, of which the linker keeps one: templates, methods and inline
    functions."""
    written = (function.cursor, function.cursor.canonical)
    head = " ".join(unit.text[unit.extent(cursor)[0] : unit.place(cursor.location)] for cursor in written)
    return function.is_template or function.is_member or has_word(head, "inline", "constexpr", "consteval")


def _is_long_double(unit: Declarations, function: Function, cursor: Any) -> bool:
    """Whether an expression computes with 'long double', or an object has this type, which has 16 bytes in host code.

    A literal has the value that is meant, also one of the user's: their operators cannot have other floating types.
    """
    k = unit.kinds
    if not cursor.kind.is_expression() or cursor.kind in (k.FLOATING_LITERAL, k.UNEXPOSED_EXPR, k.PAREN_EXPR):
        return False
    called = cursor.referenced if cursor.kind == k.CALL_EXPR else None
    of_literal = function.name.startswith(_LITERAL) or (called is not None and called.spelling.startswith(_LITERAL))
    return not of_literal and cursor.type.get_canonical().kind == unit.types.LONGDOUBLE


def _read(unit: Declarations, function: Function) -> Mentions:
    found = Mentions()
    k = unit.kinds
    odd = {
        k.CXX_THROW_EXPR: THROWS,
        k.CXX_TRY_STMT: "has a 'try' block",
        k.CXX_DYNAMIC_CAST_EXPR: "has a 'dynamic_cast'",
        k.CXX_TYPEID_EXPR: "has a 'typeid'",
    }
    classes = (
        k.CLASS_DECL, k.STRUCT_DECL, k.UNION_DECL, k.ENUM_DECL, k.TYPEDEF_DECL, k.TYPE_ALIAS_DECL,
        k.USING_DECLARATION, k.USING_DIRECTIVE, k.NAMESPACE_ALIAS,
    )  # fmt: skip
    callees: set[tuple[int, int]] = set()
    stack: list[tuple[Any, Any, Any]] = [(function.cursor, None, function.cursor)]
    while stack:
        cursor, parent, scope = stack.pop()
        kind = cursor.kind
        named = [cursor] if kind in (k.VAR_DECL, k.PARM_DECL) else []
        for one in libclang.brought(cursor) if kind == k.USING_DECLARATION else named:
            start = unit.extent(cursor)[0]
            low, high = (start, len(unit.text) + 1) if scope is function.cursor else unit.extent(scope)
            found.variables.setdefault(one.spelling, []).append((start, one, low, high))
        if kind == k.DECL_REF_EXPR or (kind == k.MEMBER_REF_EXPR and _is_static(unit, cursor)):
            _reference(unit, found, cursor, parent)
        elif kind == k.CALL_EXPR and _terminates(cursor.referenced):
            found.thrown.append(unit.extent(cursor))  # device code ends as by what nobody catches
            continue
        elif kind == k.CALL_EXPR:
            place = unit.place(cursor.extent.start)
            if is_by_pointer(unit, cursor):
                found.by_pointer.append(place)
            if is_by_pointer(unit, cursor) or cursor.type.kind.name == "DEPENDENT":
                found.open_calls.append((place, cursor))
            if (called := cursor.referenced) is not None:
                found.calls.append((place, called))
                callees.add((place, called.canonical.hash))
                if what := _of_the_host(called):
                    found.odd.append((place, f"calls {what}"))
                note_virtual_call(unit, found, cursor)
        elif kind == k.UNARY_OPERATOR and cursor.type.get_canonical().kind.name in NARROW_SIGNED:
            found.steps.extend(_step(unit, cursor, parent))
        elif kind == k.UNARY_OPERATOR and cursor.type.kind.name == "DEPENDENT":
            found.open_steps[unit.extent(cursor)[0]] = list(_open_step(unit, cursor))
        elif kind == k.CXX_NEW_EXPR:
            found.made.append(unit.place(cursor.extent.start))
        elif kind == k.CXX_DELETE_EXPR:
            found.deleted.extend((unit.place(cursor.extent.start), *one) for one in deleted_by(cursor))
        elif kind == k.OVERLOADED_DECL_REF:
            found.overloads.extend((unit.place(cursor.extent.start), one) for one in libclang.overloads(cursor))
        elif kind == k.CXX_THIS_EXPR:
            member = parent is not None and parent.kind == k.MEMBER_REF_EXPR and _is_field(unit, parent)
            found.this.append((unit.place(cursor.extent.start), parent.spelling if member else ""))
        elif kind == k.CXX_FOR_RANGE_STMT:
            for target in of_range(unit, cursor):
                found.calls.append((unit.place(cursor.extent.start), target))
                note_virtual_call(unit, found, cursor, target)
        elif kind == k.VAR_DECL:
            found.declared.append((unit.place(cursor.extent.start), cursor))
            if is_of_run(unit, cursor) and stored_array(unit, cursor) is None:
                what = f"declares '{cursor.spelling}', an array of variable length, in this way"
                found.odd.append((unit.place(cursor.location), what))
        elif kind == k.LAMBDA_EXPR:
            found.lambdas.append(unit.extent(cursor))
            if _is_generic(unit, cursor):
                found.generic.append(unit.extent(cursor))
        elif kind == k.ASM_STMT and not is_barrier(unit.text[slice(*unit.extent(cursor))]):
            found.odd.append((unit.place(cursor.extent.start), "has inline assembly"))
        elif kind == k.CXX_THROW_EXPR and (parent.kind.is_statement() or parent.kind == k.UNEXPOSED_EXPR):
            found.thrown.append(unit.extent(cursor))
            continue  # device code does not make the exception
        elif kind in odd:
            found.odd.append((unit.place(cursor.extent.start), odd[kind]))
        elif kind == k.TYPEDEF_DECL and cursor.spelling.startswith(ASKED):
            continue  # which a clause asks, and not the body
        elif kind in classes:
            start, end = unit.extent(cursor)
            start = typedef_before(unit.text, start)  # one declaration declares the type and its other name
            name = "namespace" if kind == k.USING_DIRECTIVE else cursor.spelling
            local = Variable(name, CxxType(name, "other"), cursor, start, end)
            local.names_type = True
            found.local_types.append((start, local))
        if unit.has_gcc_complex and kind.is_expression() and cursor.type.get_canonical().kind == unit.types.COMPLEX:
            place = unit.place(cursor.extent.start)
            found.odd.append((place, "computes with complex numbers that are not std::complex"))
        if unit.has_long_double and _is_long_double(unit, function, cursor):
            found.odd.append((unit.place(cursor.extent.start), "computes with 'long double'"))
        if may_be_temporary(unit, cursor):
            found.temporaries.append((unit.place(cursor.extent.start), cursor))
        children = libclang.children(cursor)
        if kind == k.MEMBER_REF_EXPR and _is_of_this(unit, cursor):
            name = cursor.spelling if _is_field(unit, cursor) else ""
            found.this.append((unit.place(cursor.extent.start), name))
        scope = scope if kind in (k.DECL_STMT, k.LABEL_STMT, k.CASE_STMT, k.DEFAULT_STMT) else cursor
        stack += [(child, cursor, scope) for child in children]
    # The methods of local classes have other objects.
    inner = [v for _, v in found.local_types if v.cursor.kind in unit.classes]
    found.this[:] = [one for one in found.this if not any(v.start <= one[0] < v.end for v in inner)]
    found.odd[:] = [one for one in found.odd if one[0] not in unit.unevaluated] if found.odd else []
    found.addressed[:] = [one for one in found.addressed if (one[0], one[1].canonical.hash) not in callees]
    of_run = (r for r in found.references if r.variable.is_variable_length and r.start in unit.unevaluated)
    what = "asks for the size or the type of '{}', an array of variable length"
    found.odd.extend((r.start, what.format(r.variable.name)) for r in of_run)
    for variables in found.variables.values():
        variables.sort(key=lambda one: one[0])
    return found


def _is_of_this(unit: Declarations, member: Any) -> bool:
    """Whether the object of a member is the one that nothing names: ``n``, ``f`` in ``f<3>(x)``."""
    k = unit.kinds
    for child in libclang.children(member):
        if child.kind == k.OVERLOADED_DECL_REF:  # in a template, the name of the member itself
            return not all(one.is_static_method() for one in libclang.overloads(child))
        if child.kind not in (k.TYPE_REF, k.TEMPLATE_REF):
            return False
    return True


def _is_generic(unit: Declarations, made: Any) -> bool:
    """Whether the operator of a lambda expression's closure is a template."""
    behind = next_token(unit.text, closing(unit.text, unit.extent(made)[0]))
    parameters = (child for child in libclang.children(made) if child.kind == unit.kinds.PARM_DECL)
    return unit.text[behind] == "<" or any("auto" in one.type.spelling for one in parameters)


def is_of_run(unit: Declarations, cursor: Any) -> bool:
    """Whether a variable is an array whose length only the run knows."""
    return bool(cursor.type.get_canonical().kind == unit.types.VARIABLEARRAY)


def stored_array(unit: Declarations, cursor: Any) -> tuple[int, int, str] | None:
    """Where the declaration of an array of variable length begins and ends, and what stands there in device code: the
    storage and a pointer to it. None where that is not the same."""
    (start, end), at, name = unit.extent(cursor), unit.place(cursor.location), cursor.spelling
    element, length = unit.text[start:at].strip(), unit.text[at + len(name) : end].strip()
    is_plain = _ELEMENT.fullmatch(element) is not None and closing(length, 0) == len(length)
    if not is_plain or unit.text[next_token(unit.text, end)] != ";" or unit.text[at : at + len(name)] != name:
        return None
    storage = f"{name}__rex_storage"
    why = "elements of arrays of variable length have no constructors here"
    plain = f'static_assert(__is_trivial({element}), "{why}"); '
    made = f"rex_local_array<{element}> {storage}({length[1:-1]}); {element} *{name} = {storage}.elements"
    return start, end, plain + made


def _step(unit: Declarations, cursor: Any, parent: Any) -> Iterator[tuple[int, int, str]]:
    """What stands in place of ``++`` and ``--``, of which nvcc 13 assumes that they stay in range; a sum does not."""
    operator = clang.unary(cursor)
    if operator.strip("p") not in ("++", "--"):
        return
    (start, end), (first, last) = unit.extent(cursor), unit.extent(libclang.children(cursor)[-1])
    before, after = "", f" {operator[-1]}= 1"
    if parent is None or parent.kind not in (unit.kinds.COMPOUND_STMT, unit.kinds.FOR_STMT):
        is_new = operator in ("++", "--")
        name = NARROW_SIGNED[cursor.type.get_canonical().kind.name]
        before = "(" if is_new else f"({name})(("
        after += ")" if is_new else f") {'-' if operator == 'p++' else '+'} 1)"
    yield start, first, before
    yield last, end, after


def _open_step(unit: Declarations, cursor: Any) -> Iterator[tuple[int, int, str]]:
    """The same by functions of the device library, which step what is no narrow integer as the program does."""
    operator, operand = clang.unary(cursor), libclang.children(cursor)[-1]
    if operator.strip("p") in ("++", "--") and operand.kind == unit.kinds.DECL_REF_EXPR:
        (start, end), (first, last) = unit.extent(cursor), unit.extent(operand)
        name = "rex_step_behind" if operator[0] == "p" else "rex_step"
        yield start, first, f"{name}<{1 if operator[-1] == '+' else -1}>("
        yield last, end, ")"


def may_be_temporary(unit: Declarations, cursor: Any) -> bool:
    """Whether an expression perhaps makes an object of a class of the user's, which nothing names."""
    k = unit.kinds
    if cursor.kind not in (k.CALL_EXPR, k.CXX_FUNCTIONAL_CAST_EXPR, k.INIT_LIST_EXPR):
        return False
    kind = cursor.type.get_canonical()
    if kind.kind != unit.types.RECORD or not libclang.is_users(kind.get_declaration()):
        return False
    called = cursor.referenced if cursor.kind == k.CALL_EXPR else None
    return called is None or not libclang.is_reference(called.result_type)


def _terminates(called: Any) -> bool:
    """Whether a function is ``std::terminate``."""
    return called is not None and called.spelling == "terminate" and not libclang.is_users(called)


def _of_the_host(called: Any) -> str:
    """What device code cannot call, or an empty text."""
    if owner := libclang.host_class(called):
        return f"a function of std::{owner}"
    name = called.spelling
    of_openmp = called.kind.name == "FUNCTION_DECL" and name.startswith("omp_") and library_name(name) is None
    return f"'{name}'" if (of_openmp or name in _ENDING) and not libclang.is_users(called) else ""


def is_by_pointer(unit: Declarations, call: Any) -> bool:
    """Whether a call is one through a pointer to a function. Of others in a template, the instantiation has to tell."""
    k, called = unit.kinds, call.referenced
    if called is None:
        return bool(call.type.kind.name != "DEPENDENT")
    values = (k.VAR_DECL, k.PARM_DECL, k.FIELD_DECL, k.TEMPLATE_NON_TYPE_PARAMETER)
    return called.kind in values and libclang.behind(called.type).kind == unit.types.FUNCTIONPROTO


def note_virtual_call(
    unit: Declarations, found: Mentions, cursor: Any, called: Any = None, *, in_instance: bool = False
) -> None:
    """Note a call of a virtual function of the user's. An object of the host leads to the host's table of them, so
    the call must name the function, and the object's class must be certain for that."""
    called = called or cursor.referenced
    if called is None or called.kind != unit.kinds.CXX_METHOD or not called.is_virtual_method():
        return
    if not libclang.is_users(called):
        return
    record, pointer = certain_class(cursor) or (None, None)
    name, place = (record or "").removesuffix("<>"), -1
    if record:
        place = unit.place(libclang.children(cursor)[0].location)
        if in_instance and (name != record or pointer is not None) and place not in found.named_classes:
            record = None  # in the template, the name alone means no class
        elif pointer is not None:
            found.casts[unit.place(pointer.extent.start)] = _cast_to(pointer)
            if (last := final_overrider(called, class_behind(pointer))) is not None:
                found.calls.append((unit.place(cursor.extent.start), last))
    if record is None or (record and found.named_classes.setdefault(place, name) != name):
        found.odd.append((at := unit.place(cursor.extent.start), f"calls the virtual function '{called.spelling}'"))
        found.by_table[at] = called, _pointer_to_object(unit, cursor)


def _pointer_to_object(unit: Declarations, call: Any) -> str:
    """The name of the variable that points or refers to the object of a method's call, or an empty text."""
    member = next(iter(libclang.children(call)), None)
    parts = libclang.children(member) if member is not None else []
    named = inside(parts[0]) if parts else None
    while named is not None and named.kind == unit.kinds.UNARY_OPERATOR and clang.unary(named) == "*":
        named = inside(libclang.children(named)[0])
    return str(named.spelling) if named is not None and named.kind == unit.kinds.DECL_REF_EXPR else ""


def _cast_to(pointer: Any) -> tuple[str, str]:
    """(the name of a pointer or reference, the same with the class of the object to which it leads)"""
    record = class_behind(pointer).type.get_canonical().spelling
    kind = pointer.type.get_canonical()
    is_pointer = kind.kind.name == "POINTER"
    const = "const " if (kind.get_pointee() if is_pointer else kind).is_const_qualified() else ""
    return pointer.spelling, f"static_cast<{const}{record} {'*' if is_pointer else '&'}>({pointer.spelling})"


def deleted_by(cursor: Any) -> list[tuple[Any, bool]]:
    """(the class of the object that a ``delete`` ends, whether it is certain)"""
    operand = next((c for c in libclang.children(cursor) if c.kind.is_expression()), None)
    if operand is not None and (certain := class_behind(inside(operand))) is not None:
        return [(certain, True)] if libclang.is_users(certain) else []
    kind = operand.type.get_canonical() if operand is not None else None
    record = kind.get_pointee().get_canonical().get_declaration() if kind is not None else None
    return [(record, False)] if record is not None and libclang.is_users(record) else []


def of_range(unit: Declarations, loop: Any) -> Iterator[Any]:
    """The user's functions that a range-based loop calls without naming them: those that give the iterators, and
    methods and friends of these that are operators. ``*`` is in the value of the loop's variable."""
    k = unit.kinds
    declared = next((child for child in libclang.children(loop) if not child.kind.is_expression()), None)
    begin = libclang.hidden(declared, "__begin") if declared is not None else None
    calls = libclang.descendants(begin, k.CALL_EXPR) if begin is not None else []
    giving = next((one.referenced for one in calls if one.spelling == "begin"), None)
    if begin is None or giving is None:
        return
    yield giving
    scopes = [(giving.semantic_parent, ("end",)), (begin.type.get_canonical().get_declaration(), ITERATING)]
    for record, names in scopes:
        is_class = record.kind in unit.classes and libclang.is_users(record)
        for member in libclang.children(libclang.pattern(record)) if is_class else ():
            if member.kind == k.CXX_BASE_SPECIFIER:
                scopes.append((member.type.get_canonical().get_declaration(), names))
            for one in libclang.children(member) if member.kind == k.FRIEND_DECL else (member,):
                if one.kind in (k.CXX_METHOD, k.FUNCTION_DECL, k.FUNCTION_TEMPLATE) and one.spelling in names:
                    yield one


def _is_field(unit: Declarations, cursor: Any) -> bool:
    return cursor.referenced is not None and cursor.referenced.kind == unit.kinds.FIELD_DECL


def _is_static(unit: Declarations, cursor: Any) -> bool:
    """Whether an expression names a static data member by a variable of its class, or by ``this``."""
    target = cursor.referenced
    if target is None or target.kind != unit.kinds.VAR_DECL:
        return False
    objects = [inside(child) for child in libclang.children(cursor) if child.kind.is_expression()]
    return all(one.kind in (unit.kinds.DECL_REF_EXPR, unit.kinds.CXX_THIS_EXPR) for one in objects)


# ">>" is missing, as a stream's changes its operand.
_OPERATORS = frozenset(("+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "&", "|", "^", "<<"))


_STEPS = ("++", "--")
_ASSIGNING = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))


def _takes_value(unit: Declarations, parent: Any, cursor: Any) -> bool:
    """Whether an expression of a dependent type takes the value of a variable in it: it converts it, or calculates.

    A function of the user's could change the variable all the same. Then the kernel, where it is constant, does not
    compile.
    """
    k = unit.kinds
    if parent is None or libclang.is_reference(parent.type):
        return False
    children = libclang.children(parent)
    if parent.kind in (k.VAR_DECL, k.CXX_STATIC_CAST_EXPR, k.CSTYLE_CAST_EXPR, k.CXX_FUNCTIONAL_CAST_EXPR):
        return bool(children[0].kind == k.TYPE_REF and len(children) == 2)
    if parent.kind == k.CALL_EXPR:  # T(n)
        return [c.kind for c in children] == [k.TYPE_REF, k.DECL_REF_EXPR]
    if parent.kind not in (k.BINARY_OPERATOR, k.COMPOUND_ASSIGNMENT_OPERATOR) or len(children) != 2:
        return False
    operator = clang.binary(parent)
    return operator in _OPERATORS or (operator.endswith("=") and unit.extent(children[1]) == unit.extent(cursor))


def _assigns(parent: Any, cursor: Any) -> bool:
    """Whether an expression assigns the variable that is an operand of it."""
    match parent.kind.name if parent is not None else "":
        case "UNARY_OPERATOR":
            return clang.unary(parent).strip("p") in _STEPS
        case "BINARY_OPERATOR" | "COMPOUND_ASSIGNMENT_OPERATOR":
            operator = clang.binary(parent)
        case "CALL_EXPR":
            operator = str(parent.spelling).removeprefix("operator")
        case _:
            return False
    return (operator in _STEPS or operator in _ASSIGNING) and libclang.children(parent)[0] == cursor


def _reference(unit: Declarations, found: Mentions, cursor: Any, parent: Any) -> None:
    k = unit.kinds
    target = cursor.referenced
    if target is None:
        return
    if target.kind in (k.FUNCTION_DECL, k.CXX_METHOD, k.FUNCTION_TEMPLATE):
        found.calls.append((unit.place(cursor.extent.start), target))
        if not target.spelling.startswith("operator"):
            found.addressed.append(found.calls[-1])
        note_virtual_call(unit, found, cursor)
    if target.kind == k.UNEXPOSED_DECL and libclang.is_users(target):
        place, declared = unit.place(cursor.extent.start), unit.place(target.location)
        behind = next_token(unit.text, declared + len(cursor.spelling))
        if unit.text[behind] in ",]":  # else it is a variable template, which libclang has no other name for
            found.bindings.append((place, declared, cursor.spelling))
    start, end = unit.extent(cursor)
    is_value = target.kind == k.TEMPLATE_NON_TYPE_PARAMETER
    is_object = is_value and target.type.get_canonical().kind.name in ("AUTO", "RECORD", "UNEXPOSED")
    if is_object and _CALL.match(unit.text, end) is not None:
        found.objects.append((start, end))
    if target.kind not in (k.VAR_DECL, k.PARM_DECL):
        return
    read = (
        parent is not None
        and parent.kind == k.UNEXPOSED_EXPR
        and parent.extent.start.offset == cursor.extent.start.offset
        and parent.extent.end.offset == cursor.extent.end.offset
    )
    variable = unit.variable(target)
    # Conversions of arrays to pointers, and of objects to their bases, read nothing.
    read = read and variable.type.kind in ("scalar", "pointer")
    # In a template, where types are not known, no conversion shows that an expression reads a variable.
    read |= parent is not None and parent.kind == k.ARRAY_SUBSCRIPT_EXPR and variable.type.kind == "pointer"
    read = read or (variable.type.kind in ("scalar", "pointer") and _takes_value(unit, parent, cursor))
    qualifier = max(0, end - start - len(variable.name))
    assigned = not read and _assigns(parent, cursor)
    found.references.append(Reference(start, end, variable, read, assigned, qualifier))

"""The kinds of nodes: three unions, ``Place``, ``Expression`` and ``Statement``, which every ``match`` handles whole.

A **place** designates an object or a part of one; what C calls an lvalue. An **expression** computes a value; what a
language converts silently is a node, so an expression reads memory where there is a :class:`Load` or an
:class:`Update`, and nowhere else, and writes memory where there is a :class:`Store`, an :class:`Update` or an
initialisation. A **statement** does something. :class:`Opaque` is in all three: it is what a reader does not know.

Operators are applied to values that have been converted already, so both operands of ``+`` have its type. What C++
calls by itself (overloaded operators, conversion functions, constructors, destructors) is a :class:`Call` like others.
Subscripts and arrows are the pointers that they mean: ``p[i]`` is ``Pointee(Offset(p, i))`` where ``p`` is a pointer,
``Pointee(Offset(Decay(p), i))`` where it is an array, and ``p->m`` is ``Part(Pointee(p), m)``.

Nodes are frozen, and compare by identity: ``x + x`` has two operands. :func:`~.values.same_value` compares values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, TypeVar

from ..base.records import dataclass, field
from ..directives.model import Directive, Expr, Locator
from .symbols import Function, Label, Variable
from .types import Member, Type

Arithmetic = Literal["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"]
_N = TypeVar("_N", bound="Node")
Comparison = Literal["==", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, eq=False)
class Node:
    """The base class.

    ``origin`` is the code of which the front end made the node: a node of pycparser's tree, a range of C++ text. Only
    the front end looks into it, to print it or to say where it is. It is None for what the language does silently and
    for what the reader made.
    """

    origin: Any = field(default=None, kw_only=True, repr=False)


@dataclass(frozen=True, eq=False)
class Opaque(Node):
    """A place, an expression or a statement that the reader does not understand, for a reason.

    It may do anything to what it ``mentions`` and to all that can be reached from there, in any order and any number
    of times: read, write, call, keep addresses. With ``jumps`` it may also leave its statement, to any label, or for
    good. What it mentions is every place and expression that the reader found in it, or None if it may name every
    variable that is visible there, as inline assembly. Of the variables that are ``read`` it only takes the values. If
    it is ``inside``, it does nothing but find a part of the first place that it mentions, or the address of one.
    """

    type: Type
    why: str
    mentions: tuple[Node, ...] | None = ()
    jumps: bool = False
    read: frozenset[Variable] = frozenset()
    inside: bool = False


# -- places ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Named(Node):
    """The object that a variable names. For a C++ reference it is the pointer; what it refers to is a Pointee of it."""

    type: Type
    variable: Variable


@dataclass(frozen=True, eq=False)
class Pointee(Node):
    """What a pointer points to: ``*p``, ``p[i]``, what a reference refers to, what ``this`` leads to."""

    type: Type
    pointer: Expression


@dataclass(frozen=True, eq=False)
class Part(Node):
    """A member of a record, an unnamed record on the way to it, or the part that is a base class. It may be a
    bit-field."""

    type: Type
    whole: Place
    member: Member


@dataclass(frozen=True, eq=False)
class Temporary(Node):
    """An object that an expression makes: C's compound literals, C++'s materialised temporaries.

    Evaluating the place initialises the ``variable``. It lives to the end of the block in C, and in C++ to the end of
    the full expression, where a :class:`Ending` says which destructors are called, or as long as the reference that it
    is bound to.
    """

    type: Type
    variable: Variable
    initialiser: Expression


# -- expressions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Constant(Node):
    """A number, a character, a truth value, an enumerator, ``sizeof``, or a null pointer (0). An integer is an ``int``.
    The value is None if it is constant but not known."""

    type: Type
    value: int | float | None


@dataclass(frozen=True, eq=False)
class Load(Node):
    """The value of a place: an lvalue becomes a value. It reads the place's bytes. A whole record may be loaded, and a
    string literal that is the beginning of an array."""

    type: Type
    place: Place


@dataclass(frozen=True, eq=False)
class AddressOf(Node):
    """A pointer to a place: ``&x``, and what is bound to a C++ reference. Neither reads the place."""

    type: Type
    place: Place


@dataclass(frozen=True, eq=False)
class Decay(Node):
    """A pointer to the first element of a place that is an array. It does not read the array."""

    type: Type
    array: Place


@dataclass(frozen=True, eq=False)
class FunctionAddress(Node):
    """A pointer to a function, as the function's name becomes one."""

    type: Type
    function: Function


@dataclass(frozen=True, eq=False)
class Convert(Node):
    """A value as another type: promotions, casts, and all conversions that the language makes itself.

    Between numbers it is C's conversion; to a truth value it asks whether the value is not zero. Between pointers and
    between pointers and integers it keeps the bits. A pointer to a base class is no conversion but the address of a
    Part. To ``void`` it drops the value. ``written`` says that it is a cast in the program.
    """

    type: Type
    value: Expression
    written: bool = False


@dataclass(frozen=True, eq=False)
class Unary(Node):
    """``-x``, ``~x``, ``!x``, and the real and imaginary part of a complex number or its conjugate (``~``).

    The operand has been promoted. ``!`` asks whether a scalar value is zero.
    """

    type: Type
    operator: Literal["-", "~", "!", "real", "imag"]
    operand: Expression


@dataclass(frozen=True, eq=False)
class Binary(Node):
    """An operation on two values of one type, which is also the result's; a comparison has a truth value or ``int``.

    Of a shift, the right operand has a type of its own. Pointers of one type may be compared. The operands are
    evaluated in any order.
    """

    type: Type
    operator: Arithmetic | Comparison
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False)
class Offset(Node):
    """A pointer ``index`` elements further, or ``backward``: ``p + i``, ``p - i``, ``p[i]``. The index has any type.

    An element has the size of the type that the pointer's type points to, which may have variable length.
    """

    type: Type
    pointer: Expression
    index: Expression
    backward: bool = False


@dataclass(frozen=True, eq=False)
class Distance(Node):
    """How many elements lie between two pointers: ``left - right``."""

    type: Type
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False)
class ShortCircuit(Node):
    """``&&`` and ``||`` of scalar values. The right operand is evaluated second, if the left one leaves it open."""

    type: Type
    operator: Literal["&&", "||"]
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False)
class Conditional(Node):
    """``c ? x : y``. First the condition is evaluated, then one of the others.

    As a place (C++), it is the Pointee of a Conditional of two addresses. GNU's ``x ?: y``, which evaluates ``x`` once,
    has a Temporary.
    """

    type: Type
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, eq=False)
class Sequence(Node):
    """Expressions one after the other, of which the last one is the value: the comma operator."""

    type: Type
    parts: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Store(Node):
    """``place = value``. The value is converted to the place's type already, and is the value of the expression, cut to
    its bits for a bit-field.

    Assigning a whole record copies it. C++'s assignment operators that a user wrote are calls.
    """

    type: Type
    place: Place
    value: Expression


@dataclass(frozen=True, eq=False)
class Update(Node):
    """``place op= value``, ``++place`` and ``place--``: the place is evaluated once, read, and written.

    The old value is converted to ``computed`` (what ``place op value`` would have as its type), the operation is done
    there, and the result is converted back to the place's type. The value has the type ``computed`` already, except a
    shift's and the index that a pointer is moved by. The expression's value is the new one, or the ``old`` one.
    """

    type: Type
    place: Place
    operator: Arithmetic
    value: Expression
    computed: Type
    old: bool = False


@dataclass(frozen=True, eq=False)
class Aggregate(Node):
    """A record or array made of ``parts``, built where it is stored or initialises: initialisers in braces, closures.

    A part says which members and elements lead to it, and what stands there; of a string literal that an array begins
    with, nothing leads to it. They are evaluated in this order in C++, and in any order in C. What no part says is
    zero; or has no value, with ``rest`` False.
    """

    type: Type
    parts: tuple[tuple[tuple[Member | int, ...], Expression], ...]
    rest: bool = True


@dataclass(frozen=True, eq=False)
class Call(Node):
    """A call. The ``callee`` is a FunctionAddress, or any pointer to a function; the arguments are converted already.

    A method gets the address of its object as the first argument, and a reference parameter the address of what it is
    bound to. A function that returns a reference is called for a pointer, of which the Pointee is taken. Arguments and
    callee are evaluated in any order, then the function runs. With ``constructs``, it is a constructor, and the
    expression is the object that it initialises: a Declare's, a Temporary's, a part of an Aggregate; its first argument
    is left out. A ``virtual`` call may reach another function than the callee.
    """

    type: Type
    callee: Expression
    arguments: tuple[Expression, ...]
    constructs: bool = False
    virtual: bool = False


@dataclass(frozen=True, eq=False)
class Ending(Node):
    """A full expression at the end of which temporaries end: ``value``, then the calls of destructors in ``ends``."""

    type: Type
    value: Expression
    ends: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class StatementValue(Node):
    """GNU's ``({ … })``: the statements run, then the value is computed; None is ``void``."""

    type: Type
    body: Block
    value: Expression | None


# -- statements -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Compound(Node):
    """A statement with others in it, which is walked many times: what there is below it is found once."""

    @cached_property
    def below(self) -> list[Node]:
        """It and all nodes in it, each before what is in it."""
        return _all_below(self)

    @cached_property
    def kinds(self) -> Mapping[type[Node], list[Any]]:
        """The same nodes by their classes."""
        found: dict[type[Node], list[Node]] = {}
        for node in self.below:
            if node.__class__ in found:
                found[node.__class__].append(node)
            else:
                found[node.__class__] = [node]
        return found


@dataclass(frozen=True, eq=False)
class Block(Compound):
    """Statements one after the other, with a scope of their own. An empty one does nothing."""

    statements: tuple[Statement, ...]


@dataclass(frozen=True, eq=False)
class Declare(Node):
    """A local variable begins, here and each time that control comes here.

    Without an initialiser it has no value yet. A static variable is no Declare: it lives before the program begins (in
    C++ a static local with a constructor is Opaque). ``end`` is evaluated when control leaves the block around it, in
    whatever way, in the reverse order of the declarations: a destructor's call, GNU's ``cleanup``.
    """

    variable: Variable
    initialiser: Expression | None
    end: Expression | None = None


@dataclass(frozen=True, eq=False)
class Evaluate(Node):
    """An expression as a statement. Its value is dropped."""

    expression: Expression


@dataclass(frozen=True, eq=False)
class If(Compound):
    """The condition is a scalar, compared with zero. C++'s declarations in conditions stand in a Block around it."""

    condition: Expression
    then: Statement
    otherwise: Statement | None


@dataclass(frozen=True, eq=False)
class Loop(Compound):
    """``for``, ``while`` and, with ``body_first``, ``do … while``.

    ``start`` runs once; if it declares several variables, it is a Block. What it declares lives as long as the loop.
    The condition stands in front of each iteration, but not of the first one with ``body_first``; None holds always.
    ``continue`` comes to ``step``, which stands behind each iteration. C++'s loops over a range are what the standard
    says they mean: a Block with a Loop.
    """

    start: Statement | None
    condition: Expression | None
    step: Expression | None
    body: Statement
    body_first: bool = False


@dataclass(frozen=True, eq=False)
class Switch(Compound):
    """``switch``: control goes to the Case in the body that has the value, or to the one without values, or on."""

    value: Expression
    body: Statement


@dataclass(frozen=True, eq=False)
class Case(Node):
    """A place in a Switch's body that control goes to for these values, or, if None, for all others (``default``)."""

    values: range | None


@dataclass(frozen=True, eq=False)
class Target(Node):
    """The place of a label. Control comes here from what is in front of it, and from each Goto with the label."""

    label: Label


@dataclass(frozen=True, eq=False)
class Goto(Node):
    """Control goes to a label; to any label of the function whose address is taken if it is None (GNU)."""

    label: Label | None


@dataclass(frozen=True, eq=False)
class Break(Node):
    """Control leaves the nearest Loop or Switch around it."""


@dataclass(frozen=True, eq=False)
class Continue(Node):
    """Control goes to the step of the nearest Loop around it."""


@dataclass(frozen=True, eq=False)
class Return(Node):
    """Control leaves the function, with a value of its result's type (an address if it returns a reference)."""

    value: Expression | None


@dataclass(frozen=True, eq=False)
class ListItem:
    """An item of a clause's list, and the place that its name alone designates: a variable, or a member of ``this``.
    No access of that place is meant, so it is no part of the construct's tree."""

    locator: Locator
    place: Place


@dataclass(frozen=True, eq=False)
class Construct(Compound):
    """An OpenMP directive and its statement, which is None for one that stands alone.

    ``expressions`` are all expressions in its clauses, and in the subscripts and sections of its list items, as values,
    each with the clause's own form of it. They are evaluated when control comes to the construct. ``items`` are its
    list items. What the construct means, this tree does not say.
    """

    directive: Directive
    expressions: tuple[tuple[Expr, Expression], ...]
    items: tuple[ListItem, ...]
    body: Statement | None

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that its list items name."""
        places = (walk(item.place) for item in self.items)
        return tuple(dict.fromkeys(n.variable for nodes in places for n in nodes if isinstance(n, Named)))


Place = Named | Pointee | Part | Temporary | Opaque
Expression = (
    Constant
    | Load
    | AddressOf
    | Decay
    | FunctionAddress
    | Convert
    | Unary
    | Binary
    | Offset
    | Distance
    | ShortCircuit
    | Conditional
    | Sequence
    | Store
    | Update
    | Aggregate
    | Call
    | Ending
    | StatementValue
    | Opaque
)
Statement = (
    Block
    | Declare
    | Evaluate
    | If
    | Loop
    | Switch
    | Case
    | Target
    | Goto
    | Break
    | Continue
    | Return
    | Construct
    | Opaque
)


_NODES = ("Expression", "Place", "Statement", "Block", "Node")  # what fields say that have nodes


@dataclass(frozen=True)
class Body:
    """A function that the unit defines, with its parameters in order (a method's first one is ``this``)."""

    function: Function
    parameters: tuple[Variable, ...]
    statement: Block


class _Parts(dict[Any, tuple[tuple[str, int], ...]]):
    """The fields of each class of nodes that have nodes in them, the last one first: in no tuple, in one, or as the
    second of pairs."""

    def __missing__(self, kind: Any) -> tuple[tuple[str, int], ...]:
        said = kind.__annotations__
        names = [name for name in said if any(word in said[name] for word in _NODES)]
        self[kind] = tuple((name, said[name].count("tuple[")) for name in reversed(names))
        return self[kind]


_PARTS = _Parts()


def children(node: Node) -> list[Node]:
    """The nodes directly in a node, in the order of its fields."""
    found: list[Node] = []
    fields = vars(node)
    for name, tuples in _PARTS[node.__class__]:
        found += _nodes_in(fields[name], tuples)
    found.reverse()
    return found


def _nodes_in(value: Any, tuples: int) -> Iterable[Node]:
    """The nodes in the value of a field, the last one first."""
    if value is None:
        return ()
    return (value,) if not tuples else value[::-1] if tuples == 1 else [part for _, part in reversed(value)]


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it, each before what is in it."""
    return iter(node.below if isinstance(node, Compound) else _all_below(node))


def parts(node: Node, kind: type[_N]) -> list[_N]:
    """The nodes of one class in a part of the tree, in the order of ``walk``."""
    if isinstance(node, Compound):
        return node.kinds.get(kind, [])
    return [one for one in _all_below(node) if type(one) is kind]


def _all_below(node: Node) -> list[Node]:
    found: list[Node] = []
    stack = [node]
    while stack:
        node = stack.pop()
        fields = vars(node)
        known = fields.get("below")
        if known is not None:
            found += known
            continue
        found.append(node)
        for name, tuples in _PARTS[node.__class__]:
            value = fields[name]
            if tuples:
                stack += _nodes_in(value, tuples)
            elif value is not None:  # most fields
                stack.append(value)
    return found

"""The tree's nodes: which there are, and when two have the same value."""

from __future__ import annotations

from typing import get_args

from rex_build.tree import nodes
from rex_build.tree.nodes import Binary, Constant, Expression, Load, Named, Place, Statement, Store
from rex_build.tree.symbols import Storage, Variable
from rex_build.tree.types import Array, Floating, Integer, Member, Pointer, Record, RecordInfo
from rex_build.tree.values import same_value

INT = Integer(32, True, 4)


def variable(name: str, of: Integer | Floating = INT) -> Variable:
    return Variable(name, of, Storage.LOCAL, None)


def load(v: Variable) -> Load:
    return Load(INT, Named(v.type, v))


def test_every_kind_is_in_a_union_and_says_what_it_means() -> None:
    """What ends in assert_never over the unions has handled every kind."""
    kinds = {v for v in vars(nodes).values() if isinstance(v, type) and issubclass(v, nodes.Node)}
    kinds -= {nodes.Node, nodes.Compound}  # of which there is nothing but kinds
    unions = [set(get_args(union)) for union in (Place, Expression, Statement)]
    assert set.union(*unions) == kinds
    assert set.intersection(*unions) == {nodes.Opaque}
    assert all(kind.__doc__ != kind.__name__ for kind in kinds)


def test_nodes_compare_by_identity_and_types_by_value() -> None:
    x = variable("x")
    assert load(x) != load(x)
    assert len({load(x), load(x)}) == 2
    assert Integer(32, True, 4) == INT != Integer(32, False, 4)
    assert Pointer(INT) == Pointer(INT) != Pointer(INT, const=True)
    assert Array(INT, x) == Array(INT, x) != Array(INT, variable("x"))


def test_same_value() -> None:
    x, y, z = variable("x"), variable("y"), variable("z", Integer(32, True, 4, volatile=True))

    def total(a: Expression, b: Expression) -> Binary:
        return Binary(INT, "+", a, b)

    assert same_value(total(load(x), load(y)), total(load(x), load(y)))
    assert not same_value(total(load(x), load(y)), total(load(y), load(x)))
    assert not same_value(load(z), load(z)), "another read of a volatile object may give another value"
    store = Store(INT, Named(INT, x), Constant(INT, 1))
    assert not same_value(store, store), "it acts"
    double = Floating(53, 8)
    assert same_value(Constant(double, 0.0), Constant(double, 0.0))
    assert not same_value(Constant(double, 0.0), Constant(double, -0.0))
    assert not same_value(Constant(INT, 1), Constant(Integer(64, True, 8), 1))


def test_a_record_may_contain_pointers_to_itself() -> None:
    node: RecordInfo = RecordInfo("node", False, lambda: (8, 8, (Member("next", Pointer(Record(node)), 0),)))
    assert node.size == 8
    assert node.members[0].type == Pointer(Record(node))


def test_ranges_of_integers() -> None:
    assert (INT.least, INT.greatest) == (-(2**31), 2**31 - 1)
    assert (Integer(5, False, 1).least, Integer(5, False, 1).greatest) == (0, 31)

"""Which memory a kernel's body reads and writes, in terms of C's tree (``optimise/memory.py``), and what calls do."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from pycparser import c_ast

from ....base.records import replace
from ....optimise import memory as walked
from ....optimise.accesses import Access, Accesses, Members, UnprovableError
from ....optimise.obstacle import LOADED_POINTER
from ....plan.code import Entity
from ....tree import nodes as tree
from ....tree import types
from ....tree.calls import Calls
from ....tree.symbols import Function
from ...reading.statements import reader_of
from ...sema import Sema
from ..device_library import ATOMIC_PREFIXES, MATH_FUNCTIONS, library_name
from ..purity import acts


def tree_accesses(
    sema: Sema,
    statement: tree.Statement,
    memory: Collection[Entity],
    own: Collection[Entity],
    members: Members,
    waits: bool = False,
    reduced: Collection[Entity] = (),
) -> Accesses:
    """The accesses of a kernel's body. Several optimisations ask this of one body, so the answer is remembered."""
    memory, own, reduced = frozenset(memory), frozenset(own), frozenset(reduced)
    known: dict[object, Accesses | UnprovableError] = sema.answers(tree_accesses)
    key = (statement, memory, own, frozenset(members.items()), waits, reduced)
    if key not in known:
        functions = partial(_body, sema)
        scene = walked.Scene(memory, own, members, reduced, waits, functions, _only_uses_arguments)
        try:
            _check_pointers(memory, statement)
            known[key] = _joined(walked.accesses_of(scene, statement))
        except UnprovableError as problem:
            known[key] = problem
    found = known[key]
    if isinstance(found, UnprovableError):
        raise found
    return found


def _check_pointers(memory: Collection[Entity], statement: tree.Statement) -> None:
    """Refuse pointers whose types may not change, because their addresses are taken."""
    for node in tree.walk(statement):
        if isinstance(node, tree.AddressOf) and isinstance(node.place, tree.Named):
            variable = node.place.variable
            if isinstance(variable.type, types.Pointer) and variable.entity in memory:
                raise UnprovableError(f"the address of the pointer '{variable.name}' is taken", node.origin)


def _joined(found: Accesses) -> Accesses:
    """Accesses of which a called function's to the same memory are one. Refuse what is in two memories."""
    made: dict[tuple[object, ...], Access] = {}
    roots: dict[object, Entity] = {}
    for access in found.items:
        called = isinstance(access.node, tree.Call)
        if roots.setdefault(access.node, access.root) is not access.root and not called:
            raise UnprovableError(LOADED_POINTER, access.node.origin)
        key = (access.node, access.root, access.loops) if called else (access,)
        same = made.get(key, access)
        made[key] = replace(access, atomic=access.atomic and not called,
                            reads=access.reads or same.reads, writes=access.writes or same.writes)  # fmt: skip
    return Accesses(tuple(made.values()), found.derived)


def _only_uses_arguments(function: Function) -> bool:
    """Whether a function of the library uses no memory but what its arguments lead to."""
    name = function.name
    return library_name(name) is not None and not name.startswith(("omp_", "__rex", *ATOMIC_PREFIXES))


def calls_of(sema: Sema) -> Calls:
    """What the unit's functions do to memory, each looked at once."""
    known = sema.answers(calls_of)
    if None not in known:
        known[None] = Calls(partial(_body, sema), _computes)
    return known[None]


def acting(sema: Sema, code: c_ast.Node) -> Function | None:
    """A function that code calls, itself or in functions of the unit, and that may do more than compute its result."""
    called, _ = calls_of(sema).functions(reader_of(sema).statement(code))
    return next((f for f in called if not f.defined and f.name not in MATH_FUNCTIONS), None)


def _body(sema: Sema, function: Function) -> tree.Body | None:
    definition = sema.functions.get(function.name)
    if definition is None:
        return None
    sema.analyse(definition)
    return reader_of(sema).body(definition)


def _computes(function: Function) -> bool:
    """Whether a function of the library does nothing but compute its result from numbers."""
    if function.name in MATH_FUNCTIONS:
        return True
    plain, kind = function.name.removeprefix("__builtin_"), function.type
    if library_name(function.name) is None or acts(plain) or not isinstance(kind, types.Function) or kind.variadic:
        return False
    return all(isinstance(t, types.Integer | types.Floating) for t in (kind.result, *(kind.parameters or (kind,))))

"""Finds which memory a kernel's body reads and writes, and through which variables of the region.

Sometimes memory and variables are hard to relate: because of pointers loaded from memory, variables of file scope,
calls with pointers, volatile or synchronisation. The analysis then gives up with a reason, and the region is not
transformed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from types import MappingProxyType

from pycparser import c_ast

from ....base.records import dataclass
from ....optimise.accesses import Access, Accesses, UnprovableError
from ....optimise.obstacle import FROM_INTEGER, JUMPS, LOADED_POINTER, STORED_POINTER, UNKNOWN_CALL, VOLATILE
from ....plan.code import Entity
from ...sema import Sema, Symbol, assignments, declarations, walk
from ...sema.ctype import Array, CType, Pointer, strip
from ...sema.type_questions import is_pointer, is_variably_modified, variable_lengths
from ...syntax.nodes import OmpConstruct
from ...syntax.parser import Cleanup, StmtExpr
from ..device_library import ATOMIC_PREFIXES, MATH_FUNCTIONS, UNEVALUATED, library_name
from ..listed import privatised_names
from ..members import Members, pointer_member
from ..purity import called_name, is_constant, is_pure

_LOOPS = (c_ast.For, c_ast.While, c_ast.DoWhile)
_STEPS = ("++", "--", "p++", "p--")
# What the threads of a team share among themselves.
_WAITING = frozenset(
    {"parallel", "for", "simd", "loop", "single", "masked", "critical", "barrier", "sections", "section"}
)
_JUMPS = (c_ast.Goto, c_ast.Return, c_ast.Label)


def accesses_of(
    sema: Sema,
    body: c_ast.Node,
    memory: Collection[Entity],
    own: Collection[Entity],
    members: Members,
    waits: bool = False,
    reduced: Collection[Entity] = (),
) -> Accesses:
    """The accesses of a kernel's body, which is the body of the innermost associated loop.

    ``memory`` are the captured variables whose storage, or the memory behind them, all threads share. Of the variables
    in ``own`` every thread has a copy. ``members`` are pointers in structures, of which the variables are in
    ``memory``. If the kernel ``waits``, its body has parallel regions, or is one. The elements of
    ``reduced`` arrays are copies that threads have, also behind pointers. Raises UnprovableError. Several optimisations
    ask this of one body, so the answer is remembered.
    """
    memory, own, reduced = frozenset(memory), frozenset(own), frozenset(reduced)
    known = sema.answers(_Visitor.found)
    key = (body, memory, own, frozenset(members.items()), waits, reduced)
    if key not in known:
        visitor = _Visitor(sema, memory, own, {}, members=members, waits=waits, reduced=reduced)
        known[key] = visitor.found(body)
    found = known[key]
    if isinstance(found, UnprovableError):
        raise found
    return found


@dataclass(frozen=True)
class Effects:
    """What a function does besides computing its result: the numbers of the parameters through which it reads and
    writes memory. Those in ``kept`` may go on as values: into memory, or into the result.

    With ``atomic`` accesses, its result may be another one each time, although the caller's team writes nothing.
    """

    reads: frozenset[int] = frozenset()
    writes: frozenset[int] = frozenset()
    kept: frozenset[int] = frozenset()
    atomic: bool = False


_NONE = Effects()
_Known = dict[str, "Effects | UnprovableError"]


def effects_of(sema: Sema, name: str, known: _Known, callers: tuple[str, ...] = ()) -> Effects:
    """The effects of a function of the unit. ``known`` are those found so far, and ``callers`` call it in turn.

    Raises UnprovableError if it may have others: through globals, pointers in memory, recursion, and the like.
    """
    if name in callers:
        raise UnprovableError(f"'{name}' calls itself")
    if name not in known:
        try:
            known[name] = _NONE if is_pure(sema, name) else _effects(sema, name, known, callers)
        except UnprovableError as problem:
            known[name] = UnprovableError(f"'{name}' may have side effects: {problem}", remedy=problem.remedy)
    found = known[name]
    if isinstance(found, UnprovableError):
        raise found
    return found


def _effects(sema: Sema, name: str, known: _Known, callers: tuple[str, ...]) -> Effects:
    definition = sema.functions.get(name)
    if definition is None:
        raise UnprovableError("it is not in this unit", remedy=f"define '{name}' in this unit, or in a header")
    sema.analyse(definition)
    parameters = sema.parameters(definition)
    if sema.function_type(definition).variadic or len(parameters) != len(sema.function_type(definition).params):
        raise UnprovableError("its parameters are not all named")
    pointers: frozenset[Entity] = frozenset(p for p in parameters if is_pointer(strip(p.type)))
    visitor = _Visitor(sema, pointers, frozenset(parameters) - pointers, known, (*callers, name))
    visitor.prepare(definition.body)
    visitor.statement(definition.body)
    found: dict[Entity, int] = {p: number for number, p in enumerate(parameters)}
    return Effects(
        frozenset(found[a.root] for a in visitor.items if a.reads),
        frozenset(found[a.root] for a in visitor.items if a.writes),
        frozenset(found[root] for root in visitor.kept),
        visitor.atomic,
    )


class _Visitor:
    """Walks through a body in the order of evaluation. ``functions`` are those whose bodies it is in, if any."""

    def __init__(
        self,
        sema: Sema,
        memory: frozenset[Entity],
        own: frozenset[Entity],
        known: _Known,
        functions: tuple[str, ...] = (),
        members: Members = MappingProxyType({}),
        waits: bool = False,
        reduced: Collection[Entity] = (),
    ) -> None:
        self.sema, self.memory, self.own = sema, memory, own
        self.members, self.waits, self.reduced = members, waits, reduced
        self.known, self.functions = known, functions
        self.at: c_ast.Node | None = None  # the statement or expression that it has come to
        self.items: list[Access] = []
        self.derived: set[Symbol] = set()
        self.kept: set[Symbol] = set()  # those of which pointers are values that may go anywhere
        self.atomic = False  # whether the body, or a function that it calls, makes atomic accesses
        self._locals: set[Symbol] = set()
        self._pointers: dict[Symbol, list[c_ast.Node]] = {}  # local pointers, and the values that are assigned to them
        self._resolving: set[Symbol] = set()
        self._shared_out: set[c_ast.Node | None] = set()  # the statements of constructs whose loops threads share
        self._loops: tuple[c_ast.Node, ...] = ()
        self._certain = True

    def found(self, body: c_ast.Node) -> Accesses | UnprovableError:
        """The accesses of a kernel's body, or why they are not known."""
        try:
            self.prepare(body)
        except UnprovableError as problem:
            return problem
        try:
            self.statement(body)
        except UnprovableError as problem:
            return UnprovableError(str(problem), self.at, problem.remedy)
        return Accesses(tuple(self.items), frozenset(self.derived))

    # -- variables and their memory -----------------------------------------------------------------------------

    def prepare(self, body: c_ast.Node) -> None:
        """Collect the variables declared in the body, and the values of its pointers."""
        changed = assignments(self.sema, body)
        for symbol in changed.symbols:
            if symbol in self.memory and isinstance(strip(symbol.type), Pointer):
                raise UnprovableError(f"'{symbol.name}' itself is changed")
        for declaration in declarations(self.sema.parts(body)):
            if isinstance(declaration.type, c_ast.FuncDecl):
                continue
            symbol = self.sema.decl_symbol(declaration)
            if is_constant(symbol):
                continue
            if symbol.has_static_storage:
                raise UnprovableError(f"'{symbol.name}' outlives an iteration")
            self._locals.add(symbol)
            if isinstance(strip(symbol.type), Pointer):
                if symbol in changed.address_taken:
                    raise UnprovableError(f"the address of the pointer '{symbol.name}' is taken")
                if declaration.init is not None:
                    self._pointers.setdefault(symbol, []).append(declaration.init)
        for node in self.sema.parts(body).of(c_ast.Assignment):
            if node.op == "=" and isinstance(node.lvalue, c_ast.ID):
                target = self.sema.symbol(node.lvalue)
                if target is not None and isinstance(strip(target.type), Pointer):
                    self._pointers.setdefault(target, []).append(node.rvalue)

    def _root_of_pointer(self, node: c_ast.Node) -> Symbol | None:
        """The captured variable into whose memory a pointer points, or None for the thread's own memory."""
        kind = self.sema.type(node)
        if isinstance(strip(kind), Array):
            return self._root_of_storage(node)
        if not isinstance(strip(self.sema.value_type(node)), Pointer):
            raise UnprovableError(FROM_INTEGER)
        match node:
            case c_ast.ID():
                return self._root_of_variable(node)
            case c_ast.BinaryOp(op="+" | "-"):
                left = self.sema.value_type(node.left)
                return self._root_of_pointer(node.left if isinstance(strip(left), Pointer) else node.right)
            case c_ast.Cast():
                return self._root_of_pointer(node.expr)
            case c_ast.UnaryOp(op="&"):
                return self._root_of_storage(node.expr)
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
                return self._root_of_pointer(node.expr)
            case c_ast.StructRef():
                member = pointer_member(self.sema, self.members, node)
                if member is not None:
                    return member
        raise UnprovableError(LOADED_POINTER)

    def _root_of_variable(self, node: c_ast.ID) -> Symbol | None:
        symbol = self.sema.symbol(node)
        if symbol is None:
            raise UnprovableError(f"'{node.name}' is not a variable")
        if symbol in self.memory:
            return symbol
        if symbol in self.reduced:
            return None
        if symbol in self._locals and symbol in self._pointers and symbol not in self._resolving:
            self._resolving.add(symbol)
            found = {self._root_of_pointer(source) for source in self._pointers[symbol]}
            self._resolving.discard(symbol)
            if len(found) == 1:
                return found.pop()
        what = f"what '{symbol.name}' points to is not known"
        raise UnprovableError(what, remedy="index a mapped array in place of it, or set it once to a part of one")

    def _root_of_storage(self, node: c_ast.Node) -> Symbol | None:
        """The captured variable in whose memory an lvalue is, or None for the thread's own memory."""
        match node:
            case c_ast.ID():
                symbol = self.sema.symbol(node)
                if symbol is None or symbol.is_enumerator or symbol in self._locals or symbol in self.own:
                    return None
                if symbol in self.memory:
                    return symbol
                if is_constant(symbol):
                    return None
                raise UnprovableError(f"'{symbol.name}' is a variable of the device")
            case c_ast.ArrayRef():
                kind = self.sema.type(node.name)
                base = node.name if isinstance(strip(kind), (Pointer, Array)) else node.subscript
                return self._root_of_pointer(base)
            case c_ast.UnaryOp(op="*"):
                return self._root_of_pointer(node.expr)
            case c_ast.StructRef(type="."):
                return self._root_of_storage(node.name)
            case c_ast.StructRef():
                return self._root_of_pointer(node.name)
            case c_ast.CompoundLiteral():
                return None
        raise UnprovableError("an lvalue of an unusual form")

    # -- statements ---------------------------------------------------------------------------------------------

    def statement(self, node: c_ast.Node | None) -> None:
        self.at = node or self.at
        match node:
            case None | c_ast.EmptyStatement() | c_ast.Continue() | c_ast.Break() | c_ast.Pragma():
                if isinstance(node, (c_ast.Continue, c_ast.Break)) and not self._loops:
                    self._certain = False
            case c_ast.Compound():
                for item in node.block_items or ():
                    self.statement(item)
            case c_ast.Typedef():
                self._lengths(self.sema.decl_symbol(node).type)
            case c_ast.Decl():
                if node.name is not None:
                    self._lengths(self.sema.decl_symbol(node).type)
                if node.init is not None and not is_constant(self.sema.decl_symbol(node)):
                    self._initialiser(node, node.init)
            case c_ast.DeclList():
                for item in node.decls:
                    self.statement(item)
            case c_ast.If():
                self.value(node.cond)
                self._maybe(node.iftrue, node.iffalse)
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                self._loop(node)
            case c_ast.Switch():
                self.value(node.cond)
                self._maybe(node.stmt)
            case c_ast.Case() | c_ast.Default():
                for item in node.stmts or ():
                    self.statement(item)
            case OmpConstruct():
                self._construct(node)
            case c_ast.Return() if self.functions:
                if node.expr is not None:
                    self.value(node.expr)
                self._certain = False
            case _ if isinstance(node, _JUMPS):
                raise UnprovableError(JUMPS)
            case Cleanup():
                raise UnprovableError("a call at the end of a scope")
            case _:
                self.value(node)

    def _maybe(self, *branches: c_ast.Node | None) -> None:
        before = self._certain
        for branch in branches:
            self._certain = False
            self.statement(branch)
        # A branch may end the iteration, so the accesses after it are not certain.
        self._certain = before and (bool(self._loops) or not _continues(branches))

    def _loop(self, node: c_ast.Node) -> None:
        if isinstance(node, c_ast.For):
            if isinstance(node.init, c_ast.DeclList):
                self.statement(node.init)
            elif node.init is not None:
                self.value(node.init)
        outer, before = self._loops, self._certain
        if node not in self._shared_out and not (self.waits and _has_constructs(node)):
            self._loops = (*outer, node)
        if node.cond is not None:
            self.value(node.cond)
        self._certain = before and isinstance(node, c_ast.DoWhile)
        self.statement(node.stmt)
        if isinstance(node, c_ast.For) and node.next is not None:
            self.value(node.next)
        self._loops, self._certain = outer, before

    def _construct(self, node: OmpConstruct) -> None:
        leaves = set(node.directive.constructs)
        if leaves == {"simd"}:
            if node.directive.clauses:
                raise UnprovableError("a simd construct with clauses")
            self.statement(node.body)
        elif leaves == {"atomic"} and node.body is not None:
            first, self.atomic = len(self.items), True
            self.statement(node.body)
            self.items[first:] = [
                Access(a.node, a.root, a.reads, a.writes, True, a.loops, a.certain, a.position)
                for a in self.items[first:]
            ]
        elif self.waits and leaves <= _WAITING:
            copied = [self.sema.lookup(node, name) for name in privatised_names(node.directive)]
            if any(symbol in self.memory for symbol in copied):
                what = f"'{node.directive.name}' makes copies of what is mapped"
                raise UnprovableError(what, remedy="give the copies names of their own, declared inside")
            self._shared_out.add(node.body)
            self.statement(node.body)
        else:
            raise UnprovableError(f"a '{node.directive.name}' construct", remedy="put it into a region of its own")

    def _initialiser(self, decl: c_ast.Decl, init: c_ast.Node) -> None:
        if isinstance(init, c_ast.InitList):
            for item in init.exprs or ():
                self._initialiser(decl, item.expr if isinstance(item, c_ast.NamedInitializer) else item)
            return
        if isinstance(strip(self.sema.value_type(init)), Pointer):
            self._pointer_value(init)
        else:
            self.value(init)

    # -- expressions --------------------------------------------------------------------------------------------

    def _note(self, node: c_ast.Node, reads: bool, writes: bool) -> None:
        kind = self.sema.type(node)
        if "volatile" in kind.quals or "_Atomic" in kind.quals:
            raise UnprovableError(VOLATILE)
        root = self._root_of_storage(node)
        if root is not None:
            position = len(self.items)
            self.items.append(Access(node, root, reads, writes, False, self._loops, self._certain, position))

    def value(self, node: c_ast.Node) -> None:
        """Collect the accesses of an expression whose value is used or dropped."""
        self.at = node
        match node:
            case c_ast.Constant() | c_ast.Typename():
                return
            case c_ast.ID():
                symbol = self.sema.symbol(node)
                if symbol is None or (symbol.is_enumerator or symbol.is_function):
                    return
                if isinstance(strip(symbol.type), (Pointer, Array)):
                    self._pointer_value(node)
                else:
                    self._note(node, True, False)
            case c_ast.Assignment():
                self._assignment(node)
            case c_ast.UnaryOp(op="sizeof" | "_Alignof"):
                if isinstance(node.expr, c_ast.Typename):
                    self._lengths(self.sema.resolve_type(node.expr))
                elif is_variably_modified(self.sema.type(node.expr)):
                    self._subscripts(node.expr)
            case c_ast.UnaryOp(op="&"):
                self._pointer_value(node)
            case c_ast.UnaryOp() if node.op in _STEPS:
                if isinstance(strip(self.sema.type(node.expr)), Pointer):
                    self._pointer_value(node)
                else:
                    self._subscripts(node.expr)
                    self._note(node.expr, True, True)
            case c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
                self._subscripts(node)
                if isinstance(strip(self.sema.type(node)), (Array, Pointer)):
                    self._pointer_value(node)
                else:
                    self._note(node, True, False)
            case c_ast.UnaryOp():
                self.value(node.expr)
            case c_ast.BinaryOp():
                if isinstance(strip(self.sema.value_type(node)), Pointer):
                    self._pointer_value(node)
                    return
                if isinstance(strip(self.sema.value_type(node.left)), Pointer):  # it is a comparison or a difference
                    self._pointer_value(node.left, keeps=node.op == "-")
                    if isinstance(strip(self.sema.value_type(node.right)), Pointer):
                        self._pointer_value(node.right, keeps=node.op == "-")
                    return
                self.value(node.left)
                self._shortcut(node.op in ("&&", "||"), node.right)
            case c_ast.TernaryOp():
                self.value(node.cond)
                for branch in (node.iftrue, node.iffalse):
                    if branch is not None:
                        self._shortcut(True, branch)
            case c_ast.ExprList():
                for item in node.exprs:
                    self.value(item)
            case c_ast.Cast():
                self._lengths(self.sema.type(node))
                self.value(node.expr)
            case c_ast.FuncCall():
                self._call(node)
            case StmtExpr():
                self.statement(node.body)
            case _:
                raise UnprovableError(f"{type(node).__name__} in the body")

    def _lengths(self, kind: CType) -> None:
        """Collect the accesses that are made to compute the lengths of arrays in a type."""
        for length in variable_lengths(kind):
            self.value(length)

    def _shortcut(self, uncertain: bool, node: c_ast.Node) -> None:
        before = self._certain
        self._certain = before and not uncertain
        self.value(node)
        self._certain = before

    def _assignment(self, node: c_ast.Assignment) -> None:
        target = node.lvalue
        if isinstance(strip(self.sema.type(target)), Pointer):
            if not (isinstance(target, c_ast.ID) and self.sema.symbol(target) in self._locals):
                raise UnprovableError(STORED_POINTER)
            if node.op == "=":
                self._pointer_value(node.rvalue)
            else:
                self.value(node.rvalue)
            return
        self.value(node.rvalue)
        self._subscripts(target)
        self._note(target, node.op != "=", True)

    def _subscripts(self, node: c_ast.Node) -> None:
        """Collect the accesses that are made to compute an lvalue's address."""
        match node:
            case c_ast.ArrayRef():
                is_base = isinstance(strip(self.sema.type(node.name)), (Pointer, Array))
                base, index = (node.name, node.subscript) if is_base else (node.subscript, node.name)
                self.value(index)
                self._subscripts(base)
            case c_ast.StructRef():
                self._subscripts(node.name)
            case c_ast.UnaryOp(op="*" | "&") | c_ast.Cast():
                if isinstance(node, c_ast.Cast):
                    self._lengths(self.sema.type(node))
                self._subscripts(node.expr)
            case c_ast.BinaryOp():
                for side in (node.left, node.right):
                    if isinstance(strip(self.sema.value_type(side)), Pointer):
                        self._subscripts(side)
                    else:
                        self.value(side)
            case c_ast.ID():
                return
            case c_ast.UnaryOp() if node.op in _STEPS:
                return
            case _:
                raise UnprovableError("an lvalue of an unusual form")

    def _pointer_value(self, node: c_ast.Node, keeps: bool = True) -> None:
        """Collect the accesses of an expression whose value is a pointer for something other than an access here.

        Unless it ``keeps`` the value, it is only compared.
        """
        if isinstance(node, c_ast.Constant) or self.sema.value(node) is not None:
            return
        root = self._root_of_pointer(node)
        self._subscripts(node.expr if isinstance(node, c_ast.UnaryOp) and node.op == "&" else node)
        if root is not None:
            self.derived.add(root)
            self.kept |= {root} if keeps else set()

    def _call(self, node: c_ast.FuncCall) -> None:
        arguments: Iterable[c_ast.Node] = node.args.exprs if node.args is not None else ()
        name = called_name(self.sema, node)
        if name is None or name.startswith(("omp_", "__rex", *ATOMIC_PREFIXES)):
            raise UnprovableError(UNKNOWN_CALL)
        if name in UNEVALUATED:
            return
        is_library = library_name(name) is not None
        if is_library and self.functions and name not in MATH_FUNCTIONS:
            raise UnprovableError(f"it calls '{name}'")
        effects = _NONE if is_library else effects_of(self.sema, name, self.known, self.functions)
        self.atomic = self.atomic or effects.atomic
        for number, argument in enumerate(arguments):
            if isinstance(argument, c_ast.Typename):
                continue
            if isinstance(strip(self.sema.value_type(argument)), Pointer):
                root = self._root_of_pointer(argument)
                if root is not None and is_library:
                    raise UnprovableError(f"'{name}' is given a pointer to mapped memory")
                if root is not None:
                    self._lend(node, root, name, number, effects)
                self._subscripts(argument.expr if isinstance(argument, c_ast.UnaryOp) else argument)
            else:
                self.value(argument)

    def _lend(self, node: c_ast.FuncCall, root: Symbol, name: str, number: int, effects: Effects) -> None:
        """Note what a function does with the memory to which an argument leads."""
        reads, writes = number in effects.reads, number in effects.writes
        if reads or writes:
            position = len(self.items)
            self.items.append(Access(node, root, reads, writes, False, self._loops, False, position))
        self.kept |= {root} if number in effects.kept else set()
        kind = strip(self.sema.parameters(self.sema.functions[name])[number].type)
        if not (isinstance(kind, Pointer) and "const" in kind.to.quals):
            self.derived.add(root)  # the function's parameter has a type that the pointer must keep


def _continues(branches: Iterable[c_ast.Node | None]) -> bool:
    return any(isinstance(part, c_ast.Continue) for branch in branches if branch is not None for part in walk(branch))


def _has_constructs(node: c_ast.Node) -> bool:
    return any(isinstance(part, OmpConstruct) for part in walk(node))

"""Which memory a kernel's body reads and writes, and through which variables of the region.

The body runs once, as if every branch were taken, and functions that it calls run inside of it. What a pointer may lead
to is a set: of variables that are the thread's own, and of memory that threads share. What is stored in a variable of
the thread's own may be all that was ever stored there, so the walk is repeated until no set grows. A pointer from
anywhere else, a call of an unknown function and all that the reader did not understand ends the analysis with a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from ..base.exhaustive import assert_never
from ..base.records import dataclass
from ..directives.contents import privatised_names
from ..plan.constructs import Entity
from ..tree import nodes as tree
from ..tree import types
from ..tree.flow import Access as Touch
from ..tree.flow import Once
from ..tree.symbols import Function, Storage, Variable
from ..tree.values import owner_of, path_of
from .accesses import Access, Accesses, Members, UnprovableError
from .inlined import Definition, Frame
from .obstacle import Obstacle

_MOST_CALLS = 400  # functions in the place of their calls
# What the threads of a team share among themselves.
_WAITING = frozenset({"parallel", "for", "simd", "single", "masked", "critical", "barrier", "sections", "section"})


@dataclass(frozen=True)
class Scene:
    """What is known of a body.

    ``memory`` are the captured variables whose storage, or the memory behind them, all threads share. Of the variables
    in ``own`` every thread has a copy; of ``reduced`` arrays these are elements, also behind pointers. ``members`` are
    pointers in structures by value, of which the variables are in ``memory``. If the kernel ``waits``, its body has
    parallel regions, or is one. ``body`` gives functions of the unit, and ``computes`` says whether one without a body
    computes a value, and writes nothing but what its arguments lead to.
    """

    memory: Collection[Entity]
    own: Collection[Entity]
    members: Members
    reduced: Collection[Entity]
    waits: bool
    body: Callable[[Function], tree.Body | None]
    computes: Callable[[Function], bool]


def accesses_of(scene: Scene, statement: tree.Statement) -> Accesses:
    """The accesses of a kernel's body. Raises UnprovableError."""
    return _Walk(scene, statement).run()


# -- what pointers lead to ---------------------------------------------------------------------------------------------


class _Frame(Frame):
    """A function in the place of a call of it, or the body itself."""

    inner: dict[tree.Call, _Frame]  # type: ignore[assignment]

    def __init__(
        self, outer: _Frame | None, function: Function | None, loops: tuple[tree.Loop, ...],
        definition: Definition | None = None, call: tree.Call | None = None,
    ) -> None:  # fmt: skip
        super().__init__(outer, definition, call)
        self.outer, self.function, self.loops = outer, function, loops
        around: frozenset[Function | None] = outer.functions if outer is not None else frozenset()
        self.functions: frozenset[Function | None] = around | {function}  # those in whose bodies this is
        self.results: set[_Target] = set()

    def runs(self, function: Function) -> bool:
        return function in self.functions


@dataclass(frozen=True)
class _Own:
    """A variable of the thread's own; what a captured reference refers to (``behind``); an object that a constructor's
    call makes."""

    of: Variable | tree.Call
    frame: _Frame | None
    behind: bool = False


@dataclass(frozen=True)
class _Shared:
    root: Entity


@dataclass(frozen=True)
class _Unknown:
    why: str
    remedy: str = ""
    loaded: tuple[Entity, tuple[str, ...]] | None = None  # the pointer in an object that this is


_Target = _Own | _Shared | _Unknown
_Targets = frozenset[_Target]
_NOTHING: _Targets = frozenset()


def _in_union(place: tree.Place) -> bool:
    while isinstance(place, tree.Part):
        if isinstance(place.whole.type, types.Record) and place.whole.type.info.union:
            return True
        place = place.whole
    return False


def _in_base(place: tree.Place) -> bool:
    """Whether a place is in a part of an object that has no name, such as a base class."""
    while isinstance(place, tree.Part) and place.member.name:
        place = place.whole
    return isinstance(place, tree.Part)


def _nobody_knows(variable: Variable) -> _Unknown:
    what = f"what '{variable.name}' points to is not known"
    return _Unknown(what, "index a mapped array in place of it, or set it once to a part of one")


class _Walk:
    """The walk over a body, until all sets are complete."""

    def __init__(self, scene: Scene, statement: tree.Statement) -> None:
        self.scene, self.statement = scene, statement
        self.declared = {v for n in tree.walk(statement) if isinstance(v := getattr(n, "variable", None), Variable)
                         if isinstance(n, tree.Declare | tree.Temporary)}  # fmt: skip
        self.contents: dict[_Own, set[_Target]] = {}
        self.root = _Frame(None, None, ())
        self.calls = 0
        self.grown = False
        self.known: dict[tuple[tree.Expression, _Frame], _Targets] = {}  # what `leads` has found in this walk
        self.last = False
        self.items: list[Access] = []
        self.mentioned: set[Entity] = set()
        self.derived: set[Entity] = set()  # those of which pointers are values that others keep
        self.definitions: dict[Function, Definition] = {}
        self.library: set[tree.Call] = set()  # calls of functions that the unit does not have
        self.loaded_from: dict[Entity, tree.Place] = {}  # mapped objects with pointers to sections, and one of these
        self.shared_out: set[tree.Node] = set()  # loops whose iterations threads of a team share

    def run(self) -> Accesses:
        while True:
            self.grown = False
            self.known.clear()
            _Body(self, self.root).statement(self.statement, True)
            if self.last:
                self._check_loaded()
                unused = self.mentioned.difference(a.root for a in self.items)
                return Accesses(tuple(self.items), frozenset(unused | self.derived))
            self.last = not self.grown

    def _check_loaded(self) -> None:
        """Refuse pointers that are loaded from objects which the body writes."""
        written = {access.root for access in self.items if access.writes}
        for entity, place in self.loaded_from.items():
            if entity in written:
                raise UnprovableError(Obstacle.LOADED_POINTER, place.origin)

    def add(self, to: set[_Target], found: Collection[_Target]) -> None:
        if not to.issuperset(found):
            to.update(found)
            self.grown = True

    # -- places ---------------------------------------------------------------------------------------------------

    def objects(self, place: tree.Place, frame: _Frame) -> _Targets:
        """The objects that a place may be in."""
        match place:
            case tree.Named():
                return frozenset((self._named(place.variable, frame),))
            case tree.Temporary():
                return frozenset((_Own(place.variable, frame),))
            case tree.Pointee():
                found = self.leads(place.pointer, frame)
                if not found and self.last:
                    raise UnprovableError("what a pointer leads to is not known", place.origin)
                return found
            case tree.Part():
                return self.objects(place.whole, frame)
            case tree.Opaque():
                raise UnprovableError(place.why, place.origin)
            case _:
                return assert_never(place)

    def _named(self, variable: Variable, frame: _Frame) -> _Target:
        scene = self.scene
        if variable.storage is Storage.CONSTANT:
            return _Own(variable, None)
        local = variable.storage in (Storage.LOCAL, Storage.PARAMETER)
        if local and (frame is not self.root or variable in self.declared):
            return _Own(variable, frame)
        entity = variable.entity if frame is self.root else None
        if entity in scene.memory and not isinstance(variable.type, types.Pointer):
            assert entity is not None
            return _Shared(entity)
        if entity in scene.memory or entity in scene.own:
            return _Own(variable, self.root)
        if types.element_of(variable.type).const and not types.holds_pointers(variable.type):
            return _Own(variable, None)
        return _Unknown(f"'{variable.name}' is a variable of the device")

    def content(self, target: _Target, t: types.Type) -> _Targets:
        """What a value of a type that is read from an object may lead to."""
        if not types.holds_pointers(t):
            return _NOTHING
        if isinstance(target, _Shared):
            return frozenset((_Unknown(Obstacle.LOADED_POINTER),))
        if isinstance(target, _Unknown):
            return frozenset((target,))
        return frozenset(self.contents.get(target, ())) | self._initial(target)

    def _initial(self, target: _Own) -> _Targets:
        """What a variable that is declared outside of the body leads to in front of it."""
        variable = target.of
        if target.frame is not self.root or not isinstance(variable, Variable) or variable in self.declared:
            return _NOTHING
        scene, entity, t = self.scene, variable.entity, variable.type
        if (
            isinstance(t, types.Pointer)
            and t.reference
            and not target.behind
            and (entity not in scene.memory or isinstance(t.to, types.Pointer))
        ):
            return frozenset((_Own(variable, self.root, True),))
        if entity in scene.memory:
            assert entity is not None
            return frozenset((_Shared(entity),))
        if entity in scene.reduced and not target.behind:
            return frozenset((_Own(variable, self.root, True),))
        return frozenset((_nobody_knows(variable),))

    def _member(self, place: tree.Place, frame: _Frame) -> _Targets | None:
        """What a pointer in a structure by value leads to, if that is a capture of its own."""
        variable, path = path_of(place)
        if not path or not self.scene.members:
            return None
        if variable is None:
            variable, frame = self._whole(place, frame), self.root
        entity = variable.entity if variable is not None and frame is self.root else None
        found = self.scene.members.get((entity, path)) if entity is not None else None
        if found is None or variable is None or self.contents.get(_Own(variable, frame)):
            return None
        return frozenset((_Shared(found),))

    def _loaded(self, place: tree.Place, frame: _Frame) -> _Targets | None:
        """What a pointer in a mapped object leads to, if the region maps the section behind it."""
        seen = frame.seen(place)
        variable, path = owner_of(seen) if seen is not None else (None, ())
        entity = variable.entity if variable is not None else None
        if seen is None or entity not in self.scene.memory or variable in self.declared or _in_union(seen):
            return None
        assert entity is not None
        found = self.scene.members.get((entity, path))
        if found is None:
            is_pointer = isinstance(place.type, types.Pointer) and not place.type.reference
            if not path or not is_pointer or _in_base(seen) or self.objects(place, frame) != {_Shared(entity)}:
                return None
            return frozenset((_Unknown(Obstacle.LOADED_POINTER, loaded=(entity, path)),))
        self.loaded_from[entity] = place
        return frozenset((_Shared(found),))

    def _whole(self, place: tree.Place, frame: _Frame) -> Variable | None:
        """The variable of the region whose object, and no part of it, a method gets of which a place is a part."""
        while isinstance(place, tree.Part):
            place = place.whole
        (found, *others) = self.objects(place, frame) or (None,)
        if others or not isinstance(found, _Own) or not isinstance(found.of, Variable) or found.frame is not self.root:
            return None
        kind, own = place.type, found.of.type
        own = own.to if isinstance(own, types.Pointer) else own
        is_same = isinstance(kind, types.Record) and isinstance(own, types.Record) and kind.info is own.info
        return found.of if is_same else None

    # -- values ---------------------------------------------------------------------------------------------------

    def leads(self, value: tree.Expression, frame: _Frame) -> _Targets:
        """The objects to which a value may lead, as a pointer or as a record with pointers."""
        found = self.known.get((value, frame))
        if found is None:
            found = self.known[value, frame] = self._leads(value, frame)
            self.mentioned.update(one.root for one in found if isinstance(one, _Shared))
        return found

    def _leads(self, value: tree.Expression, frame: _Frame) -> _Targets:
        match value:
            case tree.Opaque():
                raise UnprovableError(value.why, value.origin)
            case _ if not types.holds_pointers(value.type):
                return _NOTHING
            case tree.Load():
                known = self._loaded(value.place, frame) or self._member(value.place, frame)
                return known if known is not None else self._stored(value.place, value.type, frame)
            case tree.AddressOf():
                return self.objects(value.place, frame)
            case tree.Decay():
                return self.objects(value.array, frame)
            case tree.Offset():
                return self.leads(value.pointer, frame)
            case tree.Convert():
                return self._converted(value, frame)
            case tree.Conditional():
                return self.leads(value.then, frame) | self.leads(value.otherwise, frame)
            case tree.Sequence():
                return self.leads(value.parts[-1], frame)
            case tree.Store():
                return self.leads(value.value, frame)
            case tree.Update():
                return self._stored(value.place, value.type, frame)
            case tree.Aggregate():
                return _NOTHING.union(*(self.leads(part, frame) for _, part in value.parts))
            case tree.Call():
                if value in self.library:
                    return frozenset((_Unknown(Obstacle.UNKNOWN_CALL),))
                made = self.content(_Own(value, frame), value.type) if value.constructs else _NOTHING
                return made | (frozenset(frame.inner[value].results) if value in frame.inner else _NOTHING)
            case tree.Ending():
                return self.leads(value.value, frame)
            case tree.StatementValue():
                return self.leads(value.value, frame) if value.value is not None else _NOTHING
            case (
                tree.Constant() | tree.FunctionAddress() | tree.Unary() | tree.Binary() | tree.Distance()
                | tree.ShortCircuit()
            ):  # fmt: skip
                return _NOTHING
            case _:
                return assert_never(value)

    def _stored(self, place: tree.Place, t: types.Type, frame: _Frame) -> _Targets:
        return _NOTHING.union(*(self.content(one, t) for one in self.objects(place, frame)))

    def _converted(self, value: tree.Convert, frame: _Frame) -> _Targets:
        inner = value.value
        if types.holds_pointers(inner.type):
            found = self.leads(inner, frame)
            if value.written:  # bytes of pointers may be written by another type
                self._blur(found)
            return found
        if isinstance(inner, tree.Constant) and inner.value == 0:
            return _NOTHING
        return frozenset((_Unknown(Obstacle.FROM_INTEGER),))

    def _blur(self, found: _Targets) -> None:
        """Forget what the thread's own objects lead to."""
        for one in found:
            if isinstance(one, _Own) and (not isinstance(one.of, Variable) or types.holds_pointers(one.of.type)):
                self.add(self.contents.setdefault(one, set()), (_Unknown(Obstacle.FROM_INTEGER),))

    def assign(self, place: tree.Place, value: tree.Expression, frame: _Frame) -> None:
        """Store a value that may lead somewhere."""
        if not types.holds_pointers(value.type):
            if _in_union(place):
                self._blur(self.objects(place, frame))
            return
        found = self.leads(value, frame)
        self.derived.update(one.root for one in found if isinstance(one, _Shared))
        if any(isinstance(one, _Own) and isinstance(one.of, tree.Call) for one in found):
            raise UnprovableError("an object keeps its own address", place.origin)
        for one in self.objects(place, frame):
            if isinstance(one, _Own):
                self.add(self.contents.setdefault(one, set()), found)
            elif isinstance(value.type, types.Pointer) or any(isinstance(to, _Own | _Shared) for to in found):
                raise UnprovableError(Obstacle.STORED_POINTER, place.origin)


class _Body(Once):
    """Goes through the body or a function."""

    def __init__(self, walk: _Walk, frame: _Frame) -> None:
        super().__init__()
        self.walk, self.frame = walk, frame

    def statement(self, node: tree.Statement, state: bool | None) -> bool | None:
        if isinstance(node, tree.Return):
            if self.frame is self.walk.root:
                raise UnprovableError(Obstacle.JUMPS, node.origin)
            if node.value is not None:
                end = super().statement(node, state)
                self.walk.add(self.frame.results, self.walk.leads(node.value, self.frame))
                return end
        elif isinstance(node, tree.Goto | tree.Target):
            raise UnprovableError(Obstacle.JUMPS, node.origin)
        return super().statement(node, state)

    def access(self, state: bool, access: Touch) -> bool:
        walk, place, node = self.walk, access.place, access.node
        if place.type.volatile or place.type.atomic:
            raise UnprovableError(Obstacle.VOLATILE, place.origin or node.origin)
        match node:
            case tree.Store():
                walk.assign(place, node.value, self.frame)
            case tree.Declare() | tree.Temporary() if node.initialiser is not None:
                walk.assign(place, node.initialiser, self.frame)
        for one in walk.objects(place, self.frame):
            if isinstance(one, _Unknown):
                raise UnprovableError(one.why, place.origin, one.remedy, one.loaded)
            if isinstance(one, _Own) and access.writes:
                self._writes_own(one)
            if isinstance(one, _Shared):
                walk.mentioned.add(one.root)
                self._note(access, one.root)
        return state

    def _writes_own(self, one: _Own) -> None:
        walk = self.walk
        if not isinstance(one.of, Variable) or one.frame is not walk.root or one.of in walk.declared:
            return
        if one.of.entity in walk.scene.memory:
            raise UnprovableError(f"'{one.of.name}' itself is changed")

    def _note(self, access: Touch, root: Entity) -> None:
        walk = self.walk
        if not walk.last:
            return
        loops = tuple(one for one in access.loops if not self._is_shared_out(one))
        certain = access.certain and self.frame is walk.root
        node: tree.Node = access.place if self.frame is walk.root else self._call()
        position = len(walk.items)
        loops = (*self.frame.loops, *loops)
        walk.items.append(Access(node, root, access.reads, access.writes, access.ordered, loops, certain, position,
                                 access.place, access.node, self.frame.seen(access.place)))  # fmt: skip

    def _call(self) -> tree.Node:
        """The call in the body that leads to this function."""
        frame = self.frame
        while frame.outer is not self.walk.root:
            assert frame.outer is not None
            frame = frame.outer
        return next(call for call, inner in self.walk.root.inner.items() if inner is frame)

    def _is_shared_out(self, loop: tree.Loop) -> bool:
        walk = self.walk
        return loop in walk.shared_out or (
            walk.scene.waits and any(isinstance(n, tree.Construct) for n in tree.walk(loop))
        )

    def call(self, state: bool, call: tree.Call) -> bool:
        walk, frame = self.walk, self.frame
        if not isinstance(call.callee, tree.FunctionAddress) or call.virtual:
            raise UnprovableError(Obstacle.UNKNOWN_CALL, call.origin)
        function = call.callee.function
        body = walk.scene.body(function)
        if body is None:
            self._library(call, function)
            return state
        if frame.runs(function):
            raise UnprovableError(f"'{function.name}' calls itself", call.origin)
        arguments = [walk.leads(argument, frame) for argument in call.arguments]
        if call.constructs:
            arguments.insert(0, frozenset((_Own(call, frame),)))
        if len(arguments) != len(body.parameters):
            raise UnprovableError(f"'{function.name}' may have side effects: its parameters are not all named")
        inner = frame.inner.get(call)
        if inner is None:
            walk.calls += 1
            if walk.calls > _MOST_CALLS:
                raise UnprovableError("too many calls", call.origin)
            loops = tuple(one for one in self._loops if not self._is_shared_out(one))
            definition = walk.definitions.setdefault(function, Definition(body))
            inner = frame.inner[call] = _Frame(frame, function, (*frame.loops, *loops), definition, call)
        for parameter, found in zip(body.parameters, arguments, strict=True):
            walk.add(walk.contents.setdefault(_Own(parameter, inner), set()), found)
            if not (isinstance(parameter.type, types.Pointer) and parameter.type.to.const):
                walk.derived.update(one.root for one in found if isinstance(one, _Shared))
        try:
            _Body(walk, inner).statement(body.statement, True)
        except UnprovableError as problem:
            if frame is not walk.root:
                raise
            why = f"'{function.name}' may have side effects: {problem}"
            raise UnprovableError(why, call.origin, problem.remedy, problem.loaded) from None
        return state

    def _library(self, call: tree.Call, function: Function) -> None:
        """A call of a function that the unit does not have."""
        walk = self.walk
        name = function.name
        if not walk.scene.computes(function):
            if name.startswith(("omp_", "__")):  # nobody can define it
                raise UnprovableError(Obstacle.UNKNOWN_CALL, call.origin)
            remedy = f"define '{name}' in this unit, or in a header"
            raise UnprovableError(f"'{name}' may have side effects: it is not in this unit", call.origin, remedy)
        found = _NOTHING.union(*(walk.leads(argument, self.frame) for argument in call.arguments))
        for one in found:
            if isinstance(one, _Unknown):
                raise UnprovableError(one.why, call.origin, one.remedy, one.loaded)
            if isinstance(one, _Shared):
                raise UnprovableError(f"'{name}' is given a pointer to mapped memory", call.origin)
        inside = _NOTHING.union(*(frozenset(walk.contents.get(one, ())) for one in found if isinstance(one, _Own)))
        for one in found:
            if isinstance(one, _Own):
                self._writes_own(one)
                walk.add(walk.contents.setdefault(one, set()), inside)
        walk.library.add(call)

    def opaque(self, state: bool, node: tree.Opaque) -> bool:  # noqa: ARG002 - nobody knows what follows
        raise UnprovableError(node.why, node.origin)

    def construct(self, state: bool, node: tree.Construct) -> bool | None:
        leaves, scene = {*node.directive.constructs}, self.walk.scene
        if leaves == {"simd"}:
            if node.directive.clauses:
                raise UnprovableError("a simd construct with clauses", node.origin)
        elif leaves == {"atomic"} and node.body is not None:
            pass
        elif scene.waits and self.frame is self.walk.root and leaves <= _WAITING:
            copied = privatised_names(node.directive)
            if any(v.name in copied and v.entity in scene.memory for v in node.variables):
                what = f"'{node.directive.name}' makes copies of what is mapped"
                raise UnprovableError(what, node.origin, "give the copies names of their own, declared inside")
            if isinstance(node.body, tree.Loop):
                self.walk.shared_out.add(node.body)
        else:
            raise UnprovableError(
                f"a '{node.directive.name}' construct", node.origin, "put it into a region of its own"
            )
        return super().construct(state, node)

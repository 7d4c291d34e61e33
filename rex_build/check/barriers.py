"""Barriers that only some threads of a team come to: those under conditions that ask which thread it is."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..base.diagnostics import SourceSpan
from ..base.findings import Finding, Note
from ..tree import nodes as tree
from ..tree.nodes import Construct, parts
from ..tree.symbols import Function, Variable
from ..tree.values import only_statement, unconverted
from .events import Language

_THREAD = "omp_get_thread_num"
_WAITING = frozenset(("for", "single", "sections", "scope"))  # they end with a barrier, unless they have nowait
_Condition = tuple[tree.Expression, bool]  # with whether it surely differs between threads


class Barriers:
    """Looks for such barriers in the regions of a unit."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._barriers: dict[Function, tree.Construct | None] = {}

    def region(self, target: tree.Construct) -> Iterator[Finding]:
        """The findings in one region."""
        if not any(map(_is_query, tree.parts(target, tree.Call))):
            return
        numbers = _numbers(target)
        entered: set[Function] = set()
        stack: list[tuple[tree.Node, _Condition | None, bool]] = [(target, None, False)]
        while stack:
            node, condition, is_shared = stack.pop()
            if isinstance(node, tree.Construct):
                if "parallel" in node.directive.constructs:
                    condition, is_shared = None, True
                elif condition is not None and is_shared and _waits(node):
                    yield self._finding(node, node.directive.span, *condition)
            elif condition is not None and is_shared and isinstance(node, tree.Call):
                barrier = self._barrier_in(node)
                if barrier is not None:
                    yield self._finding(barrier, self._language.span(node) or barrier.directive.span, *condition)
            elif isinstance(node, tree.Call) and (body := self._given_number(node, numbers)) is not None:
                stack += [(body.statement, None, is_shared)] * (body.function not in entered)
                entered.add(body.function)
            inner = _condition_of(node, numbers) or condition
            head = _head(node)
            for part in reversed(tree.children(node)):
                stack.append((part, condition if part is head else inner, is_shared))

    def _body(self, call: tree.Call) -> tree.Body | None:
        """The body of a function of the unit that is called."""
        function = getattr(call.callee, "function", None)
        return self._language.body(function) if function is not None and function.defined else None

    def _given_number(self, call: tree.Call, numbers: set[Variable]) -> tree.Body | None:
        """The body of a function, or of a closure, that gets the thread's number. Its ``numbers`` are added."""
        if not any(_is_number(unconverted(argument), numbers) for argument in call.arguments):
            return None
        body = self._body(call)
        if body is not None:
            given = zip(body.parameters, call.arguments, strict=False)
            parameters = {variable for variable, argument in given if _is_number(unconverted(argument), numbers)}
            numbers |= _numbers(body.statement, parameters)
        return body

    def _barrier_in(self, call: tree.Call) -> tree.Construct | None:
        """A barrier to which a function of the unit comes, or one that it calls."""
        body = self._body(call)
        if body is None:
            return None
        if body.function not in self._barriers:
            self._barriers[body.function] = None  # while it is looked at
            self._barriers[body.function] = self._first_barrier(body.statement)
        return self._barriers[body.function]

    def _first_barrier(self, body: tree.Node) -> tree.Construct | None:
        stack = [body]
        while stack:
            node = stack.pop()
            if isinstance(node, tree.Construct):
                if "parallel" in node.directive.constructs:
                    continue  # whose own threads wait
                if _waits(node):
                    return node
            inner = self._barrier_in(node) if isinstance(node, tree.Call) else None
            if inner is not None:
                return inner
            stack += reversed(tree.children(node))
        return None

    def _finding(self, node: tree.Construct, span: SourceSpan, condition: tree.Expression, sure: bool) -> Finding:
        what = "come to this barrier" if node.directive.name == "barrier" else "come to the barrier at the end of this"
        what = what if span == node.directive.span else "make this call, in which there is a barrier"
        doubt = "" if sure else ", unless the condition is the same for all"
        message = f"only some threads of a team {what}{doubt}"
        notes = [Note("the condition asks which thread it is", self._language.span(condition) or span)]
        if span != node.directive.span:
            notes.append(Note("the barrier is here", node.directive.span))
        return Finding("barrier", sure, message, span, _THREAD, "let all threads come to it", tuple(notes))


def _numbers(whole: tree.Node, parameters: Collection[Variable] = ()) -> set[Variable]:
    """The variables that hold the thread's number, and nothing else. The ``parameters`` begin with it."""
    changed = {
        node.place.variable
        for node in tree.walk(whole)
        if isinstance(node, tree.Store | tree.Update | tree.AddressOf) and isinstance(node.place, tree.Named)
    }
    begun = ((n.variable, n.initialiser) for n in tree.parts(whole, tree.Declare) if n.initialiser is not None)
    return {variable for variable, value in begun if _is_query(unconverted(value))}.union(parameters) - changed


def _waits(node: tree.Construct) -> bool:
    if node.directive.name == "barrier":
        return True
    return bool(_WAITING.intersection(node.directive.constructs)) and not node.directive.has("nowait")


def _head(node: tree.Node) -> tree.Expression | None:
    """What is asked for parts of a statement to run."""
    if isinstance(node, tree.If | tree.Loop):
        return node.condition
    return node.value if isinstance(node, tree.Switch) else None


def _condition_of(node: tree.Node, numbers: set[Variable]) -> _Condition | None:
    """The condition under which parts of a statement run, if it asks for the thread's number."""
    head = _head(node)
    if head is None or not any(_is_number(part, numbers) for part in tree.walk(head)):
        return None
    asked = unconverted(head)
    while isinstance(asked, tree.Unary) and asked.operator == "!":
        asked = unconverted(asked.operand)
    while isinstance(asked, tree.Binary) and asked.operator in ("==", "!=", "%", "&"):
        right = unconverted(asked.right)
        asked = right if _is_number(right, numbers) else unconverted(asked.left)
    return head, not isinstance(node, tree.Loop) and _is_number(asked, numbers)


def _is_number(value: tree.Node, numbers: set[Variable]) -> bool:
    return _is_query(value) or (isinstance(value, tree.Load) and getattr(value.place, "variable", None) in numbers)


def _is_query(node: tree.Node) -> bool:
    function = getattr(node.callee, "function", None) if isinstance(node, tree.Call) else None
    return function is not None and function.name == _THREAD


# Teams that are not alone in their region, which OpenMP forbids (5.2, section 10.2): they begin as one team.


def teams_beside_others(target: Construct) -> Iterator[Finding]:
    """The ``teams`` construct in a region that has something else in it as well."""
    if "teams" in target.directive.constructs or target.body is None:
        return
    inner = next((one for one in parts(target.body, Construct) if "teams" in one.directive.constructs), None)
    if inner is None or only_statement(target.body) is inner:
        return
    message = f"the region has more in it than '{inner.directive.name}': one team with one thread runs what is around"
    advice = "put 'target' and 'teams' into one directive, and what is around outside of it or into a region of its own"
    note = Note("the region is here", target.directive.span)
    yield Finding("nesting", True, message, inner.directive.span, "", advice, (note,))

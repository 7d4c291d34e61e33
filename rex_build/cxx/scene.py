"""A function with target constructs, and what findings about it ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ..base.findings import Finding, Note
from ..base.patterns import regex
from ..base.records import replace
from ..base.spans import SourceSpan
from ..directives.model import Clause, Locator, MapClause
from .accesses import Access, Branch, accesses
from .code import Construct, Variable
from .libclang import is_users
from .regions import Decided
from .unit import Function, Unit

_LEAVING = regex(r"\b(?:continue|break|return|goto|throw)\b")
_STATIC = regex(r"\b(?:static|extern|thread_local)\b")
_ALLOCATION = regex(r"\bnew\b|\b(?:malloc|calloc|aligned_alloc)\s*\(")


class Region:
    """A region with its accesses to variables from outside of it."""

    def __init__(self, scene: Scene, decided: Decided) -> None:
        self.plan, self.chain = decided.region, decided.chain
        self.construct = decided.chain[0]
        self.start, self.end = self.construct.start, self.construct.end
        self.private = self.plan.sharing.named
        self.may_stay = self.construct.directive.has("if", "device")  # on the host, where all memory is one
        inside = [c for c in scene.unit.constructs if self.start < c.start < self.end and c not in self.chain]
        self.inside: tuple[Construct, ...] = tuple(inside)
        own = [a for a in scene.accesses if self.start < a.start < self.end]
        self.accesses = tuple(a for a in own if not self.start < a.variable.start < self.end)
        around = own[0].branches if own else ()
        self.branches = tuple(branch for branch in around if branch.start <= self.start)

    def of(self, variable: Variable) -> list[Access]:
        return [access for access in self.accesses if access.variable is variable]

    def inner(self, access: Access) -> tuple[Branch, ...]:
        """The branches between the region and an access in it."""
        return tuple(branch for branch in access.branches if branch.start >= self.start)


class Scene:
    """``listed`` are the constructs of the unit that name a variable in a clause."""

    def __init__(
        self,
        unit: Unit,
        function: Function,
        decided: Sequence[Decided],
        listed: dict[Variable, list[Construct]],
    ) -> None:
        self.unit, self.function, self.listed = unit, function, listed
        self.accesses = accesses(unit, function)
        self.constructs = [c for c in unit.constructs if function.body <= c.start < function.end]
        self.regions = [Region(self, one) for one in decided]

    # -- places -------------------------------------------------------------------------------------------------------

    def span(self, access: Access) -> SourceSpan:
        first, last = self.unit.span(access.start), self.unit.span(access.end - 1)
        same = (first.file, first.line) == (last.file, last.line)
        return replace(first, length=last.column - first.column + 1) if same else first

    def text(self, access: Access) -> str:
        return " ".join(self.unit.text[access.start : access.end].split())

    def finding(
        self, name: str, access: Access, message: str, advice: str, notes: Iterable[Note] = (), *, certain: bool = True
    ) -> Finding:
        return Finding(name, certain, message, self.span(access), access.variable.name, advice, tuple(notes))

    # -- clauses ------------------------------------------------------------------------------------------------------

    def variable(self, item: Locator, construct: Construct) -> Variable | None:
        return self.unit.lookup(self.function, item.name, construct.start) if item.name != "this" else None

    def maps(self, constructs: Iterable[Construct]) -> Iterator[tuple[MapClause, Locator, Variable]]:
        for construct in constructs:
            for clause in construct.directive.clauses:
                if not isinstance(clause, MapClause):
                    continue
                for item in clause.items:
                    variable = self.variable(item, construct)
                    if variable is not None:
                        yield clause, item, variable

    def names(self, construct: Construct, *, but: Sequence[str] = ()) -> set[Variable | None]:
        """The variables that clauses of a construct name."""
        clauses = (clause for clause in construct.directive.clauses if clause.name not in but)
        return {self.variable(item, construct) for clause in clauses for item in items_of(clause)}

    def only_listed_by(self, variable: Variable, constructs: Sequence[Construct]) -> bool:
        """Whether no other construct of the unit names a variable."""
        return all(any(c is one for one in constructs) for c in self.listed.get(variable, ()))

    # -- variables ----------------------------------------------------------------------------------------------------

    @cached_property
    def lent(self) -> set[Variable]:
        """The variables whose addresses, or the values of which as pointers, go where this is not followed."""
        return {access.variable for access in self.accesses if access.lent}

    def is_own(self, variable: Variable) -> bool:
        """Whether a variable and what it leads to are of this function only."""
        k = self.unit.kinds
        if variable.cursor.kind != k.VAR_DECL or not variable.is_local or variable.is_reference:
            return False
        declaration = self.unit.text[variable.start : variable.end]
        if variable in self.lent or _STATIC.search(declaration.partition("=")[0]):
            return False
        if variable.type.kind != "pointer":
            return True
        changed = any(a.variable is variable and a.writes and not a.through for a in self.accesses)
        return not changed and _ALLOCATION.search(declaration) is not None

    def is_own_scalar(self, variable: Variable) -> bool:
        """Whether a scalar is a variable of this function of which nothing else has the address."""
        local = variable.is_local and not variable.is_reference and variable not in self.lent
        return local and not _STATIC.search(self.unit.text[variable.start : variable.end].partition("=")[0])

    def names_private(self, region: Region, variable: Variable) -> bool:
        """Whether a region, or a construct in it, may have copies of a variable."""
        if variable in region.private or any(c.directive.has("default") for c in region.inside):
            return True
        return any(variable in self.names(c, but=("map",)) for c in (*region.chain, *region.inside))

    @staticmethod
    def is_object(access: Access) -> bool:
        """Whether an access is to an element of an array, or of what a pointer leads to."""
        return access.through or (access.variable.type.kind == "array" and access.subscript is not None)

    # -- what follows what --------------------------------------------------------------------------------------------

    def after(self, region: Region, variable: Variable, *, objects: bool) -> Access | None:
        """The first access of the host behind a region, if it surely follows it."""
        for access in self.accesses:
            if access.variable is not variable or access.order < region.end:
                continue
            if objects and not self.is_object(access) and not access.lent and not access.writes:
                continue
            inside = any(other.start < access.start < other.end for other in self.regions)
            return access if not inside and follows(region, access) else None
        return None

    def may_end_before(self, start: int, access: Access) -> bool:
        """Whether a statement between two places may leave the loop or function, so that an access is not made."""
        return _LEAVING.search(self.unit.text, start, access.start) is not None

    def calls_between(self, low: int, high: int) -> bool:
        """Whether functions of the user's, or of the runtime, are called between two places."""
        between = (target for place, target in self.function.calls if low <= place < high)
        return any(is_users(target) or target.spelling.startswith("omp_") for target in between)


def items_of(clause: Clause) -> tuple[Locator, ...]:
    return tuple(getattr(clause, "items", ()))


def follows(region: Region, access: Access) -> bool:
    """Whether the region has run when an access behind it in the text is made after it: no other branch is between."""
    around = {branch.low for branch in access.branches}
    if any(branch.kind == "lambda" and branch.low not in around for branch in region.branches):
        return False
    for branch in access.branches:
        if branch.start <= region.start < branch.end:
            if not branch.low <= region.start < branch.high or branch.kind == "switch":
                return False
        elif branch.kind == "lambda":
            return False
    return True

"""Data-sharing attributes and what a statement needs from its surroundings."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

from pycparser import c_ast

from ...base.diagnostics import InputError, error_at
from ...base.records import dataclass
from ...directives.model import Directive, Index, KeywordClause, ListClause, Locator, ReductionClause, Section, Step
from ...plan.sharing import Reduction, Sharing
from ..sema import Sema, Symbol, walk
from ..sema.ctype import (
    Array,
    CType,
    Function,
    Pointer,
    Scalar,
    decay,
    is_arithmetic,
    is_array,
    is_complex,
    is_variably_modified,
    strip,
)
from ..syntax.nodes import OmpConstruct, ParsedUnit

OPERATORS = {
    "+": "rex_add",
    "-": "rex_add",
    "*": "rex_mul",
    "&": "rex_band",
    "|": "rex_bor",
    "^": "rex_bxor",
    "&&": "rex_land",
    "||": "rex_lor",
    "min": "rex_min",
    "max": "rex_max",
}
_OF_COMPLEX = ("+", "-", "*", "&&", "||")

# Queries whose answer shows which thread or team runs an iteration.
_PLACE_QUERIES = frozenset(
    [
        "omp_get_thread_num",
        "omp_get_num_threads",
        "omp_get_max_threads",
        "omp_get_team_num",
        "omp_get_num_teams",
        "omp_get_team_size",
        "omp_get_ancestor_thread_num",
        "omp_get_thread_limit",
        "omp_get_level",
        "omp_get_active_level",
        "omp_in_parallel",
    ]
)
_FACT_QUERIES = frozenset(["omp_get_num_devices", "omp_get_initial_device", "omp_get_device_num", "omp_get_num_procs"])
_SETTERS = frozenset(["omp_set_num_threads", "omp_set_schedule", "omp_set_max_active_levels", "omp_set_nested"])
_TASK_QUERIES = frozenset(["omp_in_explicit_task", "omp_in_final"])  # of which tasks keep a record
_SETTINGS = _SETTERS | _TASK_QUERIES | {"omp_get_max_threads", "omp_get_schedule", "omp_get_max_active_levels"}
_LIMIT_QUERIES = frozenset(
    ["omp_get_max_teams", "omp_set_num_teams", "omp_get_teams_thread_limit", "omp_set_teams_thread_limit"]
)


_COPYING = ("private", "firstprivate", "lastprivate", "linear", "reduction", "in_reduction")


def named_symbol(sema: Sema, construct: OmpConstruct, item: Locator) -> Symbol:
    """The variable a list item begins with. Raises InputError where there is none of that name."""
    symbol = sema.lookup(construct, item.name)
    if symbol is None:
        raise error_at(item.span, f"'{item.name}' is not declared")
    if not symbol.is_variable:
        raise error_at(item.span, f"'{item.name}' is not a variable")
    return symbol


def privatised_names(directive: Directive) -> frozenset[str]:
    """The variables of which a construct makes private copies because its clauses say so."""
    clauses = directive.all(*_COPYING)
    return frozenset(i.name for c in clauses if isinstance(c, ListClause | ReductionClause) for i in c.items)


def sharing_of(sema: Sema, constructs: Iterable[OmpConstruct], *, with_reductions: bool = True) -> Sharing:
    """The private copies that the clauses of a chain of directly nested constructs ask for. Without reductions, those
    that devices do not have are not refused."""
    private: dict[Symbol, None] = {}
    first: dict[Symbol, None] = {}
    last: dict[Symbol, None] = {}
    reductions: dict[Symbol, Reduction] = {}
    linear: dict[Symbol, c_ast.Node | None] = {}
    alignments: dict[Symbol, str] = {}
    for construct in constructs:
        for clause in construct.directive.clauses:
            if isinstance(clause, ListClause) and clause.name in ("private", "firstprivate", "lastprivate", "linear"):
                for item in clause.items:
                    if item.steps:
                        raise error_at(item.span, f"'{clause.name}' takes variables, not parts of them")
                    symbol = named_symbol(sema, construct, item)
                    if clause.name == "linear":
                        linear[symbol] = clause.step.node if clause.step is not None else None
                    else:
                        {"private": private, "firstprivate": first, "lastprivate": last}[clause.name][symbol] = None
            elif isinstance(clause, ListClause) and clause.name == "allocate":
                aligned = [m.removeprefix("align(")[:-1] for m in clause.modifiers if m.startswith("align(")]
                alignments.update({named_symbol(sema, construct, i): a for a in aligned for i in clause.items})
            elif isinstance(clause, ReductionClause) and clause.name in ("reduction", "in_reduction"):
                for item in clause.items if with_reductions else ():
                    reduction = _reduction(sema, construct, clause, item)
                    reductions[reduction.symbol] = reduction
        attribute, implicit = _by_default(sema, construct)
        (private if attribute == "private" else first).update(dict.fromkeys(implicit))
    for symbol in reductions:
        private.pop(symbol, None)
    return Sharing(
        tuple(s for s in private if s not in last),
        tuple(first),
        tuple(last),
        tuple(reductions.values()),
        tuple(linear.items()),
        tuple(alignments.items()),
    )


def _by_default(sema: Sema, construct: OmpConstruct) -> tuple[str, list[Symbol]]:
    """The attribute that ``default`` of a parallel or teams construct gives to the variables in no clause, and those
    that get copies (OpenMP 5.2, section 5.4.1). A map clause says nothing about the threads inside."""
    directive = construct.directive
    default = directive.clause("default")
    attribute = default.value if isinstance(default, KeywordClause) else ""
    copies = attribute in ("private", "firstprivate") and {"parallel", "teams"}.intersection(directive.constructs)
    if not copies or construct.body is None:
        return attribute, []
    clauses = directive.all(*_COPYING, "shared")
    listed = {i.name for c in clauses if isinstance(c, ListClause | ReductionClause) for i in c.items}
    used = [r.symbol for r in sema.free_variables(construct.body)]
    return attribute, [s for s in used if s.name not in listed and not s.is_global and s.storage != "static"]


def only_used(sema: Sema, sharing: Sharing, body: c_ast.Node) -> Sharing:
    """Without the private copies of variables that ``body`` does not mention: the kernel does not have those."""
    used = {r.symbol for r in sema.free_variables(body)} | set(sharing.lastprivate)
    return replace(
        sharing,
        private=tuple(s for s in sharing.private if s in used),
        firstprivate=tuple(s for s in sharing.firstprivate if s in used),
    )


def of_loop(
    sharing: Sharing, variables: Sequence[tuple[Symbol, bool]], predetermined: Container[Symbol] = ()
) -> Sharing:
    """The sharing of a construct with a loop nest, whose ``variables`` (each with whether the loop declares it) are
    private, or lastprivate where they are linear. Those of ``simd`` are so without a clause, ``predetermined``
    (OpenMP 5.2, section 5.1.1)."""
    linear = {s for s, _ in sharing.linear}
    linear |= {s for s, declared in variables if s in predetermined and not declared and s not in sharing.private}
    last = (*sharing.lastprivate, *(s for s, _ in variables if s in linear and s not in sharing.lastprivate))
    own = tuple(s for s, declared in variables if not declared and s not in last)
    return Sharing(
        tuple(s for s in sharing.private if s not in own) + own,
        tuple(s for s in sharing.firstprivate if s not in own),
        last,
        sharing.reductions,
        tuple((s, step) for s, step in sharing.linear if s not in last),
        sharing.alignments,
    )


def _reduction(sema: Sema, construct: OmpConstruct, clause: ReductionClause, item: Locator) -> Reduction:
    section = "OpenMP 5.2, section 5.5.8: reduction clause"
    symbol = named_symbol(sema, construct, item)
    kind: CType = strip(symbol.type)
    count = 0
    first: c_ast.Node | None = None
    length: c_ast.Node | None = None
    whole = False
    if item.steps:
        kind, count, first, length = _section(sema, item, symbol, section)
    elif is_array(symbol.type) and is_variably_modified(symbol.type):
        whole, count = True, 1
        while isinstance(kind, Array):
            kind = strip(kind.of)
    while isinstance(kind, Array):
        if kind.length is None:
            what = f"a reduction over '{item.text}', whose rows have no constant length, is not supported"
            raise error_at(item.span, what, section)
        count = (count or 1) * kind.length
        kind = strip(kind.of)
    functions = _user_reduction(sema, clause.operator, kind)
    locator = item if item.steps else None
    if functions is not None:
        return Reduction(symbol, "", kind, functions, count, first, locator, length, whole)
    if clause.operator not in OPERATORS:
        raise error_at(clause.span, f"no reduction '{clause.operator}' is declared for '{kind}'", section)
    if not is_arithmetic(kind) or (is_complex(kind) and clause.operator not in _OF_COMPLEX):
        raise error_at(item.span, f"a reduction over '{symbol.name}' of type '{symbol.type}' is not supported", section)
    if isinstance(kind, Scalar) and kind.name.startswith("long double"):
        raise error_at(item.span, "a reduction over a long double is not supported: the device has none", section)
    return Reduction(symbol, OPERATORS[clause.operator], kind, None, count, first, locator, length, whole)


def _section(
    sema: Sema, item: Locator, symbol: Symbol, rule: str
) -> tuple[CType, int, c_ast.Node | None, c_ast.Node | None]:
    """(element type, number of elements, index of the first, factor of the number that only the run knows) of a section
    of an array or pointer. An element is a section of one."""
    step = item.steps[0]
    pointer = decay(symbol.type)
    if not isinstance(pointer, Pointer) or not _are_whole_rows(sema, item.steps[1:], strip(pointer.to)):
        raise error_at(item.span, f"a reduction over '{item.text}' is not supported", rule)
    if isinstance(step, Index):
        return strip(pointer.to), 1, step.expr.node, None
    if not isinstance(step, Section) or step.stride is not None:
        raise error_at(item.span, f"a reduction over '{item.text}' is not supported", rule)
    length = sema.value(step.length.node) if step.length is not None else None
    whole = strip(symbol.type)
    if step.length is None and isinstance(whole, Array) and step.lower is None:
        length = whole.length
    first = step.lower.node if step.lower is not None else None
    if length is None and step.length is not None:
        return strip(pointer.to), 1, first, step.length.node
    if length is None or length < 1:
        raise error_at(item.span, f"a reduction over '{item.text}', whose length is not known, is not supported", rule)
    return strip(pointer.to), length, first, None


def _are_whole_rows(sema: Sema, steps: Sequence[Step], row: CType) -> bool:
    """Whether the further steps of a section leave out no part of its rows, all that a section in one piece allows."""
    for step in steps:
        if not isinstance(step, Section) or step.stride is not None or not isinstance(row, Array):
            return False
        starts = step.lower is None or sema.value(step.lower.node) == 0
        ends = step.length is None or (row.length is not None and sema.value(step.length.node) == row.length)
        if not starts or not ends:
            return False
        row = strip(row.of)
    return True


def _user_reduction(sema: Sema, name: str, kind: CType) -> tuple[Symbol, Symbol] | None:
    """Combiner and initialiser of the reduction that the program declares for a type."""
    for declared in sema.user_reductions:
        combine, initialise = sema.file_symbol(declared.combine), sema.file_symbol(declared.initialise)
        if declared.name == name and combine is not None and initialise is not None:
            assert isinstance(combine.type, Function)
            pointer = combine.type.params[0]
            if isinstance(pointer, Pointer) and strip(pointer.to) == kind:
                return combine, initialise
    return None


def constructs_in(node: c_ast.Node) -> list[OmpConstruct]:
    """The OpenMP constructs inside a statement, itself included, in source order."""
    return [n for n in walk(node) if isinstance(n, OmpConstruct)]


def has_leaf(node: c_ast.Node, *leaves: str) -> bool:
    """Whether a construct with one of these leaf constructs stands in a statement."""
    return any(set(c.directive.constructs).intersection(leaves) for c in constructs_in(node))


def reduction_functions(sema: Sema, construct: OmpConstruct) -> list[str]:
    """Functions that run the combiners and initialisers which a construct's clauses may ask for."""
    asked = {c.operator for c in construct.directive.clauses if isinstance(c, ReductionClause)}
    return [declared.uses for declared in sema.user_reductions if declared.name in asked]


@dataclass(frozen=True)
class _Mentions:
    """What one body mentions: functions of the unit (in order), OpenMP queries it calls, any OpenMP construct, any call
    through a pointer, and any that may lead to another unit's device code."""

    functions: tuple[str, ...]
    queries: frozenset[str]
    constructs: bool
    pointer_calls: bool
    calls_other_units: bool


_MENTIONS: WeakKeyDictionary[c_ast.Node, _Mentions] = WeakKeyDictionary()  # many regions reach the same functions


def _mentions(sema: Sema, body: c_ast.Node) -> _Mentions:
    """What a body mentions. The function it belongs to has been analysed."""
    if body not in _MENTIONS:
        functions: dict[str, None] = {}
        queries: set[str] = set()
        constructs = pointer_calls = calls_other_units = False
        for part in walk(body):
            if isinstance(part, c_ast.ID):
                calls_other_units |= part.name in sema.elsewhere
                if part.name in sema.functions and part.name not in functions:
                    symbol = sema.symbol(part)
                    if symbol is not None and isinstance(symbol.type, Function):
                        functions[part.name] = None
            elif isinstance(part, c_ast.FuncCall):
                if isinstance(part.name, c_ast.ID) and part.name.name.startswith("omp_"):
                    queries.add(part.name.name)
                symbol = sema.symbol(part.name) if isinstance(part.name, c_ast.ID) else None
                pointer_calls |= not isinstance(part.name, c_ast.ID) or (symbol is not None and symbol.is_variable)
            elif isinstance(part, OmpConstruct):
                constructs = True
                functions.update(dict.fromkeys(reduction_functions(sema, part)))
        calls_other_units |= pointer_calls and sema.is_separable
        _MENTIONS[body] = _Mentions(tuple(functions), frozenset(queries), constructs, pointer_calls, calls_other_units)
    return _MENTIONS[body]


def called_functions(sema: Sema, roots: Sequence[c_ast.Node]) -> list[c_ast.FuncDef]:
    """Definitions of the functions reachable from ``roots``, nearest first: called, named for their address, or, where
    there are calls by address, callable so."""
    found: dict[str, c_ast.FuncDef] = {}
    queue = deque(roots)
    while queue:
        mentions = _mentions(sema, queue.popleft())
        by_address = sema.callable_by_address if mentions.pointer_calls else ()
        for name in (*mentions.functions, *by_address):
            if name not in found:
                found[name] = sema.functions[name]
                sema.analyse(found[name])
                queue.append(found[name].body)
    return list(found.values())


def observes_thread_id(sema: Sema, body: c_ast.Node) -> bool:
    """Whether a body, or a function it reaches, can tell which thread or team runs it."""
    if _asks(sema, body, _PLACE_QUERIES):
        return True
    reached = (_mentions(sema, f.body) for f in called_functions(sema, [body]))
    # An orphaned construct binds to the team that runs it.
    return any(m.constructs for m in reached)


def asks_teams(sema: Sema, body: c_ast.Node) -> bool:
    """Whether a body, or a function it reaches, asks how many teams there are or which one runs it."""
    return _asks(sema, body, frozenset(("omp_get_num_teams", "omp_get_team_num")))


def asks_facts(sema: Sema, body: c_ast.Node) -> bool:
    """Whether a body, or a function it reaches, asks for device numbers that only the host knows."""
    return _asks(sema, body, _FACT_QUERIES)


def asks_limits(sema: Sema, body: c_ast.Node) -> bool:
    """Whether a body, or a function it reaches, asks for or sets the limits of teams, which launches keep to."""
    return _asks(sema, body, _LIMIT_QUERIES)


def asks_settings(sema: Sema, body: c_ast.Node) -> bool:
    """Whether a body, or a function it reaches, asks for or makes the settings of its task."""
    return _asks(sema, body, _SETTINGS)


def makes_settings(sema: Sema, body: c_ast.Node) -> bool:
    """Whether a body, or a function it reaches, makes settings of its task, or asks what task that is."""
    return _asks(sema, body, _SETTERS | _TASK_QUERIES)


def makes_host_settings(sema: Sema, body: c_ast.Node) -> bool:
    """... those that the host's tasks have."""
    return _asks(sema, body, _SETTERS | {"omp_set_dynamic", "omp_set_default_device"}, by_others=False)


def calls_other_units(sema: Sema, body: c_ast.Node) -> bool:
    """Whether a body, or a function it reaches, calls what may be device code of another unit."""
    if not sema.is_separable:
        return False
    return any(_mentions(sema, b).calls_other_units for b in (body, *(f.body for f in called_functions(sema, [body]))))


def _asks(sema: Sema, body: c_ast.Node, queries: frozenset[str], by_others: bool = True) -> bool:
    """Whether a body, or a function it reaches, calls one of ``queries``; ``by_others``: functions of other units, of
    which nothing is known, may."""
    reached = [_mentions(sema, b) for b in (body, *(f.body for f in called_functions(sema, [body])))]
    return any(not queries.isdisjoint(m.queries) or (by_others and m.calls_other_units) for m in reached)


def calls_through_pointers(sema: Sema, *bodies: c_ast.Node) -> bool:
    """Whether any of the bodies, or a function they reach, calls a function by its address."""
    reached = (f.body for f in called_functions(sema, bodies))
    return any(_mentions(sema, b).pointer_calls for b in (*bodies, *reached))


def check_jumps(unit: ParsedUnit, body: c_ast.Node, directive: str, is_iteration: bool = False) -> None:
    """Raise InputError when control can leave a structured block other than at its end (OpenMP 5.2, section 1.2.2).

    ``is_iteration``: the block is the body of an associated loop, which ``continue`` may end.
    """
    rule = "OpenMP 5.2, section 1.2.2: a structured block has one exit, at its end"
    labels = {n.name for n in walk(body) if isinstance(n, c_ast.Label)}

    def refuse(node: c_ast.Node, what: str) -> InputError:
        return error_at(unit.span_of(node), f"{what} leaves the '{directive}' region", rule)

    def visit(node: c_ast.Node, in_loop: bool, can_break: bool) -> None:
        if isinstance(node, c_ast.Return):
            raise refuse(node, "'return'")
        if isinstance(node, c_ast.FuncDef):
            return  # jumps in its own body
        if isinstance(node, c_ast.Goto) and not isinstance(node.name, str):
            what = f"a computed 'goto' in a '{directive}' region is not supported"
            raise error_at(unit.span_of(node), what, rule)
        if isinstance(node, c_ast.Goto) and node.name not in labels:
            raise refuse(node, f"'goto {node.name}'")
        if isinstance(node, c_ast.Break) and not can_break:
            raise refuse(node, "'break'")
        if isinstance(node, c_ast.Continue) and not in_loop:
            raise refuse(node, "'continue'")
        loop = isinstance(node, (c_ast.For, c_ast.While, c_ast.DoWhile))
        inside = isinstance(node, OmpConstruct)
        continues = (in_loop or loop) and not inside
        breaks = (can_break or loop or isinstance(node, c_ast.Switch)) and not inside
        for _, child in node.children():
            visit(child, continues, breaks)

    visit(body, is_iteration, False)

"""The host version of a region: what runs where there is no device for it."""

from __future__ import annotations

import re
from collections.abc import Collection

from pycparser import c_ast

from ...base.diagnostics import InputError, error_at
from ...directives.model import ExprClause, TextClause
from ...plan.host import HostCopy, HostLeague, HostRegion
from ...plan.sharing import NO_SHARING
from ..sema import Symbol, clause_locators, walk
from ..sema.ctype import is_array, is_scalar
from ..source.extents import statement_end
from ..syntax.nodes import OmpConstruct
from .clauses import condition_of, host_task
from .construct_facts import ConstructFacts
from .host_team import host_directive, is_left_out, needs_own_team
from .nesting import constructs_in, has_leaf, nesting
from .region_base import RegionBase
from .tasks import host_task_copies
from .unit_facts import UnitFacts

_TASK = re.compile(r"#[ \t]*pragma[ \t]+omp[ \t]+task(?:loop)?\b[^\n]*")  # not taskwait and the like


def host_region(facts: UnitFacts, function: c_ast.FuncDef, construct: OmpConstruct) -> HostRegion:
    """The host version alone of a region that cannot be lowered."""
    try:
        read = facts.constructs.facts(construct, with_reductions=False)
    except InputError:  # a clause is at fault: the construct is taken as it stands
        assert construct.body is not None
        read = ConstructFacts((construct,), construct.directive.constructs, construct.body, NO_SHARING)
    return HostVersion(facts, function, read).alone()


class HostVersion(RegionBase):
    """The text and the copies that make a region what the host compiler is to see."""

    def alone(self) -> HostRegion:
        """What stands in the region's place where it is not lowered."""
        text = self.unit.pre.text
        return HostRegion(
            self.directive.span,
            self.construct.start,
            statement_end(text, text.index("\n", self.construct.start)),
            tuple(self._fallback()),
            needs_own_team(self.calls, self.construct),
            self._host_limit(),
            self.calls.makes_host_settings(self.body),
            self._host_league(),
            self._host_copies(self._host_by_value()),
            host_task(self.construct),
        )

    def _host_limit(self) -> str | None:
        """What bounds the threads of its teams: a clause or, where it matters, OMP_TEAMS_THREAD_LIMIT (0: nothing)."""
        clauses = [c for part in self.chain for c in part.directive.all("thread_limit")]
        limit = clauses[-1] if clauses else None
        if limit is None and "teams" in self.leaves and self.calls.observes_thread_id(self.body):
            return "rex_host_teams_thread_limit()"
        return limit.expr.text if isinstance(limit, ExprClause) and limit.expr is not None else None

    def _host_league(self) -> HostLeague | None:
        """The teams that ``num_teams`` asks for, where the region can tell that they are not one."""
        part = next((p for p in self.chain if "teams" in p.directive.constructs), None)
        clause = part.directive.clause("num_teams") if part is not None else None
        alone = HostLeague("1", once=True) if self.calls.asks_teams(self.body) else None  # in a team of the host, too
        if part is None or not isinstance(clause, ExprClause) or clause.expr is None:
            return alone
        # One is what there is where it matters which of them runs an iteration.
        if any(c.directive.has("dist_schedule") for c in [*self.chain, *constructs_in(self.body)]):
            return alone
        # So is what the host's compiler has of functions: each team would run all iterations.
        called = self.calls.functions(self.body)
        if self.calls.calls_other_units(self.body) or any(has_leaf(f.body, "distribute", "loop") for f in called):
            return alone
        value = self.sema.value(clause.expr.node)
        once = "distribute" in self.leaves
        if (value is not None and value <= 1) or (once and not self.calls.observes_thread_id(self.body)):
            return alone
        condition = condition_of(part.directive.clauses, "teams")
        teams = clause.expr.text
        return HostLeague(teams if condition is None else f"({condition}) ? ({teams}) : 1", once)

    def _fallback(self) -> list[tuple[int, int, str]]:
        """Replacements that turn the region's text into what the host compiler runs without offloading."""
        text = self.unit.pre.text
        # Constructs that were taken apart have their host's spelling from when they were whole.
        whole = [e for e in self.unit.respelled if e[0] == self.construct.start and "omp target" not in e[2]]
        out = whole
        league, counted = self._host_league(), self.calls.observes_thread_id(self.body)
        name = self.facts.names.fresh("__rex_league")
        for construct in [self.construct, *constructs_in(self.body), *self.chain[1:]]:
            leaves = construct.directive.constructs
            if construct is self.construct and whole:
                continue
            host_lacks = {"teams", "distribute", "target"}.intersection(leaves)
            if construct is not self.construct and not host_lacks and "loop" not in construct.directive.name.split():
                continue
            end = text.index("\n", construct.start)
            spelling = host_directive(construct, counted=counted)
            # What the teams of a league would share is the first one's.
            first = f"REX_FIRST_TEAM({name})\n" if league and not league.once and "distribute" in leaves else ""
            out.append((construct.start, end, f"{first}#pragma omp {spelling}" if spelling else ""))
        spelled = {start for start, _, _ in out}
        last = statement_end(text, text.index("\n", self.construct.start))
        out += [e for e in self.unit.respelled if self.construct.start <= e[0] < last and e[0] not in spelled]
        around = nesting([self.construct])
        for task in constructs_in(self.body):
            if copied := host_task_copies(self.facts, self.construct, task, around[task]):
                end = text.index("\n", task.start)
                given = next((e for e in out if e[0] == task.start), (task.start, end, text[task.start : end]))
                clause = rf"\g<0> firstprivate({', '.join(s.name for s in copied)})"
                out = [e for e in out if e[0] != task.start] + [(*given[:2], _TASK.sub(clause, given[2]))]
        return sorted(set(out))

    def _host_by_value(self) -> frozenset[Symbol]:
        """The variables of which the target task has copies, for a region of which not all can be read."""
        first: set[Symbol | None] = set()
        other: set[Symbol | None] = {*self.facts.device_variables, *self.facts.host_names[self.construct].links}
        for clause in self.directive.clauses:
            if isinstance(clause, TextClause):  # which may be no clause at all
                names = set(re.findall(r"\w+", clause.text))
            else:
                names = {item.name for item in clause_locators(clause)}
            taken = first if clause.name in ("firstprivate", "is_device_ptr") else other
            if clause.name not in ("allocate", "depend", "shared"):
                taken |= {self.sema.lookup(self.construct, name) for name in names}
        implicit = {
            r.symbol
            for r in self.sema.free_variables(self.body)
            if is_scalar(r.symbol.type) and self._defaultmap(r.symbol) in (None, "firstprivate")
        }
        return frozenset(s for s in first | (implicit - other) if s is not None)

    def _host_copies(self, by_value: frozenset[Symbol]) -> tuple[HostCopy, ...]:
        """The private copies that the target task and the teams would have had, where the host version could tell the
        difference."""
        undirected = [p for p in self.chain if is_left_out(p)]
        own = self.facts.constructs.sharing_of_chain(undirected, with_reductions=False)
        in_teams = [p for p in undirected if "teams" in p.directive.constructs]
        teams = self.facts.constructs.sharing_of_chain(in_teams, with_reductions=False)
        # What is left of other constructs makes the copies of its firstprivate variables itself.
        directed = [] if self.construct in undirected else [self.construct]
        spelled = self.facts.constructs.sharing_of_chain(directed, with_reductions=False).firstprivate
        # Those that are const are what they were, and may be what a label or a size is made of.
        changed = {s for s in self.sema.assignments(self.body).symbols if "const" not in s.type.quals}
        private = set(own.private)
        first = {s for s in (*by_value, *teams.firstprivate) if s in changed and s not in (*private, *spelled)}
        self._check_not_declared_again(private | first)
        of_teams = {*teams.private, *teams.firstprivate}
        copies = [HostCopy(s.name, False, is_array(s.type), by_teams=s in of_teams) for s in private]
        copies += [HostCopy(s.name, True, is_array(s.type), _has_no_value(s), s in of_teams) for s in first]
        return tuple(sorted(copies, key=lambda c: c.name))

    def _check_not_declared_again(self, copied: Collection[Symbol]) -> None:
        """The copies have the variables' names, behind which ``extern`` finds the variables themselves."""
        for node in walk(self.body):
            if isinstance(node, c_ast.Decl) and "extern" in node.storage and self.sema.decl_symbol(node) in copied:
                what = f"'{node.name}' is declared again in a region that has a copy of it, which is not supported"
                raise error_at(self.unit.span_of(node), what)


def _has_no_value(symbol: Symbol) -> bool:
    """Whether a variable is declared without one."""
    local = symbol.kind == "object" and not symbol.is_global and symbol.storage not in ("static", "extern")
    return local and is_scalar(symbol.type) and isinstance(symbol.node, c_ast.Decl) and symbol.node.init is None

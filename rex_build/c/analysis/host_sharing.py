"""Host constructs around generated text, where ``default`` wants every variable listed: the generated ones, too."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from pycparser import c_ast

from ...base.diagnostics import InputError
from ...directives.model import KeywordClause
from ...directives.parser import check_on_device
from ...plan.data import DataConstruct
from ...plan.region import TargetRegion
from ...plan.rows import MapRow
from ..normalise.simplify import HostEdit
from ..syntax.nodes import OmpConstruct, ParsedUnit

LIMITS = "rex_team_limits"
_DEFAULT = re.compile(r"^.*\bdefault\s*\(.*$", re.MULTILINE)


def generated_variables(
    regions: Sequence[TargetRegion], data: Sequence[DataConstruct], others: Collection[str]
) -> dict[int, list[str]]:
    """The file-scope variables that the text generated for each construct mentions, by the construct's offset.
    ``others`` are those that rows may mention."""
    found = {r.start: [identity for _, identity in r.kernels] + _mentioned(r.mapping.rows, others) for r in regions}
    return found | {d.start: _mentioned(d.mapping.rows, others) for d in data}


def _mentioned(rows: Sequence[MapRow], names: Collection[str]) -> list[str]:
    text = " ".join(f"{row.base} {row.pointer}" for row in rows)
    return [name for name in names if re.search(rf"\b{re.escape(name)}\b", text)]


def with_listed(
    unit: ParsedUnit, variables: Mapping[int, Sequence[str]], edits: Sequence[HostEdit]
) -> tuple[HostEdit, ...]:
    """The edits of the host file, ``shared`` clauses for the generated variables added (OpenMP 5.2, section 5.4.1)."""
    wanted: dict[int, dict[str, None]] = {}
    for item in unit.ast.ext:
        stack: list[tuple[c_ast.Node, tuple[int, ...]]] = [(item, ())] if isinstance(item, c_ast.FuncDef) else []
        while stack:
            node, around = stack.pop()
            if isinstance(node, OmpConstruct):
                for start in around:
                    wanted.setdefault(start, {}).update(dict.fromkeys(variables.get(node.start, ())))
                if node.directive.is_target:
                    continue
                around = (*around, node.start) if _lists_all(node) else around
            stack += [(child, around) for _, child in node.children()]
    spelled = {edit[0]: edit for edit in edits}
    listing: dict[int, HostEdit] = {}
    for start, names in wanted.items():
        if names:
            end = unit.pre.text.index("\n", start)
            _, end, text = spelled.get(start, (start, end, unit.pre.text[start:end]))
            listing[start] = (start, end, _DEFAULT.sub(rf"\g<0> shared({', '.join(names)})", text, count=1))
    return (*(edit for edit in edits if edit[0] not in listing), *listing.values())


def _lists_all(node: OmpConstruct) -> bool:
    """Whether variables have to be listed. What is malformed stays as it is, for the host compiler to complain."""
    clause = node.directive.clause("default")
    if not isinstance(clause, KeywordClause) or clause.value not in ("none", "private", "firstprivate"):
        return False
    try:
        check_on_device(node.directive)
    except InputError:
        return False
    return True

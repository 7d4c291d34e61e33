"""The README says of directives and clauses what the tables say, and its links lead somewhere."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from rex_build.directives.clauses import CLAUSES, DIRECTIVES, REFUSED_PAIRS, Status, combined_names

_ROOT = Path(__file__).parents[2]
_README = (_ROOT / "README.md").read_text(encoding="utf-8")


def row(label: str) -> str:
    """The line of a table in the README whose first cell is ``label``."""
    (found,) = (line for line in _README.splitlines() if line.startswith(f"| {label} |"))
    return found


def names(line: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", line))


def clauses(status: Status, on: set[str]) -> set[str]:
    return {c.name for c in CLAUSES.values() if c.support.status is status and on.intersection(c.allowed)}


_LOWERED = {name for name, rule in DIRECTIVES.items() if rule.support.status is Status.SUPPORTED}


def test_supported_clauses() -> None:
    assert names(row("supported")) - {"target update", "atomic"} == clauses(Status.SUPPORTED, _LOWERED)


def test_clauses_without_effect() -> None:
    assert names(row("accepted without effect")) == clauses(Status.IGNORED, _LOWERED)


def test_refused_clauses() -> None:
    words = {word for c in CLAUSES.values() for role in c.words.values() for word in role}
    for name in names(row("refused")):
        rule = CLAUSES.get(name)
        assert name in words if rule is None else rule.support.status is Status.REFUSED, name


def test_directives() -> None:
    table = _README.partition("| directive | status |")[2].partition("\n\n")[0].splitlines()[2:]
    seen = set()
    for line in table:
        _, directives, status, _ = line.split("|", 3)
        for pattern in names(directives) - {"…"}:
            for name in expanded(pattern):
                seen.add(name)
                leaves = merged(name.split())
                supported = all(DIRECTIVES[leaf].support.status is Status.SUPPORTED for leaf in leaves)
                supported &= REFUSED_PAIRS.keys().isdisjoint(pairwise(leaves))
                if f"`{name}` refused" not in status:
                    assert supported == status.strip().startswith("supported"), name
    missing = {n for n in combined_names() if n.startswith("target")} - seen
    assert all("masked" in n or "master" in n or "sections" in n for n in missing), missing


def expanded(pattern: str) -> list[str]:
    """``a [b] [c]`` as the names it stands for."""
    first, bracket, rest = pattern.partition(" [")
    if not bracket:
        return [pattern]
    optional, _, rest = rest.partition("]")
    return [f"{first}{middle}{tail}" for middle in ("", f" {optional}") for tail in expanded(rest)]


def merged(words: list[str]) -> list[str]:
    """Leaf constructs of a directive's words: some leaves are several words."""
    leaves: list[str] = []
    while words:
        size = next(n for n in range(len(words), 0, -1) if " ".join(words[:n]) in DIRECTIVES)
        leaves.append(" ".join(words[:size]))
        words = words[size:]
    return leaves


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "sample_project/README.md"])
def test_links(page: str) -> None:
    file = _ROOT / page
    for target in re.findall(r"\]\(([^)#]+)\)", file.read_text(encoding="utf-8")):
        assert target.startswith("http") or (file.parent / target).exists(), target

#!/usr/bin/env python3
"""Write the README's status tables anew, from the tables of directives and clauses.

    scripts/status.py            after a change in rex_build/directives/clauses.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(_ROOT))

from rex_build.directives.clauses import CLAUSES, DIRECTIVES, ClauseRule, Status, combined_names  # noqa: E402

_BEGIN, _END = "<!-- status: written by scripts/status.py -->\n", "<!-- end of status -->\n"
_LABELS = {Status.SUPPORTED: "supported", Status.IGNORED: "accepted without effect", Status.REFUSED: "refused"}


def status_tables() -> str:
    """The tables as Markdown."""
    directives = {name: _directive_status(name) for name in combined_names()}
    alone = {name: status for name, status in directives.items() if _is_about_devices(name)}
    inside = {name: status for name, status in directives.items() if name not in alone and " " not in name}
    lowered = {name for name, rule in DIRECTIVES.items() if rule.support.status is Status.SUPPORTED}
    clauses = {_clause(rule): rule.support.status for rule in CLAUSES.values() if lowered.intersection(rule.allowed)}
    return "\n".join(
        (
            *_table("Directives about devices:", "directives", alone),
            *_table("Constructs inside target regions:", "constructs", inside),
            *_table("Clauses on all of these, with what of them is supported:", "clauses", clauses),
        )
    )


def updated(readme: str) -> str:
    """The README with its tables as they should be."""
    before, _, rest = readme.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n{status_tables()}\n{_END}{after}"


def _is_about_devices(name: str) -> bool:
    return "target" in name or name in ("declare mapper", "requires")


def _directive_status(name: str) -> Status:
    leaves = _leaves(name)
    found = {DIRECTIVES[leaf].support.status for leaf in leaves}
    return next(status for status in (Status.REFUSED, Status.SUPPORTED, Status.IGNORED) if status in found)


def _leaves(name: str) -> list[str]:
    """The leaf constructs of a directive's name; some are several words."""
    words, leaves = name.split(), []
    while words:
        size = next(n for n in range(len(words), 0, -1) if " ".join(words[:n]) in DIRECTIVES)
        leaves.append(" ".join(words[:size]))
        words = words[size:]
    return leaves


def _clause(rule: ClauseRule) -> str:
    """A clause's name, with the keywords of it that are supported and those that are refused."""
    if rule.support.status is not Status.SUPPORTED:
        return f"`{rule.name}`"
    known = {word: s.status for role, words in rule.words.items() if role != "form" for word, s in words.items()}
    refused = [word for word, status in known.items() if status is Status.REFUSED]
    supported = [word for word, status in known.items() if status is not Status.REFUSED]
    parts = [" ".join(supported)] * bool(supported) + [f"not: {' '.join(refused)}"] * bool(refused)
    return f"`{rule.name}`" + (f" ({'; '.join(parts)})".replace("|", "\\|") if parts else "")


def _table(title: str, what: str, rows: Mapping[str, Status]) -> Iterable[str]:
    yield f"{title}\n"
    yield f"| status | {what} |"
    yield "|---|---|"
    for status, label in _LABELS.items():
        names = [name if name.startswith("`") else f"`{name}`" for name, its in rows.items() if its is status]
        if names:
            yield f"| {label} | {', '.join(names)} |"
    yield ""


if __name__ == "__main__":
    file = _ROOT / "README.md"
    file.write_text(updated(file.read_text(encoding="utf-8")), encoding="utf-8")

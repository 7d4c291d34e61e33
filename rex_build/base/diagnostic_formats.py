"""Messages for programs: as JSON in the form of gcc 13 (``-fdiagnostics-format=json``), and as SARIF 2.1.0."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from .diagnostics import Diagnostic
from .findings import NAMES
from .spans import SourceSpan, source_lines

FORMATS = ("text", "json", "json-stderr", "json-file", "sarif-stderr", "sarif-file")
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def formatted(kind: str, diagnostics: Iterable[Diagnostic]) -> str:
    """The messages in one of ``FORMATS`` other than text, with a newline at the end."""
    import json  # which no other message needs

    made = _sarif(tuple(diagnostics)) if kind.startswith("sarif") else [_as_json(one) for one in diagnostics]
    return json.dumps(made, indent=2) + "\n"


# -- gcc's JSON ------------------------------------------------------------------------------------------------------


def _as_json(diagnostic: Diagnostic) -> dict[str, Any]:
    own = [{"kind": "note", "message": note, "locations": []} for note in diagnostic.notes]
    made: dict[str, Any] = {
        "kind": diagnostic.severity,
        "message": diagnostic.message,
        "locations": [_location(diagnostic.span)] if diagnostic.span else [],
        "children": [*own, *map(_as_json, diagnostic.related)],
    }
    if diagnostic.option:
        made["option"] = diagnostic.option
    return made


def _location(span: SourceSpan) -> dict[str, Any]:
    caret = {"file": span.file, "line": span.line, "column": span.column}
    return {"caret": caret, "finish": {**caret, "column": span.column + span.length - 1}}


# -- SARIF -----------------------------------------------------------------------------------------------------------


def _sarif(diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    used = sorted({_rule(d) for d in diagnostics if d.option})
    rules = [
        {
            "id": name,
            "shortDescription": {"text": NAMES[name.removeprefix("rex-")]},
            "help": {"text": f"docs/check.md of rex-build explains {name} with a wrong and a mended program."},
        }
        for name in used
    ]
    driver = {"name": "rex-build", "version": __version__, "rules": rules}
    files = dict.fromkeys(s.file for d in diagnostics for s in _spans(d))
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": not any(d.severity == "error" for d in diagnostics)}],
        "originalUriBaseIds": {"PWD": {"uri": Path.cwd().as_uri() + "/"}},
        "artifacts": [{"location": _artifact(file)} for file in files],
        "results": [_result(d) for d in diagnostics],
        "columnKind": "unicodeCodePoints",
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _spans(diagnostic: Diagnostic) -> list[SourceSpan]:
    return [d.span for d in (diagnostic, *diagnostic.related) if d.span]


def _rule(diagnostic: Diagnostic) -> str:
    return diagnostic.option.removeprefix("-W").removeprefix("error=")


def _result(diagnostic: Diagnostic) -> dict[str, Any]:
    text = ". ".join([diagnostic.message, *diagnostic.notes])
    made: dict[str, Any] = {
        "level": diagnostic.severity,
        "message": {"text": text},
        "locations": [_physical(diagnostic.span)] if diagnostic.span else [],
    }
    if diagnostic.option:
        made["ruleId"] = _rule(diagnostic)
    if diagnostic.related:
        made["relatedLocations"] = [
            {**_physical(d.span), "message": {"text": d.message}} for d in diagnostic.related if d.span
        ]
    return made


def _artifact(file: str) -> dict[str, str]:
    return {"uri": Path(file).as_uri()} if os.path.isabs(file) else {"uri": Path(file).as_posix(), "uriBaseId": "PWD"}


def _physical(span: SourceSpan) -> dict[str, Any]:
    region: dict[str, Any] = {
        "startLine": span.line,
        "startColumn": span.column,
        "endColumn": span.column + span.length,
    }
    lines = source_lines(span.file)
    place: dict[str, Any] = {"artifactLocation": _artifact(span.file), "region": region}
    if 0 < span.line <= len(lines):
        place["contextRegion"] = {"startLine": span.line, "snippet": {"text": lines[span.line - 1] + "\n"}}
    return {"physicalLocation": place}

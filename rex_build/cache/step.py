"""The cache as a step of the pipeline: a unit that was lowered before is not lowered again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable

from ..base.command_words import nothing_is_reported
from ..base.diagnostics import Diagnostic, SourceSpan
from ..base.findings import Finding, as_data, from_data
from ..base.patterns import regex
from ..base.records import replace, values
from .eviction import publish
from .flags import NotCachedError
from .locks import only_one
from .manifest import Base, manifest_with, read_manifest
from .memo import Cache
from .remote import Remote
from .store import CacheKey
from .unit import UnitKey, UnitRequest, UnitResult, find_direct, get_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..c.source.preprocess import Preprocessed
    from ..request import Lowered, LowerRequest
    from .discover import Dependencies

# The time stamps of a file system are up to this much too old.
_CLOCK_STEP_NS = 10**7
_PLAIN_FIELDS = frozenset((
    "source", "out_dir", "cflags", "depfile", "cc", "base_dir", "host_output", "cu_output", "warnings",
))  # fmt: skip

_KINDS = (
    "has changed", "cannot be read", "is gone", "has appeared", "leads elsewhere", "another base directory", "evicted",
    "uses the time of compilation", "embeds files", "__has_include", "search path", "response file", "not on PATH",
    "appear unnoticed",
)  # fmt: skip

# Names that generated text may have, too.
_RESERVED = regex(rb"\b(?:(?:_|rex_|REX_|XOMP_|OUT__)\w*|\w+__rex_\w*)")

_OPENMP = regex(rb"\bomp\b")
_CLOCK = regex(r'"(\d\d):(\d\d):(\d\d)"')
_STAMP = regex(r'"[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}"')

Known = Callable[["Preprocessed"], "Lowered | None"]


def through_cache(
    request: LowerRequest, cache: Cache, lower_text: Callable[[LowerRequest, Known], Lowered]
) -> Lowered:
    """The result of ``lower_text(request, known)``, computed now or taken from the cache.

    ``lower_text`` calls ``known`` with the preprocessed text, and returns its result unless that is None.
    """
    try:
        key = UnitKey(plain_request(request), cache.memo)
    except NotCachedError as error:
        cache.store.count(f"not cached: {reason_kind(str(error))}")
        lowered = lower_text(request, lambda _: None)
        cache.memo.forget()
        return lowered
    return CachedLowering(request, cache, key).lowered(lower_text)


def plain_request(request: LowerRequest) -> UnitRequest:
    """The request in the form from which keys are made. A field that is not a path counts with its name and value."""
    options = {}
    for name, value in values(request).items():
        if name not in _PLAIN_FIELDS and value != getattr(type(request), name, None):
            options[name] = str(value)
    if nothing_is_reported(request.warnings):
        options["unchecked"] = "True"
    return UnitRequest(
        str(request.source), str(request.host), str(request.cu), request.cflags, request.cc,
        "" if request.base_dir is None else str(request.base_dir), options,
    )  # fmt: skip


class CachedLowering:
    """Lowers one unit through the cache."""

    def __init__(self, request: LowerRequest, cache: Cache, key: UnitKey) -> None:
        self._request = request
        self._store = cache.store
        self._settings = cache.settings
        self._remote = Remote(cache.store, cache.settings)
        self._memo = cache.memo
        self._key = key
        self._base: Base = key.base
        self._started_ns = time.time_ns()
        self._second: UnitResult | None = None
        self._second_key = ""
        self._dependencies: Dependencies | None = None
        self._path_bound = False
        self._is_direct = False

    def lowered(self, lower_text: Callable[[LowerRequest, Known], Lowered]) -> Lowered:
        found, reason = self._direct()
        if found is not None:
            return found
        with only_one(self._store, self._key.direct.hexdigest()) as waited:
            if waited:
                self._memo.forget()
                found, reason = self._direct()
                if found is not None:
                    return found
            start = time.monotonic()
            lowered = lower_text(self._request, self._known)
            cost = round((time.monotonic() - start) * 1000)
            self._keep(lowered, cost, reason)
            self._memo.forget()
        if not self._is_direct or self._dependencies is None:
            return lowered
        return replace(lowered, inputs=tuple(self._dependencies.files))

    def _direct(self) -> tuple[Lowered | None, str]:
        result, record, reason = find_direct(self._store, self._key, self._memo)
        if result is None and self._remote.fetch("m", self._key.direct.hexdigest()):
            for candidate in read_manifest(self._store.get("m", self._key.direct.hexdigest())):
                if not candidate.mismatch(self._base, self._memo):
                    self._remote.fetch("r", candidate.result)
                    break
            result, record, reason = find_direct(self._store, self._key, self._memo)
        if result is None or record is None:
            return None, reason
        self._store.count("direct hit", result.cost)
        names = tuple([self._base.restore(name) for name, _ in record.files])
        return replace(self._as_lowered(result, names), inputs=names), ""

    def _known(self, pre: Preprocessed) -> Lowered | None:
        """The result for the same preprocessed text, if the cache has one. This is the second look into the cache."""
        from ..c.source.preprocess import device_macro_warnings
        from ..c.source.user_names import macros_in_text, macros_of_options

        names = [file for file in pre.includes if not file.startswith("<")]
        parents = [(i.file, pre.inclusions[i.parent].file if i.parent >= 0 else "") for i in pre.inclusions]
        self._depend_on(names, parents)
        if self._dependencies is not None and says_when(pre.text, self._started_ns / 1e9):
            self._dependencies.not_direct = "the text uses the time of compilation"
        files = self._dependencies.files if self._dependencies is not None else {}
        base = os.fsencode(self._base.path)
        # If the base directory is part of the text, the result cannot be used under another base directory.
        self._path_bound = bool(base) and (
            base in pre.text.encode("utf-8", "surrogateescape") or any(base in text for text in files.values())
        )
        key = self._common_key()
        key.field("bound to", self._base.path if self._path_bound else "")
        key.field("preprocessed", pre.text)
        key.field("letters", " ".join(f"{letter}{character}" for letter, character in pre.letters.items()))
        origins = (f"{o.first} {self._base.strip(o.file)} {o.line} {o.system:d} {o.inclusion}" for o in pre.origins)
        key.field("origins", "\n".join(origins))
        # The host file contains the unchanged text of headers with directives, comments included.
        others = [text for name, text in files.items() if name != pre.main_file]
        if any(b"ragma" in text and _OPENMP.search(text) for text in others):
            key.field("headers", "\n".join(map(self._memo.file, files)))
        # Generated names give way to the user's, and warnings are given of some conditions. The preprocessed text says
        # nothing of those that it does not use.
        own = (file for file in pre.files_with_names if file != pre.main_file)
        if names_like_ours := sorted({name for file in own for name in _RESERVED.findall(files.get(file, b""))}):
            key.field("names", b" ".join(names_like_ours))
        key.field("macros of options", " ".join(sorted(macros_of_options(pre, ()))))
        key.field("macros in the text", " ".join(sorted(macros_in_text(pre))))
        for warning in device_macro_warnings(pre):
            if warning.span is not None:
                file = self._base.strip(warning.span.file)
                key.field("device macro", f"{file}:{warning.span.line}:{warning.span.column} {warning.message}")
        self._second_key = key.hexdigest()
        found = get_result(self._store, self._second_key, self._base)
        if found is None and self._remote.fetch("r", self._second_key):
            found = get_result(self._store, self._second_key, self._base)
        self._second = found
        return self._as_lowered(found, names) if found is not None else None

    def _keep(self, lowered: Lowered, cost: int, reason: str) -> None:
        """Store the result, and a record in the manifest that leads to it."""
        if self._second is not None:
            self._store.count("preprocessed hit", max(0, self._second.cost - cost))
            self._add_record(self._second_key)
            return
        self._store.count(f"miss: {reason_kind(reason)}")
        if not self._second_key:  # nothing to lower, and so nothing was preprocessed
            self._depend_on(lowered.dependencies, ())
            self._second_key = self._common_key().hexdigest()
        elif lowered.needed_definitions:
            key = CacheKey()
            key.field("preprocessed", self._second_key)
            for name in self._dependencies.files if self._dependencies is not None else ():
                key.field("file", self._memo.file(name))
            self._second_key = key.hexdigest()
        if self._dependencies is None:
            return
        texts = {"host": lowered.host, "device": lowered.device}
        result = UnitResult(
            {name: text.encode("utf-8", "surrogateescape") for name, text in texts.items()},
            lowered.entries, cost, _pack_messages(lowered.diagnostics, lowered.findings, self._base),
            len(lowered.diagnostics) + sum(finding.certain for finding in lowered.findings),
        )  # fmt: skip
        payload, bound = result.pack(self._base)
        if self._path_bound and not bound:
            payload, bound = result.pack(Base(""))[0], True
        elif bound and not self._path_bound:
            # Only the result shows the base directory. It gets a key that no other base directory has.
            self._path_bound = True
            key = CacheKey()
            key.field("preprocessed", self._second_key)
            key.field("bound to", self._base.path)
            self._second_key = key.hexdigest()
        if self._changed_meanwhile():
            self._store.count("not stored: a file was changed meanwhile")
            return
        if publish(self._store, self._settings, "r", self._second_key, payload):
            self._remote.offer("r", self._second_key)
            self._add_record(self._second_key)

    def _add_record(self, result: str) -> None:
        """Add a record to the manifest that leads to ``result``."""
        if self._dependencies is None or self._changed_meanwhile():
            return
        if self._dependencies.not_direct:
            self._store.count("not direct: " + reason_kind(self._dependencies.not_direct))
            return
        name = self._key.direct.hexdigest()
        try:
            new = self._dependencies.record(result, self._base, self._path_bound, self._memo)
        except OSError:
            return
        self._is_direct = True
        publish(self._store, self._settings, "m", name, manifest_with(new, self._store.get("m", name)))
        self._remote.offer("m", name, changed=True)

    def _depend_on(self, names: Iterable[str], inclusions: Iterable[tuple[str, str]]) -> None:
        from .discover import dependencies, search_path

        path = search_path([self._request.cc, *self._request.cflags, "-fopenmp"], self._request.language)
        try:
            self._dependencies = dependencies(names, inclusions, self._key.words, path)
        except OSError:
            self._dependencies = None

    def _changed_meanwhile(self) -> bool:
        files = self._dependencies.files if self._dependencies is not None else ()
        return changed_since(self._started_ns, [*files, str(self._request.source)])

    def _common_key(self) -> CacheKey:
        key = CacheKey()
        for name, value in self._key.common:
            key.field(name, value)
        key.field("source text", self._key.source_digest)
        return key

    def _as_lowered(self, result: UnitResult, names: Iterable[str]) -> Lowered:
        from ..request import Lowered

        texts = {name: text.decode("utf-8", "surrogateescape") for name, text in result.files.items()}
        diagnostics, findings = unpack_messages(result.warnings, self._base)
        host, device = texts["host"], texts["device"]
        return Lowered(host, device, tuple(names), result.entries, diagnostics, findings=findings)


def changed_since(started_ns: int, files: Iterable[str]) -> bool:
    """Whether a file may have been written since a run began. What the run read may differ from the file then.

    This compares ctime, which only the kernel sets: a file with a time stamp in the future does not always count as
    changed.
    """
    try:
        return any(os.stat(name).st_ctime_ns > started_ns - _CLOCK_STEP_NS for name in files)
    except OSError:
        return True


def says_when(text: str, started_s: float) -> bool:
    """Whether the text may contain the value of ``__DATE__``, ``__TIME__`` or ``__TIMESTAMP__``."""
    now = time.localtime()
    seconds = [3600 * int(h) + 60 * int(m) + int(s) for h, m, s in _CLOCK.findall(text)]
    passed = time.time() - started_s
    today = 3600 * now.tm_hour + 60 * now.tm_min + now.tm_sec
    return (
        any((today - second) % 86400 <= passed + 2 for second in seconds)
        or time.strftime('"%b %e %Y"', now) in text
        or _STAMP.search(text) is not None
    )


def reason_kind(reason: str) -> str:
    """A reason without file names, so that reasons can be counted by kind."""
    for words in _KINDS:
        if words in reason:
            return words
    return reason[:40]


def _pack_messages(diagnostics: Iterable[Diagnostic], findings: Iterable[Finding], base: Base) -> bytes:
    """The messages as JSON, without the base directory. Which findings are reported is decided for each run."""
    rows = {"diagnostics": [_as_row(one) for one in diagnostics], "findings": [as_data(one) for one in findings]}
    if not any(rows.values()):
        return b""
    import json

    _in_files(rows, base.strip)
    return json.dumps(rows).encode()


def _as_row(diagnostic: Diagnostic) -> dict[str, Any]:
    span = None if diagnostic.span is None else values(diagnostic.span)
    return {"severity": diagnostic.severity, "message": diagnostic.message, "span": span, "notes": diagnostic.notes}


def unpack_messages(data: bytes, base: Base) -> tuple[tuple[Diagnostic, ...], tuple[Finding, ...]]:
    """The stored messages and findings, with file names for the current base directory."""
    if not data:
        return (), ()
    import json

    rows = json.loads(data)
    _in_files(rows, base.restore)
    diagnostics = []
    for row in rows["diagnostics"]:
        span = SourceSpan(**row["span"]) if row["span"] else None
        diagnostics.append(Diagnostic(row["severity"], row["message"], span, tuple(row["notes"])))
    return tuple(diagnostics), tuple(map(from_data, rows["findings"]))


def _in_files(rows: Any, change: Callable[[str], str]) -> None:
    """Change the names of files in all places of ``rows``."""
    if isinstance(rows, dict) and "file" in rows:
        rows["file"] = change(rows["file"])
    elif isinstance(rows, dict | list):
        for part in rows.values() if isinstance(rows, dict) else rows:
            _in_files(part, change)

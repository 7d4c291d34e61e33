"""``rex-build cache stats | clear | trim | verify``, and ``lower --explain-key``."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..base.diagnostics import ToolError, UsageError
from ..cache import stats
from ..cache.eviction import all_shards, scan, sweep, trim
from ..cache.flags import NotCachedError
from ..cache.manifest import read_manifest
from ..cache.memo import Memo
from ..cache.step import plain_request
from ..cache.store import KINDS, DamagedEntryError, Settings, Store, parse_size, read_data, read_settings, unseal
from ..cache.unit import UnitKey

if TYPE_CHECKING:
    from ..base.command_words import Options
    from ..request import LowerRequest

_NAMES = {"m": "manifests", "r": "lowered units", "i": "images", "o": "objects"}
# The folders of a store beside its entries, and for each a test which names in it are the store's own.
_PARTS: dict[str, Callable[[str], bool]] = {
    "new": lambda name: name.endswith(".part"),
    "stats": stats.is_log,
    "state": lambda name: name.startswith(("size", "remote-failed.")) or (len(name) == 40 and name.isalnum()),
    "locks": lambda name: len(name) == 3,
    "": lambda name: name.startswith("memo."),
}


def run(options: Options) -> int:
    """Run ``rex-build cache`` with the action that the options name."""
    settings = read_settings()
    settings.mode = "on"
    store = Store(settings)
    action: Callable[[Options, Store, Settings], int] = globals()[f"_{options.action}"]
    return action(options, store, settings)


def _stats(options: Options, store: Store, settings: Settings) -> int:
    facts = gather(store, settings)
    if options.json:
        print(json.dumps(facts, indent=2))
    else:
        print(_as_text(facts))
    if options.zero:
        stats.zero(store)
    return 0


def gather(store: Store, settings: Settings) -> dict[str, Any]:
    """The values that ``stats --json`` prints. Sizes are in bytes, times in milliseconds."""
    totals = stats.totals(store)
    hits = {name: totals[name][0] for name in stats.HITS if name in totals}
    misses = {name: count for name, (count, _) in totals.items() if "miss: " in name}
    entries = {_NAMES[kind]: [e for e in scan(store) if e.path.startswith(f"{store.root}/{kind}/")] for kind in KINDS}
    return {
        "directory": store.root,
        "other_writers": store.other_writers(),
        "limit_bytes": settings.limit,
        "bytes": sum(entry.size for found in entries.values() for entry in found),
        "entries": {name: len(found) for name, found in entries.items()},
        "hits": hits,
        "misses": misses,
        "other": {n: count for n, (count, _) in sorted(totals.items()) if n not in hits and n not in misses},
        "time_saved_ms": sum(saved for _, saved in totals.values()),
    }


def _as_text(facts: dict[str, Any]) -> str:
    hits, misses = sum(facts["hits"].values()), sum(facts["misses"].values())
    rate = f"{100 * hits / (hits + misses):.1f} %" if hits + misses else "none asked for"
    shared = f" (can be written to by {facts['other_writers']})" if facts["other_writers"] else ""
    lines = [f"directory    {facts['directory']}{shared}", f"hits         {hits} of {hits + misses} ({rate})"]
    lines += [f"  {count:9d}  {name}" for name, count in facts["hits"].items()]
    lines += [f"misses       {misses}", *(f"  {count:9d}  {name}" for name, count in sorted(facts["misses"].items()))]
    if facts["other"]:
        lines += ["other", *(f"  {count:9d}  {name}" for name, count in facts["other"].items())]
    lines.append(f"time saved   {facts['time_saved_ms'] / 1000:.1f} s")
    lines.append(f"size         {facts['bytes'] / 1e6:.1f} MB of {facts['limit_bytes'] / 1e6:.0f} MB")
    lines += [f"  {count:9d}  {name}" for name, count in facts["entries"].items()]
    return "\n".join(lines)


def _clear(_options: Options, store: Store, _settings: Settings) -> int:
    """Remove the files with the store's own names. Its folder may hold other files too."""
    failed = []
    folders = []
    paths = [entry.path for entry in scan(store)]
    for part, ours in _PARTS.items():
        folder = f"{store.root}/{part}".rstrip("/")
        folders.append(folder)
        try:
            names = [] if part and os.path.islink(folder) else os.listdir(folder)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise ToolError(f"cannot clear {folder}: {error.strerror}") from error
        paths += [f"{folder}/{name}" for name in names if ours(name)]
    for path in paths:
        try:
            os.unlink(path)
        except OSError as error:
            failed.append(f"{path}: {error.strerror}")
    folders = [*(f"{store.root}/{name}" for name in (*all_shards(), *KINDS)), *folders]
    links = {f"{store.root}/{name}" for name in (*KINDS, *_PARTS) if os.path.islink(f"{store.root}/{name}")}
    for folder in folders:
        if folder != store.root and not links.intersection((folder, os.path.dirname(folder))):
            with suppress(OSError):  # the folder is not empty, or does not exist
                os.rmdir(folder)
    if failed:
        raise ToolError(f"cannot clear all of {store.root}: {failed[0]}")
    return 0


def _trim(options: Options, store: Store, settings: Settings) -> int:
    limit: int | None = settings.limit
    if options.size is not None:
        limit = parse_size(options.size)
    if limit is None:
        raise UsageError(f"--size {options.size}: expected a size like 500M or 5G")
    if not os.path.isdir(store.root):
        return 0
    entries, size = trim(store, limit)
    stats.compact(store)
    print(f"removed {entries} entries, {size / 1e6:.1f} MB")
    return 0


def _verify(options: Options, store: Store, _settings: Settings) -> int:
    damaged = verify(store)
    sweep(store)
    if options.remove:
        for path in damaged:
            try:
                os.unlink(path)
            except OSError as error:
                raise ToolError(f"cannot remove {path}: {error.strerror}") from error
    if options.json:
        print(json.dumps({"damaged": damaged}, indent=2))
    else:
        for path, how in damaged.items():
            print(f"{path}: {how}")
        print(f"{len(damaged)} damaged entries" + (" removed" if options.remove and damaged else ""))
    return 1 if damaged and not options.remove else 0


def verify(store: Store) -> dict[str, str]:
    """The damaged entries by path, each with what is wrong with it."""
    damaged = {}
    for entry in scan(store):
        kind, shard, rest = entry.path[len(store.root) + 1 :].split("/")
        try:
            payload = unseal(kind, shard + rest, read_data(entry.path))
            if kind == "m" and not read_manifest(payload):
                damaged[entry.path] = "no manifest"
        except DamagedEntryError as error:
            damaged[entry.path] = str(error)
        except FileNotFoundError:
            continue  # it was evicted meanwhile
        except OSError as error:
            damaged[entry.path] = error.strerror or "unreadable"
    return damaged


def explain_key(request: LowerRequest) -> str:
    """The fields of a unit's key, the files that it read when it was last stored, and why it would miss, as lines."""
    settings = read_settings()
    store = Store(settings)
    memo = Memo(store if settings.mode != "off" else None)
    try:
        key = UnitKey(plain_request(request), memo)
    except NotCachedError as error:
        return f"not cached: {error}"
    lines = [key.direct.explain().rstrip("\n")]
    records = read_manifest(store.get("m", key.direct.hexdigest())) if settings.mode != "off" else []
    if not records:
        return "\n".join([*lines, "outcome: miss, not seen before"])
    for name, _ in records[0].files:
        path = key.base.restore(name)
        try:
            lines.append(f"file {name}: {memo.file(path)}")
        except OSError:
            lines.append(f"file {name}: cannot be read")
    reasons = [record.mismatch(key.base, memo) for record in records]
    lines.append("outcome: hit" if "" in reasons else f"outcome: miss, {reasons[0]}")
    return "\n".join(lines)

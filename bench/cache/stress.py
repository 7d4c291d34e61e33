"""Many processes on one store: every key computed once, and kills at random that leave nothing damaged behind.

    bench/cache/stress.py [--processes 32] [--keys 200] [--kills 1000] WORK-FOLDER

Prints JSON. Ends with status 1 when a key was computed twice, an error was printed, a damaged entry was served, or the
store had to be repaired.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from rex_build.cache.eviction import alone, publish, scan, trim  # noqa: E402
from rex_build.cache.locks import only_one  # noqa: E402
from rex_build.cache.store import Settings, Store, digest  # noqa: E402
from rex_build.cli.cache_commands import verify  # noqa: E402 (found by the line above)


def content(key: str) -> bytes:
    """What belongs to a key: whatever else is served under it is wrong. 1 to 30 KB."""
    return key.encode() * (16 + int(key[:4], 16) % 450)


def work(store: Store, settings: Settings, keys: list[str], made: int, pause_s: float) -> None:
    """One process: look up every key, compute what is missing, and note that in the file ``made``."""
    for key in keys:
        found = store.get("r", key)
        if found is None:
            with only_one(store, key):
                found = store.get("r", key)
                if found is None:
                    os.write(made, f"{key}\n".encode())
                    time.sleep(pause_s)
                    publish(store, settings, "r", key, content(key))
                    continue
        if found != content(key):
            sys.stderr.write(f"wrong content under {key}\n")
            os._exit(1)


def start(settings: Settings, keys: list[str], made: int, pause_s: float) -> int:
    """Fork a worker. Returns its process."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        order = random.Random(os.getpid()).sample(keys, len(keys))
        work(Store(settings), settings, order, made, pause_s)
        status = 0
    finally:
        os._exit(status)


def once_each(root: Path, processes: int, count: int) -> dict[str, Any]:
    """``processes`` on the same keys with a cold store."""
    settings = Settings(str(root / "store"), 10**9, "on", "")
    keys = [digest(b"once %d" % number) for number in range(count)]
    log = root / "made"
    made = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    begin = time.monotonic()
    children = [start(settings, keys, made, 0.005) for _ in range(processes)]
    failed = sum(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0 for child in children)
    os.close(made)
    lines = log.read_text().splitlines()
    return {
        "processes": processes,
        "keys": count,
        "computed": len(lines),
        "computed_twice": len(lines) - len(set(lines)),
        "failed_processes": failed,
        "seconds": round(time.monotonic() - begin, 2),
    }


def kills(root: Path, count: int, workers: int = 4) -> dict[str, Any]:
    """Writers and evictors, of which one after the other is killed at a random moment and replaced."""
    limit = 400_000
    settings = Settings(str(root / "killed"), limit, "on", "")
    keys = [digest(b"kill %d" % number) for number in range(300)]
    made = os.open(os.devnull, os.O_WRONLY)
    dice = random.Random(7)
    running: list[int] = []
    wrong = over = 0
    begin = time.monotonic()
    for number in range(count):
        while len(running) < workers:
            running.append(start(settings, keys, made, 0.0))
        time.sleep(dice.uniform(0.0, 0.03))
        victim = running.pop(dice.randrange(len(running)))
        os.kill(victim, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(victim, 0)[1])
        wrong += status not in (0, -signal.SIGKILL)
        for child in list(running):
            done, state = os.waitpid(child, os.WNOHANG)
            if done:
                running.remove(child)
                wrong += os.waitstatus_to_exitcode(state) != 0
        if number % 50 == 49:
            with alone(Store(settings)):  # a scan meanwhile would see what went and what took its place
                size = sum(entry.size for entry in scan(Store(settings)))
            over = max(over, size - limit)
    for child in running:
        wrong += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0
    os.close(made)
    store = Store(settings)
    damaged = verify(store)
    before = sum(entry.size for entry in scan(store))
    trim(store, limit)
    key = digest(b"afterwards")
    usable = publish(store, settings, "r", key, content(key)) and store.get("r", key) == content(key)
    return {
        "kills": count,
        "wrong_or_failed": wrong,
        "damaged_entries": len(damaged),
        "largest_bytes_over_limit": over,
        "limit_bytes": limit,
        "bytes_at_the_end": before,
        "usable": usable,
        "seconds": round(time.monotonic() - begin, 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--processes", type=int, default=32)
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--kills", type=int, default=1000)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    once = once_each(options.work, options.processes, options.keys)
    print(json.dumps(once), flush=True)
    killed = kills(options.work, options.kills)
    print(json.dumps(killed), flush=True)
    good = (
        once["computed"] == options.keys
        and not once["failed_processes"]
        and not killed["wrong_or_failed"]
        and not killed["damaged_entries"]
        and killed["usable"]
        and killed["largest_bytes_over_limit"] <= 0
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

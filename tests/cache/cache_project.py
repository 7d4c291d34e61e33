"""A small project with a store of its own. Every result is checked against one that was made without the cache."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rex_build.base import diagnostics
from rex_build.c.source import preprocess
from rex_build.cache import stats
from rex_build.cache import store as kept
from rex_build.cache.store import Store, seal
from rex_build.pipeline import lower
from rex_build.request import LowerRequest

UNIT = """\
#include "scale.h"
void scale(int n, float *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = x[i] * FACTOR;
}
"""
HEADER = "#define FACTOR 2\n"


class Project:
    """A project with its files below ``root``. ``lower`` returns what happened in the cache."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("src/unit.c", UNIT)
        self.write("include/scale.h", HEADER)

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    @property
    def out(self) -> Path:
        return self.root / "out"

    def request(self, *flags: str, **changes: object) -> LowerRequest:
        values: dict[str, object] = {
            "source": self.root / "src" / "unit.c",
            "out_dir": self.out,
            "cflags": (f"-I{self.root}/include", *flags),
            "depfile": self.out / "unit.d",
            "cc": "gcc",
            "base_dir": self.root,
            **changes,
        }
        return LowerRequest(**values)  # type: ignore[arg-type]

    def lower(self, *flags: str, **changes: object) -> str:
        """Lower through the cache and without it, and compare. Returns the first event that was counted."""
        request = self.request(*flags, **changes)
        time.sleep(0.03)  # a file written within one clock step of the start counts as changed meanwhile
        forget()
        before = events()
        result = lower(request)
        after = events()
        texts = {p: p.read_bytes() for p in (request.host, request.cu, self.out / "unit.d") if p.exists()}
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("REX_BUILD_CACHE", "off")
            forget()
            fresh = lower(request)
        assert {p: p.read_bytes() for p in texts} == texts
        assert fresh.diagnostics == result.diagnostics
        new = [name for name in after if after[name] != before.get(name)]
        return next((name for name in new if "hit" in name or "miss" in name), "")


def forget() -> None:
    """Forget what a new process would not know."""
    diagnostics.source_lines.cache_clear()
    preprocess.line_directives.cache_clear()
    kept._warned.clear()


def events() -> dict[str, int]:
    return {name: count for name, (count, _) in stats.totals(store()).items()}


def store() -> Store:
    return Store(kept.read_settings())


def free_port() -> int:
    """A TCP port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def wait_for(port: int) -> None:
    """Wait until somebody listens. Raises TimeoutError after ten seconds."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise TimeoutError(f"nobody listens on port {port}")


# Damage: each function does it to one entry.


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-20] ^= 1
    path.write_bytes(data)


def _to_folder(path: Path) -> None:
    path.unlink()
    (path / "precious").mkdir(parents=True)


def _to_link(path: Path) -> None:
    target = path.parents[3] / "outside"
    target.write_text("outside")
    path.unlink()
    path.symlink_to(target)


def _newer_version(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data.replace(b"entry\n0001", b"entry\n0002", 1))


def _other_key(path: Path) -> None:
    """Replace an entry by a complete and valid entry of another key."""
    path.write_bytes(seal(path.parts[-3], "0" * 64, b"entries 0\ncost 0\nfile host 0\nfile device 0\n\n"))


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


DAMAGE: list[Callable[[Path], object]] = [
    lambda path: path.write_bytes(path.read_bytes()[:-7]),
    lambda path: path.write_bytes(b""),
    lambda path: path.write_bytes(b"x" * 500),
    _flip, _to_folder, _to_link, _newer_version, _other_key, _fifo,
]  # fmt: skip

"""The user's settings for the cache: environment variables, and a file with the same names for lasting settings."""

from __future__ import annotations

import os
import sys

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}
_DEFAULT_LIMIT = 5 * 10**9
_MODES = ("on", "readonly", "off")

_warned: set[str] = set()


class Settings:
    """``root`` is the store's folder, ``limit`` its limit in bytes, ``remote`` the second level's address or empty."""

    __slots__ = ("limit", "mode", "remote", "root")

    def __init__(self, root: str, limit: int, mode: str, remote: str) -> None:
        self.root = root
        self.limit = limit
        self.mode = mode
        self.remote = remote


def warn(message: str) -> None:
    """Print a warning, once per message. Trouble with the cache never has worse consequences."""
    if message not in _warned:
        _warned.add(message)
        sys.stderr.write(f"rex-build: warning: cache: {message}\n")


def read_settings() -> Settings:
    """The current settings. A value that makes no sense gives a warning and is replaced by the default."""
    values = _configured()
    root = values.get("REX_BUILD_CACHE_DIR") or _default_root()
    mode = values.get("REX_BUILD_CACHE", "on").lower() or "on"
    if mode not in _MODES:
        warn(f"REX_BUILD_CACHE={mode}: expected one of {', '.join(_MODES)}")
        mode = "on"
    if not root:
        mode = "off"
    return Settings(os.path.abspath(root), _limit(values.get("REX_BUILD_CACHE_SIZE", "")), mode,
                    values.get("REX_BUILD_CACHE_REMOTE", ""))  # fmt: skip


def parse_size(text: str) -> int | None:
    """The bytes that ``5G``, ``500 MB`` or ``1GiB`` stand for, or None for a text of another form."""
    word = text.strip().upper().removesuffix("B")
    number = word.rstrip("KMGTI ")
    unit = word[len(number) :].strip()
    try:
        size = int(float(number) * _UNITS[unit])
    except (ValueError, KeyError, OverflowError):
        return None
    return size if size >= 0 else None


def _limit(text: str) -> int:
    if not text:
        return _DEFAULT_LIMIT
    size = parse_size(text)
    if size is None:
        warn(f"REX_BUILD_CACHE_SIZE={text}: expected a size like 5G")
        return _DEFAULT_LIMIT
    return size


def _default_root() -> str:
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        home = os.path.expanduser("~")
        if not os.path.isabs(home):
            return ""
        base = home + "/.cache"
    return base + "/rex-build"


def _configured() -> dict[str, str]:
    """The settings by name. The environment overrides the file, whose lines are ``NAME=value`` or ``#`` comments."""
    values: dict[str, str] = {}
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~") + "/.config"
    try:
        with open(base + "/rex-build/cache.conf", encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                name, equals, value = line.partition("=")
                if equals and not name.lstrip().startswith("#"):
                    values[name.strip()] = value.strip()
    except OSError:
        pass
    for name in ("REX_BUILD_CACHE", "REX_BUILD_CACHE_DIR", "REX_BUILD_CACHE_SIZE", "REX_BUILD_CACHE_REMOTE"):
        value = os.environ.get(name, "")
        if value:
            values[name] = value
    return values

"""What a cache hit uses of ``os``: the same functions under the same names, without the import of ``os``.

Python starts without ``os`` under ``-S``. Its import, with the abstract collections that come with it, takes an eighth
of a hit. The system's calls are in ``posix``, which is a part of the interpreter. What is neither there nor here comes
from ``os`` when it is asked for.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import *  # noqa: F403
    from os import PathLike, _exit, path

    __all__ = ["PathLike", "_exit", "path"]
else:
    import posix
    from posix import *  # noqa: F403
    from posix import _exit, access, getcwd, readlink, stat

    del environ  # noqa: F821 (in posix, its names and values are bytes)
    defpath, pathsep, devnull = "/bin:/usr/bin", ":", "/dev/null"
    _MOST_LINKS = 40

    def __getattr__(name: str) -> object:
        import os

        return getattr(os, name)

    def getenv(name: str, default: str | None = None) -> str | None:
        if "os" in sys.modules:  # it knows of changes
            return sys.modules["os"].environ.get(name, default)
        value = posix.environ.get(name.encode(sys.getfilesystemencoding(), "surrogateescape"))
        return default if value is None else value.decode(sys.getfilesystemencoding(), "surrogateescape")

    def fsencode(name: str) -> bytes:
        return name.encode(sys.getfilesystemencoding(), "surrogateescape")

    class _Path:
        """``os.path`` for names that are texts."""

        __slots__ = ()

        def __getattr__(self, name: str) -> object:
            import os

            return getattr(os.path, name)

        def basename(self, name: str) -> str:
            return name[name.rfind("/") + 1 :]

        def dirname(self, name: str) -> str:
            head = name[: name.rfind("/") + 1]
            return head.rstrip("/") or head

        def isabs(self, name: str) -> bool:
            return name.startswith("/")

        def join(self, folder: str, name: str) -> str:
            if name.startswith("/") or not folder:
                return name
            return folder + name if folder.endswith("/") else f"{folder}/{name}"

        def abspath(self, name: str) -> str:
            if not name.startswith("/"):
                name = self.join(getcwd(), name)
            if "//" not in name and "/." not in name and not name.endswith("/"):
                return name
            parts: list[str] = []
            for part in name.split("/"):
                if part == "..":
                    parts[-1:] = []
                elif part and part != ".":
                    parts.append(part)
            two = name.startswith("//") and not name.startswith("///")  # which POSIX leaves to the system
            return "/" * (1 + two) + "/".join(parts)

        def realpath(self, name: str) -> str:
            real = ""
            rest = name.split("/")[::-1]
            if not name.startswith("/"):
                rest += getcwd().split("/")[::-1]
            links = 0
            while rest:
                part = rest.pop()
                if part == "..":
                    real = real[: real.rfind("/")] if real else ""
                elif part and part != ".":
                    try:
                        target = readlink(f"{real}/{part}")
                    except OSError:
                        real = f"{real}/{part}"
                        continue
                    links += 1
                    if links > _MOST_LINKS:
                        return __getattr__("path").realpath(name)  # links that may lead to each other
                    if target.startswith("/"):
                        real = ""
                    rest += target.split("/")[::-1]
            return real or "/"

        def expanduser(self, name: str) -> str:
            home = getenv("HOME")
            if name != "~" or home is None:
                return __getattr__("path").expanduser(name)
            return home.rstrip("/") or "/"

        def exists(self, name: str) -> bool:
            return access(name, 0)

        def lexists(self, name: str) -> bool:
            return access(name, 0, follow_symlinks=False)

        def isfile(self, name: str) -> bool:
            return _kind(name) == 0o100000

        def isdir(self, name: str) -> bool:
            return _kind(name) == 0o040000

        def islink(self, name: str) -> bool:
            return _kind(name, follow_symlinks=False) == 0o120000

        def samefile(self, one: str, other: str) -> bool:
            first, second = stat(one), stat(other)
            return (first.st_ino, first.st_dev) == (second.st_ino, second.st_dev)

    def _kind(name: str, *, follow_symlinks: bool = True) -> int:
        try:
            return stat(name, follow_symlinks=follow_symlinks).st_mode & 0o170000
        except OSError:
            return 0

    path = _Path()

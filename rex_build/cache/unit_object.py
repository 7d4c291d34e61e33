"""Finished objects of lowered units: the host's code, the images and their registration in one.

    object entry = "images" (" " digest)* "\\n" "depfile " bytes "\\n\\n" (the dependency file) (the object)

An object is made of the unit's two texts, of the files that the unit includes, of the images, and by the compiler. All
of these count. What the host's compiler reads besides is not stored: what decides it is unknown.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..base.command_words import which
from ..base.records import dataclass
from .eviction import publish
from .flags import COMPILING, NotCachedError, check_flags, short_options, told
from .image import HARMLESS, NOT_CACHED, names_relative_path, reads
from .memo import Cache, Memo, read_file
from .remote import Remote
from .step import changed_since
from .store import FORMAT, CacheKey, digest
from .tools import PACKAGE, compiler_identity, tool_digest
from .unit import processor

# These write or read other files as well, or hide other flags.
_REFUSED = (*NOT_CACHED, "-Wp,", "-Xpreprocessor", "-Wa,", "-Xassembler", "-aux-info", "-fdiagnostics-format", "-flto")
_NAMES_THE_FILE = b"__BASE_FILE__"


@dataclass(frozen=True)
class ObjectRequest:
    """How a unit's object is made. ``command`` is the compiler with all flags.

    ``files`` are the unit's host file, its device file, and what the unit includes. ``more`` is what decides beside the
    command. ``folders`` are the working directory, its name in the environment, and the folder of the host file, which
    has no name in the object unless it ``stays``.
    """

    command: Sequence[str]
    language: str
    source: str
    files: Sequence[str]
    more: Sequence[str]
    folders: Sequence[str]
    stays: bool
    started_ns: int


class UnitObject:
    """The object of one unit on its way through the cache."""

    def __init__(self, request: ObjectRequest, cache: Cache) -> None:
        self._request = request
        self._store = cache.store
        self._settings = cache.settings
        self._remote = Remote(cache.store, cache.settings)
        flags = list(short_options(request.command[1:]))
        check_flags(flags, HARMLESS, _REFUSED)
        is_relative = not os.path.isabs(request.source) or names_relative_path(flags)
        has_names = any(flag.startswith("-g") for flag in flags)  # which debuggers read
        # So many folders are part of the key.
        self._counting = 3 if has_names and request.stays else 2 if has_names or is_relative else 0
        self._key = self._key_of(flags, cache.memo)
        self._known = self._found()

    def _key_of(self, flags: Sequence[str], memo: Memo) -> str:
        request = self._request
        key = CacheKey()
        key.field("format", f"object {FORMAT}")
        key.field("rex-build", tool_digest(memo, only_c=request.language == "c"))
        for name, value in told(COMPILING):
            key.field(f"environment {name}", value)
        parts = ("cc1plus", "cc1", "as", "collect2", "ld")
        compiler = request.command[0]
        key.field("compiler", compiler_identity(compiler, memo, *parts, flags=flags, language=request.language))
        for word in (*flags, request.source, *request.more):
            key.field("word", word)
        if any("native" in flag for flag in flags):
            key.field("processor", processor())
        for folder in request.folders[: self._counting]:
            key.field("folder", folder)
        try:
            for name in request.files[:2]:  # which are in a folder of each build
                key.field(os.path.basename(name), memo.file(name))
            for name in (*request.files[2:], which("objcopy") or ""):
                key.field(name, memo.file(name))
        except OSError as error:
            raise NotCachedError(str(error)) from error
        return key.hexdigest()

    def _found(self) -> tuple[list[str], bytes, bytes] | None:
        """(the digests of the images, the dependency file, the object) that are stored."""
        if (payload := self._store.get("o", self._key)) is None and self._remote.fetch("o", self._key):
            payload = self._store.get("o", self._key)
        if payload is None:
            return None
        head, _, rest = payload.partition(b"\n\n")
        images, depfile = (line.split(" ")[1:] for line in head.decode().split("\n"))
        return images, rest[: int(depfile[0])], rest[int(depfile[0]) :]

    @property
    def is_known(self) -> bool:
        return self._known is not None

    def found(self, images: Iterable[Path], depfile: Path | None) -> bytes | None:
        """The object with these images, once its dependency file is written. None if it is not stored."""
        if self._known is None or self._known[0] != _digests(images):
            return None
        if depfile is not None:
            try:
                depfile.write_bytes(self._known[1])
            except OSError:
                return None  # the compiler says what is wrong
        self._store.count("object hit")
        return self._known[2]

    def keep(self, images: Iterable[Path], depfile: Path | None, made: Path, host_depfile: Path) -> None:
        """Store an object. The compiler that made its host's code has written the dependency file ``host_depfile``."""
        request = self._request
        try:
            read = {os.path.realpath(name) for name in reads(str(host_depfile))}
            texts = [read_file(name) for name in request.files]
            names, data = depfile.read_bytes() if depfile is not None else b"", made.read_bytes()
        except OSError:
            return
        read -= {os.path.realpath(name) for name in request.files}
        if any(not name.startswith(f"{PACKAGE}/include/") for name in read):
            self._store.count("object not stored: the host's code reads other files")
        elif any(_NAMES_THE_FILE in text for text in texts) or any(
            os.fsencode(folder) in data for folder in (*request.folders[self._counting :], str(made.parent)) if folder
        ):
            self._store.count("object not stored: it names its folder")
        elif changed_since(request.started_ns, request.files[2:]):
            self._store.count("object not stored: changed meanwhile")
        else:
            head = " ".join(["images", *_digests(images)]) + f"\ndepfile {len(names)}\n\n"
            if publish(self._store, self._settings, "o", self._key, head.encode() + names + data):
                self._remote.offer("o", self._key)


def _digests(files: Iterable[Path]) -> list[str]:
    return [digest(file.read_bytes()) for file in files]


def unit_object(request: ObjectRequest, cache: Cache | None) -> UnitObject | None:
    """None if the object is not cached."""
    if cache is None or len(request.files) < 3:
        return None
    try:
        return UnitObject(request, cache)
    except NotCachedError as error:
        cache.store.count(f"object not cached: {str(error)[:40]}")
        return None

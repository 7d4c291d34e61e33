"""Manifests. A manifest lists the results for one source, flags and tools, and the other files that each depends on.

    manifest = record*          newest first, at most 16; records are separated by an empty line
    record   = "result " key "\\n" ("base " path "\\n")? line*
    line     = "f " digest " " name     the file had this content
             | "p " name                the file existed, with any content
             | "a " name " " names      none of these names, separated by "/", existed in this folder
             | "l " name " " target     this path was a link to that one
             | "d " name                these folders were different ones: the compiler leaves out one that is not
    name     = "B" path | "C" path | "=" path      relative to the base directory, to the compiler's, or unchanged

Blanks, newlines and backslashes in names are written ``\\s``, ``\\n`` and ``\\\\``. A record with "base" holds for that
base directory only.
"""

from __future__ import annotations

import os

from .memo import file_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .memo import Memo

_MOST_RECORDS = 16
# With more names than this, listing the folder is faster than asking for each name.
_MANY_NAMES = 12


class Base:
    """The current base directory. Names below it are stored without it. ``path`` is absolute, or empty for none.

    The same is done with names below ``folder``, in which the compiler of an image runs.
    """

    __slots__ = ("folder", "path")

    def __init__(self, path: str, folder: str = "") -> None:
        self.path = path.rstrip("/")
        self.folder = folder.rstrip("/")

    def strip(self, name: str) -> str:
        """The form of a file name in entries."""
        for mark, path in (("B", self.path), ("C", self.folder)):
            if path and name.startswith(path) and name[len(path) : len(path) + 1] in ("", "/"):
                return mark + name[len(path) :]
        return "=" + name

    def restore(self, name: str) -> str:
        """The file name that a name in an entry stands for under the current base directory."""
        if name[:1] == "B":
            return self.path + name[1:]
        return self.folder + name[1:] if name[:1] == "C" else name[1:]


class Record:
    """One result and what it depends on. Names have the form of entries. ``files`` are (name, digest) in order."""

    __slots__ = ("absent", "bound", "distinct", "files", "links", "present", "result")

    def __init__(
        self,
        result: str,
        bound: str,
        files: Sequence[tuple[str, str]],
        present: Sequence[str] = (),
        absent: Sequence[tuple[str, Sequence[str]]] = (),
        links: Sequence[tuple[str, str]] = (),
        distinct: Sequence[str] = (),
    ) -> None:
        self.result = result
        self.bound = bound
        self.files = files
        self.present = present
        self.absent = absent
        self.links = links
        self.distinct = distinct

    def mismatch(self, base: Base, memo: Memo) -> str:
        """Why the record does not hold now. Empty if it holds.

        Two results are remembered under the ``stat`` values of files and folders: that the files still have their
        content, and that nothing has appeared in folders outside of the base directory. Most hits check only these.
        """
        if self.bound and self.bound != base.path:
            return "made for another base directory"
        slot, states = self._slot(base, memo)
        why = ""
        if not states or memo.get(slot) is None:
            why = self._content_mismatch(base, memo) or self._appeared(base, ours=False)
            if states and not why:
                memo.put(slot, self.result, *states)
        why = why or self._appeared(base, ours=True)
        restore = base.restore
        for name in self.present:
            if not why and (not os.path.exists(restore(name)) or os.path.isdir(restore(name))):
                why = f"{restore(name)} is gone"
        for name, target in self.links:
            if not why and os.path.realpath(restore(name)) != restore(target):
                why = f"{restore(name)} leads elsewhere"
        return why or self._merged(base)

    def _merged(self, base: Base) -> str:
        """A folder of the search path that is another name of one before it now, or no folder at all."""
        known = set()
        for name in self.distinct:
            try:
                state = os.stat(base.restore(name) or ".")
            except OSError:
                if os.path.lexists(base.restore(name)):
                    return f"{base.restore(name)} leads elsewhere"
                continue  # it is gone, and what was found there with it
            if state.st_mode & 0o170000 != 0o040000:
                return f"{base.restore(name)} leads elsewhere"
            if (state.st_dev, state.st_ino) in known:
                return f"{base.restore(name)} leads elsewhere"
            known.add((state.st_dev, state.st_ino))
        return ""

    def _slot(self, base: Base, memo: Memo) -> tuple[bytes, list[os.stat_result]]:
        """(the memo's slot for this record and the current states of its files, those states).

        The list is empty when a file is gone. Folders below the current directories do not count, as compilers write
        there all the time.
        """
        restore = base.restore
        states = []
        facts: list[str | int] = [self.result]
        try:
            for name, content in self.files:
                path = restore(name)
                state = os.stat(path)
                states.append(state)
                facts += (path, content, *file_state(state))
            for name, names in self.absent:
                if name[0] == "=":
                    state = os.stat(name[1:] or ".")
                    states.append(state)
                    facts += (name, *names, *file_state(state))
        except OSError:
            return b"", []
        return memo.name_of_all(facts), states

    def _content_mismatch(self, base: Base, memo: Memo) -> str:
        for name, content in self.files:
            path = base.restore(name)
            try:
                if memo.file(path) != content:
                    return f"{path} has changed"
            except OSError:
                return f"{path} cannot be read"
        return ""

    def _appeared(self, base: Base, *, ours: bool) -> str:
        """A name that did not exist and now does, in folders below the current directories (``ours``) or in others."""
        for name, names in self.absent:
            if ours == (name[0] != "=") and (found := _first_present(base.restore(name), names)):
                return f"{found} has appeared"
        return ""

    def text(self) -> str:
        lines = [f"result {self.result}"]
        if self.bound:
            lines.append(f"base {_escape(self.bound)}")
        lines += [f"f {content} {_escape(name)}" for name, content in self.files]
        lines += [f"p {_escape(name)}" for name in self.present]
        lines += [f"a {_escape(name)} {_escape('/'.join(names))}" for name, names in self.absent]
        lines += [f"l {_escape(name)} {_escape(target)}" for name, target in self.links]
        lines += [f"d {_escape(name)}" for name in self.distinct]
        return "\n".join(lines)


def manifest_with(record: Record, known: bytes | None) -> bytes:
    """The manifest ``known`` with one more record in front."""
    text = record.text()
    texts = [text, *(other for one in read_manifest(known) if (other := one.text()) != text)]
    return "\n\n".join(texts[:_MOST_RECORDS]).encode("utf-8", "surrogateescape")


def read_manifest(payload: bytes | None) -> list[Record]:
    """The records. A record with a line that is not understood is dropped."""
    if payload is None:
        return []
    records = []
    for part in payload.decode("utf-8", "surrogateescape").split("\n\n"):
        record = _read_record(part)
        if record is not None:
            records.append(record)
    return records


def _read_record(text: str) -> Record | None:
    result = bound = ""
    files = []
    present = []
    absent = []
    links = []
    distinct = []
    escaped = "\\" in text
    for line in text.split("\n"):
        words = line.split(" ")
        if escaped:
            words = [_unescape(word) for word in words]
        kind = words[0]
        if kind == "f" and len(words) == 3:
            files.append((words[2], words[1]))
        elif kind == "p" and len(words) == 2:
            present.append(words[1])
        elif kind == "a" and len(words) == 3:
            absent.append((words[1], words[2].split("/")))
        elif kind == "l" and len(words) == 3:
            links.append((words[1], words[2]))
        elif kind == "d" and len(words) == 2:
            distinct.append(words[1])
        elif kind == "result" and len(words) == 2:
            result = words[1]
        elif kind == "base" and len(words) == 2:
            bound = words[1]
        else:
            return None
    return Record(result, bound, files, present, absent, links, distinct) if len(result) == 64 else None


def _first_present(folder: str, names: Sequence[str]) -> str:
    try:
        os.stat(folder or ".")
    except FileNotFoundError:
        return ""
    except OSError:
        return folder  # it is a file now, or a link to itself: compilers report that
    if len(names) > _MANY_NAMES:
        try:
            there = set(os.listdir(folder or "."))
        except OSError:
            return ""
        both = there.intersection(names)
        return os.path.join(folder, min(both)) if both else ""
    for name in names:
        path = os.path.join(folder, name)
        if os.access(path, os.F_OK, follow_symlinks=False):  # a link that leads nowhere, or to itself, counts, too
            return path
    return ""


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace(" ", "\\s").replace("\n", "\\n")


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return "\\".join(part.replace("\\s", " ").replace("\\n", "\n") for part in text.split("\\\\"))

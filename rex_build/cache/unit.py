"""Lowered units: what their keys are made of, and how a stored result becomes the outputs of the current checkout.

    result = "entries " count "\\n" "cost " milliseconds "\\n" ("warnings " bytes " " usual "\\n")?
             ("file " name " " bytes " below"? "\\n")* "\\n" contents

In texts marked ``below``, a zero byte stands for the base directory. It is taken out only between a quote and a slash,
as in ``#line 7 "/home/me/app/solve.c"``. A text that has it anywhere else is bound to its base directory (manifest.py).
``usual`` counts the messages that are reported where no option chooses others.
"""

from __future__ import annotations

import os

from .flags import PREFIX_MAPS, PREPROCESSING, SEARCHED, NotCachedError, check_flags, searched, short_options, told
from .manifest import Base, Record, read_manifest
from .memo import Memo, read_file
from .store import FORMAT, CacheKey, digest
from .tools import compiler_identity, python_version, tool_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .store import Store

# What only the assembler, the linker or the optimiser reads does not matter to a preprocessor.
_NOT_PREPROCESSING = (
    "-Wl,", "-Wa,", "-L", "-l", "-T", "-fuse-ld=", "-frandom-seed=", "-fprofile", "-fauto-profile", "-fsanitize-",
    "-fdebug-compilation-dir=", "--target=",
)  # fmt: skip
_REFUSED = ("-Wp,", "-Xpreprocessor", "--preprocessor")
_BASE = b"\0"  # stands for the base directory
_THIS_MACHINE = ("-march=native", "-mtune=native", "-mcpu=native")


class UnitRequest:
    """A unit to lower, as plain strings. ``options`` has the settings that differ from their defaults, by name.

    ``warnings`` choose what is reported, which is no part of the key.
    """

    __slots__ = ("base_dir", "cc", "cflags", "cu", "depfile", "host", "options", "source", "warnings")

    def __init__(
        self,
        source: str,
        host: str,
        cu: str,
        cflags: Sequence[str],
        cc: str,
        base_dir: str,
        options: Mapping[str, str],
        depfile: str = "",
        warnings: Sequence[str] = (),
    ) -> None:
        self.source = source
        self.host = host
        self.cu = cu
        self.cflags = cflags
        self.cc = cc
        self.base_dir = base_dir
        self.options = options
        self.depfile = depfile
        self.warnings = warnings


class UnitKey:
    """The direct key of a request, made from all but the headers. ``common`` has its fields without the source.

    ``words`` are the flags, with what response files hold and with short spellings.
    """

    __slots__ = ("base", "common", "direct", "source_digest", "words")

    def __init__(self, request: UnitRequest, memo: Memo) -> None:
        self.base = Base(_base_for(request))
        self.words = list(short_options(request.cflags))
        only_c = request.source.endswith(".c") and not any(word.startswith("-x") for word in self.words)
        key = CacheKey()
        key.field("format", f"unit {FORMAT}")
        key.field("rex-build", tool_digest(memo, only_c=only_c))
        key.field("python", python_version())
        for name, value in told(PREPROCESSING):
            key.field(f"environment {name}", value)
        check_flags(self.words, _NOT_PREPROCESSING, _REFUSED)
        language, flags = "c" if only_c else "c++", (*request.cflags, "-fopenmp")
        key.field("compiler", compiler_identity(request.cc, memo, "cc1", flags=flags, language=language))
        key.field("source", self.base.strip(request.source))
        key.field("source below base", _relative(request.source, request.base_dir))
        key.field("host file", os.path.basename(request.host))
        key.field("device file", os.path.basename(request.cu))
        for name in sorted(request.options):
            key.field(f"option {name}", request.options[name])
        for flag in _flags(self.words, self.base):
            key.field("flag", flag)
        if not only_c and any(word.startswith(("-isystem", "-idirafter")) for word in self.words):
            key.field("folder", self.base.strip(os.getcwd()))  # device files of C++ have the whole names
        self.common = list(key.fields)
        try:
            self.source_digest = memo.file(request.source)
        except OSError as error:
            raise NotCachedError(f"{request.source}: {error.strerror}") from error
        key.field("source text", self.source_digest)
        self.direct = key


class UnitResult:
    """A stored result. ``files`` has the texts by name (``host``, ``device``), with the base directory inserted."""

    __slots__ = ("cost", "entries", "files", "usual", "warnings")

    def __init__(
        self, files: Mapping[str, bytes], entries: int, cost: int, warnings: bytes = b"", usual: int = 0
    ) -> None:
        self.files = files
        self.entries = entries
        self.cost = cost
        self.warnings = warnings
        self.usual = usual

    def pack(self, base: Base) -> tuple[bytes, bool]:
        """(the payload, whether it holds for ``base`` only)."""
        lines = [f"entries {self.entries}", f"cost {self.cost}"]
        contents = []
        bound = False
        if self.warnings:
            lines.append(f"warnings {len(self.warnings)} {self.usual}")
            contents.append(self.warnings)
            bound = bool(base.path) and os.fsencode(base.path) in self.warnings
        for name, text in self.files.items():
            kept = text
            if base.path:
                path = os.fsencode(base.path)
                kept = text.replace(b'"%b/' % path, b'"%b/' % _BASE)
                bound = bound or path in kept or _BASE in text
            lines.append(f"file {name} {len(kept)}{' below' * (kept != text)}")
            contents.append(kept)
        if bound:
            return self.pack(Base(""))[0], True
        return ("\n".join(lines) + "\n\n").encode() + b"".join(contents), False


def unpack_result(payload: bytes, base: Base) -> UnitResult:
    """The result under the current base directory. Raises ValueError when the payload is not a result."""
    head, _, contents = payload.partition(b"\n\n")
    entries = cost = usual = at = 0
    warnings = b""
    files: dict[str, bytes] = {}
    path = os.fsencode(base.path)
    for line in head.decode().split("\n"):
        words = line.split(" ")
        if words[0] == "file":
            length = int(words[2])
            text = contents[at : at + length]
            # Python looks for one byte faster than for several.
            files[words[1]] = text.replace(_BASE, path) if words[3:] else text
            at += length
        elif words[0] == "warnings":
            warnings, usual = contents[: int(words[1])], int(words[2])
            at = len(warnings)
        elif words[0] == "entries":
            entries = int(words[1])
        elif words[0] == "cost":
            cost = int(words[1])
        else:
            raise ValueError(f"unknown line {line!r}")
    if at != len(contents):
        raise ValueError("lengths do not add up")
    return UnitResult(files, entries, cost, warnings, usual)


def find_direct(store: Store, key: UnitKey, memo: Memo) -> tuple[UnitResult | None, Record | None, str]:
    """(the result that the manifest leads to, its record, ""), or (None, None, the reason why there is none)."""
    records = read_manifest(store.get("m", key.direct.hexdigest()))
    reason = "not seen before"
    for record in records:
        why = record.mismatch(key.base, memo)
        if why:
            reason = why if reason == "not seen before" else reason
            continue
        found = get_result(store, record.result, key.base)
        if found is not None:
            return found, record, ""
        reason = "the result has been evicted"
    return None, None, reason


def get_result(store: Store, key: str, base: Base) -> UnitResult | None:
    payload = store.get("r", key)
    if payload is None:
        return None
    try:
        return unpack_result(payload, base)
    except (ValueError, IndexError):
        return None


def _base_for(request: UnitRequest) -> str:
    """The base directory in the spelling that the source's name has. Empty when the name does not contain it."""
    if not request.base_dir:
        return ""
    given = os.path.abspath(request.base_dir)
    # A #line directive would spell these two characters differently.
    if request.source.startswith(given + "/") and not {'"', "\\"} & set(given):
        return given
    real = os.path.realpath(given)
    if request.source.startswith(real + "/") and not {'"', "\\"} & set(real):
        return real
    return "" if {'"', "\\"} & set(given) else given


def _relative(source: str, base_dir: str) -> str:
    """The source's path below the base directory, links resolved. Empty when it is elsewhere."""
    if not base_dir:
        return ""
    real = os.path.realpath(source)
    base = os.path.realpath(base_dir).rstrip("/") + "/"
    return real[len(base) :] if real.startswith(base) else ""


def _flags(words: Sequence[str], base: Base) -> list[str]:
    """The flags in the form of the key, without the base directory."""
    out: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in _THIS_MACHINE:
            out.append(word + " " + processor())
        elif word in SEARCHED:
            out += [word, base.strip(next(rest, ""))]
        elif option := searched(word):
            value = word[len(option) :]
            equals = "=" * value.startswith("=")
            out.append(option + equals + base.strip(value[len(equals) :]))
        elif word.startswith(PREFIX_MAPS):
            flag, _, value = word.partition("=")
            old, equals, new = value.rpartition("=")
            out.append(f"{flag}={base.strip(old)}{equals}{new}")
        else:
            out.append(word)
    return out


def processor() -> str:
    """A text that identifies this machine's processor, which decides what -march=native means."""
    try:
        text = read_file("/proc/cpuinfo").partition(b"\n\n")[0]
    except OSError as error:
        raise NotCachedError("-march=native") from error
    wanted = (b"model", b"flags", b"cpu family")
    return digest(b"\n".join(line for line in text.split(b"\n") if line.startswith(wanted)))

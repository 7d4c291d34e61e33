"""Device images: what their keys are made of, and their compilation through the cache.

    image entry = "cost " milliseconds "\\n" "said " bytes "\\n" "\\n" (what the compiler said) (the image)

An image without debug information does not depend on where the ``.cu`` lies, nor on where the source lies: in its key
the ``#line`` directives of the ``.cu`` have file names without folders, unless something in the text could see more of
them than that.
"""

from __future__ import annotations

import os

from ..base.command_words import compiler_at, split_response
from ..base.patterns import regex
from ..tools.backends import backend_of
from .flags import COMPILING, NotCachedError, check_flags, short_options, told
from .manifest import Base, read_manifest
from .memo import Memo, read_file
from .store import FORMAT, CacheKey, digest
from .tools import PACKAGE, compiler_identity, files_digest, program_path
from .unit import processor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .store import Store

NOT_CACHED = (
    "@", "-M", "-save-temps", "--save-temps", "-keep", "--keep", "-optf", "--options-file", "-fplugin", "-specs", "-B",
    "-fprofile", "--coverage", "-ftest-coverage", "-wrapper", "-dump", "-fdump", "--generate-dependencies", "-time",
    "--time", "-gsplit", "-dryrun", "--dryrun", "-fauto-profile", "-fbranch-probabilities", "-fdevice-time-trace",
    "--fdevice-time-trace", "-ftime-trace", "-fsave-optimization-record", "-fopt-info", "-fstack-usage",
    "-fcallgraph-info",
)  # fmt: skip
# These read nothing, or what they name counts with the compiler's programs.
HARMLESS = (
    "-ccbin", "--compiler-bindir", "-L", "--library-path", "-l", "--library", "-frandom-seed=", "--target=",
    "-fdebug-compilation-dir=",
)  # fmt: skip
_DEBUG = ("-g", "-G", "--debug", "--device-debug", "-lineinfo", "--generate-line-info", "-pg", "-p", "--source-in-ptx")
# Options whose value, or whose next word, is a path. A relative one is another file in every checkout.
_PATHS = (
    "-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-iprefix", "-iwithprefix", "-iwithprefixbefore",
    "-isysroot", "-L", "--include", "--include-directory", "--include-path", "--pre-include", "--system-include",
    "--library-path", "--sysroot", "-ccbin", "--compiler-bindir", "--config", "--gcc-toolchain", "--gcc-install-dir",
)  # fmt: skip
# What makes of a file's name or place more than a line directive.
_SEES_NAMES = regex(rb"__(?:BASE_)?FILE__|__builtin_FILE|source_location|(?<!static_)assert|__TIMESTAMP__")


class ImageRequest:
    """``cu`` is the file, ``text`` what it holds; ``command`` the compiler with what stands before and behind it;
    a ``--launcher`` is not part of it."""

    __slots__ = ("arch", "command", "cu", "options", "separable", "text")

    def __init__(
        self, cu: str, text: bytes, arch: str, options: Sequence[str], command: Sequence[str], separable: bool
    ) -> None:
        self.cu = cu
        self.text = text
        self.arch = arch
        self.options = options
        self.command = command
        self.separable = separable

    @property
    def compiler(self) -> Sequence[str]:
        """The compiler itself with what stands behind it."""
        return self.command[compiler_at(self.command) or 0 :]

    @property
    def program(self) -> str:
        return self.compiler[0]

    @property
    def folder(self) -> str:
        """Where the compiler runs."""
        return os.path.dirname(os.path.abspath(self.cu))

    def words(self) -> list[str]:
        """All options, with those of the environment and those that are passed on to another program."""
        before, after = (split_response(os.environ.get(name, "")) for name in backend_of(self.arch).more_flags)
        return list(short_options(_passed_on([*before, *self.compiler[1:], *self.options, *after])))


class ImageKeys:
    """The keys of one request.

    ``anywhere`` leaves the folder of the ``.cu`` out; it is ``here`` itself where that would be wrong. It also leaves
    out the sources' folders, unless the text ``sees_names`` of files.
    """

    __slots__ = ("anywhere", "here", "sees_names")

    def __init__(self, request: ImageRequest, memo: Memo) -> None:
        common = CacheKey()
        common.field("format", f"image {FORMAT}")
        common.field("rex-build", device_digest(memo))
        variables = dict(told((*COMPILING, *backend_of(request.arch).environment)))
        for name, value in variables.items():
            common.field(f"environment {name}", value)
        common.field("architecture", request.arch)
        common.field("separable", f"{request.separable:d}")
        options = request.words()
        check_flags(options, HARMLESS, NOT_CACHED)
        common.field("compiler", _compiler(request, memo))
        for option in options:
            common.field("option", option)
        searched = [folder for value in variables.values() for folder in value.split(os.pathsep)]
        relative = names_relative_path(options) or any(not folder.startswith("/") for folder in searched if folder)
        # A file below the folder that is named by its full path is not another checkout's file of that name.
        if relative or any(request.folder in word for word in (*options, *variables.values())):
            common.field("folder", request.folder)
        if any("native" in option for option in options):
            common.field("processor", processor())
        common.field("file", os.path.basename(request.cu))
        if b".incbin" in request.text or b".include" in request.text:
            raise NotCachedError("assembly that reads files")
        self.here = self.anywhere = _with(common, ("compiled in", request.folder.encode("utf-8", "surrogateescape")),
                                          ("text", request.text))  # fmt: skip
        self.sees_names = _SEES_NAMES.search(request.text) is not None
        if not any(option.startswith(_DEBUG) for option in options):
            text = request.text if self.sees_names else without_folders(request.text)
            self.anywhere = _with(common, ("text that sees names" if self.sees_names else "text without folders", text))


def names_relative_path(options: Sequence[str]) -> bool:
    """Whether an option names a file or folder that the compiler, which runs beside the ``.cu``, finds from there.

    ``-Xcompiler -Iinclude``, ``-Wp,-include,config.h`` and ``--include-directory=include`` count as ``-I include``.
    """
    outside = (option for option in options if not option.startswith(("-D", "-U")))  # macros name no files here
    words = [part for option in outside for part in option.replace("=", ",").split(",")]
    for word, following in zip(words, [*words[1:], ""], strict=False):
        name = max((path for path in _PATHS if word.startswith(path)), key=len, default="")
        value = (word[len(name) :] or following) if name else word
        if (name or "/" in value) and not value.startswith("/"):
            return True
    return False


def _passed_on(options: Sequence[str]) -> Iterator[str]:
    """The options, with those for the preprocessor and the host compiler in place of what passes them on."""
    rest = iter(options)
    for option in rest:
        name, equals, value = option.partition("=")
        if name in ("-Xcompiler", "--compiler-options"):
            yield from (value if equals else next(rest, "")).split(",")
        elif option.startswith("-Wp,"):
            yield from option[4:].split(",")
        elif option in ("-Xpreprocessor", "--preprocessor"):
            yield next(rest, "")
        else:
            yield option


def _with(common: CacheKey, *more: tuple[str, bytes]) -> CacheKey:
    key = CacheKey()
    for field, value in (*common.fields, *more):
        key.field(field, value)
    return key


def without_folders(text: bytes) -> bytes:
    """The text with ``#line 7 "/home/me/solve.c"`` as ``#line 7 "solve.c"``."""
    pieces = text.split(b"\n#line ")
    for at in range(1, len(pieces)):
        line, newline, rest = pieces[at].partition(b"\n")
        number, quote, name = line.partition(b' "')
        pieces[at] = number + quote + name.rpartition(b"/")[2] + newline + rest
    return b"\n#line ".join(pieces)


_OWN_FILES = (
    PACKAGE + "/build/images.py", PACKAGE + "/tools/backends.py", PACKAGE + "/tools/exports.py",
    PACKAGE + "/base/elf.py",
    *(
        f"{PACKAGE}/cache/{name}.py"
        for name in ("image", "image_compile", "discover", "drivers", "flags", "manifest", "tools")
    ),
)  # fmt: skip


def device_digest(memo: Memo) -> str:
    """A digest of what rex-build itself adds to an image: device headers, and the code that calls the compiler."""
    return files_digest(memo, "device", (PACKAGE + "/include",), _OWN_FILES)


def _compiler(request: ImageRequest, memo: Memo) -> str:
    """A digest of the compiler and of all that works behind it."""
    compilers, files = backend_of(request.arch).behind(program_path(request.program), request.words())
    if not compilers:
        raise NotCachedError(f"{request.program} does not say what it calls")
    own, *others = compilers  # the others get flags that only this one knows
    flags = (*request.compiler[1:], *request.options)
    parts = [compiler_identity(own[0], memo, *own[1:], flags=flags, language="c++")]
    parts += (compiler_identity(program, memo, *asked, language="c++") for program, *asked in others)
    return digest("\n".join([*parts, *map(memo.file, files)]).encode())


def base_of(request: ImageRequest) -> Base:
    """Names in records of images are relative to rex-build's own files and to the folder in which the compiler runs."""
    return Base(PACKAGE, request.folder)


def find_image(store: Store, keys: ImageKeys, base: Base, memo: Memo) -> tuple[bytes, str, int, str]:
    """(the image, what the compiler said, milliseconds it took, ""); else three empties, and why there is none."""
    reason = "not seen before"
    for key in (keys.anywhere, keys.here) if keys.anywhere is not keys.here else (keys.here,):
        for record in read_manifest(store.get("m", key.hexdigest())):
            why = record.mismatch(base, memo)
            if why:
                reason = why
                continue
            payload = store.get("i", record.result)
            found = _unpack(payload) if payload is not None else None
            if found is not None:
                return (*found, "")
            reason = "the result has been evicted"
    return b"", "", 0, reason


def pack(image: bytes, said: str, cost: int) -> bytes:
    words = said.encode("utf-8", "surrogateescape")
    return f"cost {cost}\nsaid {len(words)}\n\n".encode() + words + image


def _unpack(payload: bytes) -> tuple[bytes, str, int] | None:
    head, _, rest = payload.partition(b"\n\n")
    try:
        cost, said = (int(line.split(b" ")[1]) for line in head.split(b"\n"))
    except (ValueError, IndexError):
        return None
    return rest[said:], rest[:said].decode("utf-8", "surrogateescape"), cost


def reads(path: str) -> list[str]:
    """The files that a compiler's depfile names. Raises OSError."""
    text = read_file(path).decode("utf-8", "surrogateescape").replace("\\\n", " ")
    _, _, names = text.partition(": ")
    names = names.replace("\\ ", "\0").replace("$$", "$").replace("\\#", "#")
    return [name.replace("\0", " ") for name in names.split()]

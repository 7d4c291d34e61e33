"""Reads a gcc command line: its files with their languages, its flags, and whether it compiles or links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import pairwise
from pathlib import Path

from ..base.command_words import expanded
from ..base.outputs import escape
from ..base.records import dataclass
from ..c.source.flags import LONG, map_long


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# With these options a command line neither compiles to objects nor links.
_OTHER_MODES = _words(
    "-E -S -M -MM -fsyntax-only -### --version -dumpversion -dumpfullversion -dumpmachine -dumpspecs --target-help"
)
_OTHER_MODE_PREFIXES = ("-print-", "--print-", "--help")
# Options that take the next word as their value.
_WITH_VALUE = _words(
    """
    -o -I -D -U -include -imacros -isystem -iquote -idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot
    -MF -MT -MQ -x -L -l -T -u -z -e -Xlinker -Xassembler -Xpreprocessor -aux-info -B -specs --param -A
    -wrapper --sysroot -target -dumpbase -dumpbase-ext -dumpdir -h -R -Tbss -Tdata -Ttext -imultilib -imultiarch -mllvm
    """
)
_LINK_WORDS = frozenset(("-Xlinker", "-T", "-u", "-z", "-shared", "-pie", "-no-pie", "-rdynamic", "-s"))
_LINK_PREFIXES = ("-l", "-L", "-Wl,")
_NAMES_FILES = ("-l", "-Wl,", "-Xlinker")
_AUX_PREFIXES = (
    "--coverage", "-coverage", "-ftest-coverage", "-fprofile-", "-fbranch-probabilities", "-save-temps", "--save-temps",
    "-fdump-", "-da", "-dumpdir", "-dumpbase", "-gsplit-dwarf", "-fstack-usage", "-fcallgraph-info", "-fopt-info",
    "-fsave-optimization-record",
)  # fmt: skip


class Language(Enum):
    """The language as which gcc compiles a file."""

    C = "C"
    CXX = "C++"
    FORTRAN = "Fortran"
    PREPROCESSED_C = "preprocessed C"
    PREPROCESSED_CXX = "preprocessed C++"
    ASSEMBLER = "assembler"
    HEADER = "a header to precompile"
    LINKED = "a file for the linker"


_SUFFIXES = {
    **dict.fromkeys((".c",), Language.C),
    **dict.fromkeys((".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C"), Language.CXX),
    **dict.fromkeys(
        (".f", ".for", ".ftn", ".F", ".FOR", ".fpp", ".FPP", ".FTN", ".f90", ".f95", ".f03", ".f08", ".F90", ".F95"),
        Language.FORTRAN,
    ),
    **dict.fromkeys((".F03", ".F08"), Language.FORTRAN),
    ".i": Language.PREPROCESSED_C,
    ".ii": Language.PREPROCESSED_CXX,
    **dict.fromkeys((".s", ".S", ".sx"), Language.ASSEMBLER),
    **dict.fromkeys((".h", ".H", ".hh", ".hp", ".hxx", ".hpp", ".HPP", ".h++", ".tcc"), Language.HEADER),
}
# The values of -x for the languages that matter here.
_NAMES = {
    "c": Language.C,
    "c++": Language.CXX,
    "cpp-output": Language.PREPROCESSED_C,
    "c++-cpp-output": Language.PREPROCESSED_CXX,
    "f77": Language.FORTRAN,
    "f77-cpp-input": Language.FORTRAN,
    "f95": Language.FORTRAN,
    "f95-cpp-input": Language.FORTRAN,
    "assembler": Language.ASSEMBLER,
    "assembler-with-cpp": Language.ASSEMBLER,
    **dict.fromkeys(("c-header", "c++-header", "c++-system-header", "c++-user-header"), Language.HEADER),
}


@dataclass(frozen=True)
class Input:
    """A file on the command line.

    ``option`` is the value of ``-x`` that applies to it, or None if its suffix tells the language. ``position`` is its
    place among the words.
    """

    name: str
    language: Language
    option: str | None
    position: int

    @property
    def words(self) -> tuple[str, ...]:
        """The words that compile this file on its own."""
        return ("-x", self.option, self.name) if self.option else (self.name,)

    @property
    def is_source(self) -> bool:
        return self.language is not Language.LINKED


@dataclass(frozen=True)
class CommandLine:
    """The parts of a gcc command line.

    ``flags`` are all words in order, except inputs, ``-x``, ``-o``, ``-c`` and options about dependency files.
    ``words`` is the whole line with response files expanded and long options under their short names. A command that
    ``passes_through`` neither compiles to objects nor links, or gcc refuses it. ``-`` among the inputs is the standard
    input. ``wants_depfile`` is ``-MD``, ``-MMD`` or empty.
    """

    words: tuple[str, ...]
    inputs: tuple[Input, ...]
    flags: tuple[str, ...]
    output: str | None
    compiles_only: bool
    wants_depfile: str
    depfile: str | None
    depfile_targets: tuple[str, ...]
    phony: bool
    passes_through: bool

    @property
    def sources(self) -> tuple[Input, ...]:
        """The files that are compiled."""
        return tuple(file for file in self.inputs if file.is_source)

    @property
    def compile_flags(self) -> tuple[str, ...]:
        """The flags, except those that only a link understands.

        Texts in between are saved where ``aux_names`` says, as the output of such a command has another name.
        """
        kept: list[str] = []
        words = iter(self.flags)
        for word in words:
            if word in _LINK_WORDS or word.startswith(_LINK_PREFIXES):
                if word in _WITH_VALUE:
                    next(words, None)
            else:
                kept.append("-save-temps" if word.endswith("-save-temps=obj") else word)
                if word in _WITH_VALUE:
                    kept.append(next(words, ""))
        return tuple(kept)

    @property
    def links(self) -> bool:
        return not self.compiles_only and not self.passes_through

    @property
    def uses_openmp(self) -> bool:
        """Whether gcc adds its OpenMP library to a link."""
        return [word for word in self.words if word in ("-fopenmp", "-fno-openmp")][-1:] == ["-fopenmp"]

    @property
    def option_without_runtime(self) -> str:
        """The option with which a link has no place for an offload runtime, or nothing.

        One object of several has none yet, and a static program none at all. What is linked without libraries has one
        if it uses OpenMP, as libtool's libraries of C++ do.
        """
        without = ("-r", "-static", "-static-pie", *(() if self.uses_openmp else ("-nostdlib", "-nodefaultlibs")))
        return next((word for word in self.words if word in without), "")

    def aux_names(self, source: Input) -> list[str]:
        """The options with which gcc 11 and later, when it compiles a source alone under other names, names dumps,
        profiles, coverage notes and split debug information as for this command line."""
        suffix = Path(source.name).suffix
        if self.compiles_only and self.output:
            folder, stem = f"{Path(self.output).parent}/", Path(self.output).stem
            return ["-dumpdir", folder, "-dumpbase", stem + suffix, "-dumpbase-ext", suffix]
        own = ["-dumpbase", Path(source.name).name, "-dumpbase-ext", suffix]
        if self.compiles_only:
            return ["-dumpdir", "./", *own]
        output = Path(self.output or "a.out")
        return ["-dumpdir", f"{output.with_suffix('') if output.name == 'a.out' else output}-", *own]

    def object_of(self, source: Input) -> str:
        """The object that this command line makes of a source, if it only compiles."""
        return self.output or f"{Path(source.name).stem}.o"

    @property
    def writes_aux_files(self) -> bool:
        """Whether gcc may write files whose names it makes of the source's and the output's."""
        return any(word.startswith(_AUX_PREFIXES) for word in self.flags)

    def link_words(self, objects: dict[int, str]) -> list[str]:
        """The words of a link, with sources replaced by their objects. ``objects`` has these by position.

        Objects and libraries can follow them: ``-x`` does not apply to these.
        """
        words = [objects.get(position, word) for position, word in enumerate(self.words)]
        if not objects:
            return [*words, "-x", "none"] if any(file.option for file in self.inputs) else words
        # An object must not count as a source in the language that -x names.
        kept: list[str] = []
        rest = iter(words)
        for word in rest:
            if word == "-x":
                next(rest, None)
            elif word in _WITH_VALUE:
                kept += [word, *([value] if (value := next(rest, None)) is not None else [])]
            elif not word.startswith("-x"):
                kept.append(word)
        return kept


class _DependencyOptions:
    """What the ``-M`` options of a command line ask for, as they are read one by one."""

    def __init__(self) -> None:
        self.phony = self.generated = False
        self.wanted = ""
        self.file: str | None = None
        self.targets: list[str] = []

    def read(self, word: str, value: Callable[[], str]) -> bool:
        """Whether ``word`` is such an option, which is then read. ``value`` gives the next word."""
        if word in ("-MD", "-MMD"):
            self.wanted = word
        elif word == "-MP":
            self.phony = True
        elif word == "-MG":
            self.generated = True
        elif word.startswith("-MF"):
            self.file = word[3:] or value()
        elif word.startswith(("-MT", "-MQ")):
            name = word[3:] or value()
            self.targets.append(name if word[2] == "T" else escape(name))
        else:
            return False
        return True

    def read_preprocessor(self, words: Iterable[str]) -> list[str]:
        """Read the options among the words for the preprocessor alone, and return the other words.

        ``-MD`` and ``-MMD`` have the file behind them there.
        """
        others: list[str] = []
        rest = iter(words)
        for word in rest:
            if not self.read(word, lambda: next(rest, "")):
                others.append(word)
            elif word in ("-MD", "-MMD"):
                self.file = next(rest, None)
        return others

    @property
    def are_refused(self) -> bool:
        """Whether gcc has an error for the options, as they say how to write a file that nobody wants."""
        return self.generated or (not self.wanted and (self.phony or self.file is not None or bool(self.targets)))


def read_command_line(arguments: Sequence[str], default: Language = Language.C) -> CommandLine:
    """Take a gcc command line apart. ``default`` is what the compiler takes a ``.c`` file for: g++ takes it for C++.

    Raises UsageError for response files that cannot be read.
    """
    words = list(map_long(expanded(arguments)))
    inputs: list[Input] = []
    flags: list[str] = []
    dependencies = _DependencyOptions()
    output = language = None
    compiles_only = other = incomplete = False
    preprocessor: list[str] = []
    stream = enumerate(words)

    def value() -> str:
        nonlocal incomplete
        following = next(stream, None)
        incomplete |= following is None
        return following[1] if following is not None else ""

    for position, word in stream:
        other |= word in _OTHER_MODES or word.startswith(_OTHER_MODE_PREFIXES)
        if word == "-c":
            compiles_only = True
        elif word.startswith("-x") and not word.startswith("-xp"):
            given = word[2:] or value()
            language = None if given == "none" else given
        elif word.startswith("-o"):
            output = word[2:] or value() or None
        elif dependencies.read(word, value):
            pass
        elif word == "-Xpreprocessor":
            preprocessor.append(value())
        elif word.startswith("-Wp,"):
            preprocessor += word.split(",")[1:]
        elif word.startswith("-") and word != "-":
            flags.append(word)
            if word in _WITH_VALUE:
                flags.append(value())
        else:
            inputs.append(Input(word, _language(word, language, default), language, position))
    flags += (part for word in dependencies.read_preprocessor(preprocessor) for part in ("-Xpreprocessor", word))
    other |= incomplete or dependencies.are_refused  # gcc has the message
    # Options can name all objects and libraries of a link.
    has_inputs = bool(inputs) or (not compiles_only and any(word.startswith(_NAMES_FILES) for word in flags))
    return CommandLine(
        words=tuple(words),
        inputs=tuple(inputs),
        flags=tuple(flags),
        output=output,
        compiles_only=compiles_only,
        wants_depfile=dependencies.wanted,
        depfile=dependencies.file,
        depfile_targets=tuple(dependencies.targets),
        phony=dependencies.phony,
        passes_through=other or not has_inputs or any(file.language is Language.HEADER for file in inputs),
    )


def _language(name: str, option: str | None, default: Language) -> Language:
    if option is not None:
        return _NAMES.get(option, Language.ASSEMBLER)  # other languages do not matter here
    found = _SUFFIXES.get(Path(name).suffix, Language.LINKED)
    if default is Language.CXX:  # g++ compiles C files as C++
        return {Language.C: Language.CXX, Language.PREPROCESSED_C: Language.PREPROCESSED_CXX}.get(found, found)
    return found


def takes_value(word: str) -> bool:
    """Whether the next word is the value of this option, whatever it looks like."""
    return LONG.get(word, word) in _WITH_VALUE


def auxiliary_name(words: Sequence[str], source: Input) -> str:
    """What gcc calls the files beside the object of a source, if no option names the object: the source's name, or as
    ``-dumpdir``, ``-dumpbase`` and ``-dumpbase-ext`` say."""
    given = dict(pairwise(words))
    if not (base := given.get("-dumpbase", "")):
        return given.get("-dumpdir", "") + Path(source.name).stem
    folder = "" if "/" in base else given.get("-dumpdir", "")
    return folder + base.removesuffix(given.get("-dumpbase-ext", ""))

"""A random project that changes step by step. What the cache gives after each step is compared with an uncached run.

The texts are small and drawn from few possibilities, so that earlier states come back and hits are frequent.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from cache_project import events, forget
from wrappers import WRAPPERS, own_clang, specs

import rex_build
from rex_build.base.diagnostics import RexError
from rex_build.c.source.preprocess import Preprocessed, device_macro_warnings
from rex_build.cache import memo, tools
from rex_build.cache.image import ImageRequest
from rex_build.cache.image_compile import image_through_cache
from rex_build.cache.memo import Cache
from rex_build.cache.step import through_cache
from rex_build.cache.store import read_settings
from rex_build.pipeline import lower_text, preprocessed
from rex_build.request import Lowered, LowerRequest
from rex_build.tools.backends import CPU

FOLDERS = ("a", "b", "c", "d/e")
HEADERS = ("h0.h", "h1.h", "h2.h")
PLACES = (*FOLDERS, "src", "work", "other")
TIMES = (10**9, 10**9 + 7)
OPTIONS = (
    "-I {}", "-I{}", "-isystem {}", "-iquote {}", "-idirafter {}", "--include-directory={}",
    "-iprefix {}/ -iwithprefix .", "-iprefix {}/x -iwithprefixbefore /..",
)  # fmt: skip
FORCED = ("", "", "", "-include h1.h", "-imacros h2.h", "--include=h0.h", "--imacros h1.h", "-includeh2.h")
# ``{h}`` is a header, ``{n}`` a number.
PIECES = (
    "#define V{n} {n}\n",
    "#undef V{n}\n#define V{n} 7\n",
    '#if __INCLUDE_LEVEL__ < 5\n#include "{h}"\n#endif\n',
    "#if __INCLUDE_LEVEL__ < 5\n# include <{h}>\n#endif\n",
    "#if __INCLUDE_LEVEL__ < 4\n#include_next <{h}>\n#endif\n",
    '#if __INCLUDE_LEVEL__ < 4\n#define NAME "{h}"\n#include NAME\n#undef NAME\n#endif\n',
    '#if __INCLUDE_LEVEL__ < 3\n#import "{h}"\n#endif\n',
    '#if __has_include("{h}")\n#define V{n} 3\n#endif\n',
    "#if __INCLUDE_LEVEL__ < 4\n#if __has_include ( <sub/{h}> )\n#include <sub/{h}>\n#endif\n#endif\n",
    '#define ASK(x) __has_include(x)\n#if ASK("sub/{h}")\n#define V{n} 4\n#endif\n',
    "#define J(a, b) a##b\n#if J(__has_, include)(<sub/{h}>)\n#define V{n} 5\n#endif\n",
    '#if __INCLUDE_LEVEL__ < 4\n#inc\\\nlude /* a comment */ "{h}"\n#endif\n',
    "#pragma once\n",
    "#ifndef G{n}\n#define G{n}\n#else\n#define V{n} 6\n#endif\n",
    "/* a comment */\n",
    "#if 0\n#include <{h}>\n#endif\n",
    "#ifdef __NVPTX__\n#endif\n",
    "#ifdef M\n#define V{n} M\n#endif\n",
    "extern int name{n}[sizeof __FILE__]; /* */\n",
)  # fmt: skip
BODY = """
#ifndef V0
#define V0 0
#endif
int first[] = {{ V0 }};
int V1 = __LINE__, V2;
"""
REGION = """
void region(int n, int *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = V0 + i;
}
"""


class Tree:
    """The files, flags and environment of a project, and the changes that may happen to them."""

    def __init__(self, root: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.root = root
        self.done: list[str] = []
        self.environment = {"CPATH": "", "C_INCLUDE_PATH": "", "CPLUS_INCLUDE_PATH": ""}  # lists of folders
        self.settings: dict[str, str] = {}  # what wrappers and drivers read
        self.flags: list[str] = []
        self.forced = ""
        self.macro = ""
        self.work = "work"
        self.compiler = "gcc"
        (root / "last/sub").mkdir(parents=True)
        for header in HEADERS:  # found when nothing else is
            (root / "last" / header).write_text(f"#define LAST_{header[1]}\n")
        (root / "flags").write_text("")
        (root / "response").write_text("")
        script = root / "mycc"
        script.write_text(f'#!/bin/sh\nexec gcc $(cat {root}/flags) "$@"\n')
        script.chmod(0o755)
        self.compilers = ["gcc", str(script), *(wrapper.install(root / "wrappers") for wrapper in WRAPPERS)]
        self.clang = own_clang(root / "clang")
        self.compilers += [str(self.clang)] * 2 if self.clang else []
        self.specs = specs(root / "rules") / "specs"
        self.specs.rename(self.root / "specs")
        for library in LIBRARIES:
            (root / library).parent.mkdir(parents=True, exist_ok=True)
            (root / library).write_text("")
        self.clean()
        self.change_search()

    def text(self) -> str:
        pick = self.random
        pieces = [pick.choice(PIECES) for _ in range(pick.choice((1, 1, 2, 3)))]
        return "".join(piece.format(h=pick.choice(HEADERS), n=pick.randrange(3)) for piece in pieces)

    def any_header(self) -> Path:
        folder = self.root / self.random.choice(PLACES)
        if self.random.random() < 0.15:
            folder = folder / "sub"
        return folder / self.random.choice(HEADERS)

    def clean(self) -> None:
        """Begin again with folders that have the headers in turn."""
        self.done.append("clean")
        for place in PLACES:
            _remove(self.root / place)
            (self.root / place).mkdir(parents=True)
        for folder, header in zip(self.random.sample(FOLDERS, 3), HEADERS, strict=True):
            (self.root / folder / header).write_text(self.text())
        self.write_source("")

    def write_source(self, text: str) -> None:
        text = '#include "h0.h"\n#include <h1.h>\n' + text
        for work in ("src", "work", "other"):
            (self.root / work / "unit.c").write_text(text + BODY.format() + REGION)
            (self.root / work / "unit.cu").write_text(text + BODY.format())

    # Changes

    def change_header(self) -> None:
        path = self.any_header()
        _remove(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.text())

    def copy_header(self) -> None:
        source, path = self.any_header(), self.any_header()
        if source.is_file() and source != path:
            _remove(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, path)

    def touch_header(self) -> None:
        time = self.random.choice(TIMES)
        for path in (self.any_header(), self.any_header(), self.any_header()):
            if path.is_file():
                os.utime(path, (time, time))

    def remove_header(self) -> None:
        _remove(self.any_header())

    def link_header(self) -> None:
        target, path = self.any_header(), self.any_header()
        _remove(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)

    def folder_for_header(self) -> None:
        path = self.any_header()
        _remove(path)
        path.mkdir(parents=True)

    def link_folder(self) -> None:
        path, target = (self.root / name for name in self.random.sample(FOLDERS, 2))
        _remove(path)
        path.symlink_to(target)

    def new_folder(self) -> None:
        path = self.root / self.random.choice(FOLDERS)
        _remove(path)
        if self.random.random() < 0.8:
            path.mkdir(parents=True, exist_ok=True)

    def change_source(self) -> None:
        self.write_source(self.text() + self.text())

    def change_search(self) -> None:
        """Some folders with an option each, absolute or relative to the working directory."""
        pick = self.random
        self.flags = []
        for name in pick.sample(FOLDERS, pick.randrange(1, len(FOLDERS) + 1)):
            folder = pick.choice((f"{self.root}/{name}", f"../{name}"))
            self.flags += pick.choice(OPTIONS).format(folder).split()

    def change_forced(self) -> None:
        self.forced = self.random.choice(FORCED)

    def change_macro(self) -> None:
        self.macro = self.random.choice(("", "-DM=8", "-DM=9", "-UM"))

    def change_environment(self) -> None:
        names = [f"{self.root}/{self.random.choice(FOLDERS)}", f"../{self.random.choice(FOLDERS)}", ""]
        value = os.pathsep.join(self.random.sample(names, self.random.choice((1, 2, 3))))
        self.environment[self.random.choice(sorted(self.environment))] = self.random.choice(("", value))

    def change_directory(self) -> None:
        self.work = self.random.choice(("work", "other"))

    def change_compiler(self) -> None:
        self.compiler = self.random.choice(("gcc", *self.compilers))

    def change_wrapper(self) -> None:
        (self.root / "flags").write_text(self.more_flags())

    def change_settings(self) -> None:
        """A variable that only some wrapper or driver reads."""
        wrapper = self.random.choice(WRAPPERS)
        chosen = {
            wrapper.flags: self.more_flags(),
            wrapper.compiler: self.random.choice(("", "gcc", str(self.clang or "gcc"))),
            "LIBRARY_PATH": self.random.choice(("", f"{self.root}/rules")),
            "CLANG_NO_DEFAULT_CONFIG": self.random.choice(("", "1")),
        }
        name = self.random.choice(sorted(chosen))
        self.settings[name] = chosen[name]

    def change_configuration(self) -> None:
        """A file with flags of a wrapper or of clang, or with gcc's rules."""
        if self.random.random() < 0.3:
            self.specs.unlink() if self.specs.exists() else shutil.copy(self.root / "specs", self.specs)
            return
        files = [self.root / "wrappers" / wrapper.file for wrapper in WRAPPERS]
        files += [self.clang.parent / "clang.cfg"] * 2 if self.clang else []
        self.random.choice(files).write_text(self.more_flags())

    def change_library(self) -> None:
        (self.root / self.random.choice(LIBRARIES)).write_text(self.random.choice(("", "x = 1\n", "x = 2\n")))

    def more_flags(self) -> str:
        return self.random.choice(("", "-DV2=1", "-DV2=3", f"-I{self.root}/a", "-include h0.h"))

    def change_response(self) -> None:
        (self.root / "response").write_text(self.random.choice(("", "", "-DM=5", f"-I{self.root}/b", "-include h2.h")))

    CHANGES: tuple[tuple[Callable[[Tree], None], int], ...] = (
        (change_header, 8), (copy_header, 2), (touch_header, 3), (remove_header, 5), (link_header, 2),
        (folder_for_header, 1), (link_folder, 2), (new_folder, 2), (change_source, 2), (change_search, 1),
        (change_forced, 1), (change_macro, 1), (change_environment, 1), (change_directory, 1), (change_compiler, 1),
        (change_wrapper, 1), (change_response, 1), (change_settings, 2), (change_configuration, 2), (change_library, 1),
    )  # fmt: skip

    def change(self) -> None:
        functions, weights = zip(*self.CHANGES, strict=True)
        function = self.random.choices(functions, weights)[0]
        try:
            function(self)
        except OSError as error:  # a link that leads to itself, a file in place of a folder
            self.done.append(f"{function.__name__}: {error.strerror}")
        else:
            self.done.append(function.__name__)

    def all_flags(self) -> tuple[str, ...]:
        response = (f"@{self.root}/response",) if (self.root / "response").stat().st_size else ()
        words = (*self.flags, *self.forced.split(), *self.macro.split(), *response)
        return (*words, "-idirafter", f"{self.root}/last")


LIBRARIES = ("pycparser/__init__.py", "pycparser/c_lexer.py", "pycparser/c_parser.py")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def cheap_lowering(request: LowerRequest, known: Callable[[Preprocessed], Lowered | None]) -> Lowered:
    """All that the preprocessor tells the later stages, as the lowered text."""
    pre = preprocessed(request)
    if (lowered := known(pre)) is not None:
        return lowered
    origins = "\n".join(f"{o.first} {o.file} {o.line} {o.system:d}" for o in pre.origins)
    return Lowered(pre.text, origins + _libraries(), pre.includes, 0, device_macro_warnings(pre))


def _libraries() -> str:
    """What the libraries of the project say, which stand for those that rex-build itself is run with."""
    folder = Path(tools._search_path(memo.Memo(None))[0])
    return "".join((folder / library).read_text() for library in LIBRARIES if (folder / library).is_file())


def fresh() -> Cache:
    return Cache(read_settings())


def unit_outcome(tree: Tree, cached: bool, whole: bool) -> object:
    request = LowerRequest(Path("unit.c"), tree.root / "out", tree.all_flags(), cc=tree.compiler, base_dir=tree.root)
    function = lower_text if whole else cheap_lowering
    try:
        lowered = function(request, lambda _: None) if not cached else through_cache(request, fresh(), function)
    except RexError as error:
        return str(error)
    files = {name for name in lowered.dependencies if not name.startswith("<")}
    return lowered.host, lowered.device, files, lowered.diagnostics


def image_outcome(tree: Tree, cached: bool) -> object:
    """The preprocessed ``.cu`` stands for its image."""
    cu = Path("unit.cu").absolute()
    flags = tuple(flag for flag in tree.all_flags() if not flag.startswith("@"))
    compiler = "g++" if tree.compiler == "gcc" else tree.compiler
    request = ImageRequest(str(cu), cu.read_bytes(), "cpu", flags, (compiler,), False)
    image = tree.root / f"image{cached}"
    part = image.with_suffix(".part")

    def compiled() -> tuple[str, str]:
        command = [compiler, *CPU._flags(request.options, False), "-E", "-x", "c++", "-MD", "-MF", f"{part}.d"]
        command += ["-o", str(part)]
        done = subprocess.run([*command, cu.name], cwd=cu.parent, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return str(part), done.stderr

    try:
        if not cached:
            return compiled()[1], part.read_bytes()
        said = image_through_cache(request, fresh(), str(image), compiled)
    except RuntimeError as error:
        return str(error)
    return said, image.read_bytes()


def object_outcome(tree: Tree, cached: bool) -> object:
    """The object of the unit, its dependency file, and what is said."""
    made = [tree.root / name for name in ("unit.o", "unit.d")]
    for path in made:
        path.unlink(missing_ok=True)
    flags = (*tree.all_flags(), "-fopenmp", "-MD", "-MF", str(made[1]), "-c", "unit.c", "-o", str(made[0]))
    program = [sys.executable, str(Path(rex_build.__file__).parent), "rex-cc", "--", tree.compiler]
    variables = {"REX_DEVICES": "cpu"} | ({} if cached else {"REX_BUILD_CACHE": "off"})
    done = subprocess.run([*program, *flags], env=os.environ | variables, capture_output=True, text=True)
    return done.returncode, done.stderr, [path.read_bytes() for path in made if path.exists()]


OUTCOMES: dict[str, Callable[[Tree, bool], object]] = {
    "text": lambda tree, cached: unit_outcome(tree, cached, False),
    "whole": lambda tree, cached: unit_outcome(tree, cached, True),
    "image": image_outcome,
    "object": object_outcome,
}


def compare(root: Path, seed: int, steps: int, kind: str) -> Counter[str]:
    """Change the project of this seed step by step. Returns what was counted in the cache, and ``comparisons``."""
    tree = Tree(root, seed)
    counts: Counter[str] = Counter()
    before = events()
    start = os.getcwd()
    # Files count as settled soon, so that what is remembered about them is used.
    with (
        mock.patch.object(memo, "_SETTLED_NS", 10**7),
        mock.patch.object(CPU, "_flags", lambda options, _: list(options)),
        mock.patch.object(tools, "_search_path", return_value=[str(root)]),
    ):
        try:
            for step in range(steps):
                if step % 60 == 59:
                    tree.clean()
                elif step % 3:  # every third state is asked for twice
                    tree.change()
                    time.sleep(0.012)  # a file of the same clock step as the start counts as changed meanwhile
                os.chdir(tree.root / tree.work)
                with mock.patch.dict(os.environ, {n: v for n, v in (tree.environment | tree.settings).items() if v}):
                    forget()
                    outcome = OUTCOMES[kind](tree, True)
                    forget()
                    fresh = OUTCOMES[kind](tree, False)
                if outcome != fresh:
                    last = ", ".join(tree.done[-12:])
                    raise AssertionError(
                        f"{kind}, seed {seed}, step {step} after {last}: {tree.compiler} {tree.all_flags()} "
                        f"{tree.environment} {tree.settings}\n"
                        f"{outcome}\nwithout the cache:\n{fresh}"
                    )
                counts["comparisons"] += 1
        finally:
            os.chdir(start)
    counts.update({name: count - before.get(name, 0) for name, count in events().items()})
    return counts

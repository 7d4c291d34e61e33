"""When there is a hit, and each way in which there must not be one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from cache_project import HEADER, UNIT, Project, events

import rex_build
from rex_build.base.command_words import expanded
from rex_build.base.diagnostics import InputError
from rex_build.cache import step
from rex_build.cache.flags import NotCachedError
from rex_build.cache.memo import Memo
from rex_build.cache.store import Settings, Store
from rex_build.cache.unit import UnitKey
from rex_build.pipeline import lower

HIT, SECOND = "direct hit", "preprocessed hit"


def test_the_same_again_is_a_hit(project: Project) -> None:
    assert project.lower() == "miss: not seen before"
    assert project.lower() == HIT


def test_outputs_come_back(project: Project) -> None:
    project.lower()
    shutil.rmtree(project.out)
    assert project.lower() == HIT


def test_outputs_that_are_right_keep_their_time(project: Project) -> None:
    os.utime(project.root / "src/unit.c", (1, 1))  # a newer source would make the outputs newer, too
    project.lower()
    os.utime(project.out / "rose_unit.c", (1, 1))
    assert project.lower() == HIT
    assert (project.out / "rose_unit.c").stat().st_mtime == 1


@pytest.mark.parametrize(
    "flags", [("-DX",), ("-O2",), ("-std=c99",), ("-include", "scale.h"), ("-isystem", "/usr/include/linux")]
)
def test_other_flags(project: Project, flags: tuple[str, ...]) -> None:
    project.lower()
    assert project.lower(*flags).startswith("miss")
    assert project.lower(*flags) == HIT
    assert project.lower() == HIT


@pytest.mark.parametrize("change", [{"anchor": "a"}, {"init": "lazy"}, {"separable": True}, {"on_unsupported": "host"}])
def test_other_options(project: Project, change: dict[str, object]) -> None:
    project.lower()
    assert project.lower(**change).startswith("miss")
    assert project.lower(**change) == HIT


def test_another_output_name(project: Project) -> None:
    project.lower()
    assert project.lower(host_output=project.out / "other.c", cu_output=project.out / "other.cu").startswith("miss")


def test_a_changed_source(project: Project) -> None:
    project.lower()
    project.write("src/unit.c", UNIT.replace("* FACTOR", "+ FACTOR"))
    assert project.lower().startswith("miss")


def test_a_comment_in_the_source(project: Project) -> None:
    project.lower()
    project.write("src/unit.c", UNIT + "/* the host file has the comment, too */\n")
    assert project.lower().startswith("miss")


def test_a_changed_header(project: Project) -> None:
    project.lower()
    project.write("include/scale.h", "#define FACTOR 3\n")
    assert project.lower() == "miss: has changed"
    project.write("include/scale.h", HEADER)
    assert project.lower() == HIT


def test_a_comment_in_a_header_is_a_second_chance(project: Project) -> None:
    project.lower()
    project.write("include/scale.h", HEADER.rstrip() + " /* a comment */\n")
    assert project.lower() == SECOND
    assert project.lower() == HIT


def test_a_comment_in_a_header_whose_text_is_taken_in(project: Project) -> None:
    project.write("src/unit.c", '#include "region.h"\n')
    project.write("include/region.h", UNIT)
    project.lower()
    project.write("include/region.h", UNIT + "/* a comment */\n")
    assert project.lower().startswith("miss")


def test_an_unused_macro_within_a_region(project: Project) -> None:
    """The host file contains the macros that replaced lines define. The preprocessed text does not show them."""
    project.write("src/unit.c", UNIT.replace("    for (int", '#include "inner.h"\n    for (int'))
    project.write("include/inner.h", "#define UNUSED 1\n")
    project.lower()
    project.write("include/inner.h", "#define UNUSED 2\n")
    assert project.lower() in (SECOND, "miss: has changed")


def test_a_macro_that_names_what_the_text_has(project: Project) -> None:
    """The host file keeps such a macro away from text that is preprocessed already, which stays the same."""
    project.lower()
    project.write("include/scale.h", HEADER.rstrip() + "\n#define i i\n")
    assert project.lower().startswith("miss")
    project.write("include/scale.h", HEADER.rstrip() + "\n#define i i\n#define nobody_has_this 1\n")
    assert project.lower() == SECOND


def test_a_header_that_appears_earlier_on_the_search_path(project: Project) -> None:
    flags = (f"-I{project.root}/late",)
    (project.root / "early").mkdir()
    request = {"cflags": (f"-I{project.root}/early", f"-I{project.root}/include", *flags)}
    project.lower(**request)
    assert project.lower(**request) == HIT
    project.write("early/scale.h", "#define FACTOR 7\n")
    assert project.lower(**request) == "miss: has appeared"
    (project.root / "early/scale.h").unlink()
    assert project.lower(**request) == HIT


def test_a_header_that_appears_beside_the_source(project: Project) -> None:
    project.lower()
    project.write("src/scale.h", "#define FACTOR 7\n")
    assert project.lower() == "miss: has appeared"


def test_an_include_directory_that_appears(project: Project) -> None:
    flags = {"cflags": (f"-I{project.root}/later/deep", f"-I{project.root}/include")}
    project.lower(**flags)
    project.write("later/deep/scale.h", "#define FACTOR 7\n")
    assert project.lower(**flags) == "miss: has appeared"


def test_a_system_header_that_is_shadowed(project: Project) -> None:
    project.write("src/unit.c", "#include <limits.h>\n" + UNIT)
    project.lower()
    project.write("include/limits.h", "#define INT_MAX 1\n")
    assert project.lower() == "miss: has appeared"


def test_has_include(project: Project) -> None:
    text = '#if __has_include("extra.h")\n#define MORE 1\n#else\n#define MORE 0\n#endif\n'
    project.write("src/unit.c", text + UNIT.replace("* FACTOR", "* FACTOR + MORE"))
    project.lower()
    assert project.lower() == HIT
    project.write("include/extra.h", "\n")
    assert project.lower() == "miss: has appeared"
    assert project.lower() == HIT
    (project.root / "include/extra.h").unlink()
    # Both records are kept, and the one without the header holds again.
    assert project.lower() == HIT


def test_has_include_of_a_macro(project: Project) -> None:
    text = '#define NAME "extra.h"\n#if __has_include(NAME)\n#define MORE 1\n#else\n#define MORE 0\n#endif\n'
    project.write("src/unit.c", text + UNIT.replace("* FACTOR", "* FACTOR + MORE"))
    project.lower()
    assert project.lower() == SECOND
    project.write("include/extra.h", "\n")
    assert project.lower().startswith("miss")


def test_a_computed_include(project: Project) -> None:
    project.write("src/unit.c", UNIT.replace('"scale.h"', "NAME"))
    project.lower('-DNAME="scale.h"')
    assert project.lower('-DNAME="scale.h"') == HIT
    project.write("src/scale.h", "#define FACTOR 7\n")
    assert project.lower('-DNAME="scale.h"') == "miss: has appeared"


@pytest.mark.parametrize("word", ["__DATE__", "__TIME__", "__TIMESTAMP__"])
def test_the_time_of_compilation(project: Project, word: str) -> None:
    project.write("src/unit.c", UNIT + f"const char *when = {word};\n")
    project.lower()
    assert project.lower() != HIT
    assert events()["not direct: uses the time of compilation"] >= 1


def test_counter(project: Project) -> None:
    project.write("src/unit.c", UNIT.replace("* FACTOR", "* FACTOR + __COUNTER__"))
    project.lower()
    assert project.lower() == HIT


def test_a_header_modified_during_the_run(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    keep = step.CachedLowering._keep

    def modify_and_keep(self: object, *arguments: object) -> None:
        project.write("include/scale.h", "#define FACTOR 9\n")
        keep(self, *arguments)  # type: ignore[arg-type]

    time.sleep(0.03)
    with monkeypatch.context() as patch:
        patch.setattr(step.CachedLowering, "_keep", modify_and_keep)
        lower(project.request())
    assert project.lower() == "miss: not seen before"


def _compiler(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_another_compiler_under_the_same_name(project: Project, tmp_path: Path) -> None:
    compiler = _compiler(tmp_path / "mycc", 'exec gcc "$@"')
    project.lower(cc=str(compiler))
    assert project.lower(cc=str(compiler)) == HIT
    _compiler(compiler, 'exec gcc -DFACTOR=1 "$@"')
    assert project.lower(cc=str(compiler)).startswith("miss")


def test_a_script_that_calls_another_compiler(project: Project, tmp_path: Path) -> None:
    """The script is the same but the program that it calls is not, so the script is asked each time."""
    compiler = _compiler(tmp_path / "mycc", f'case $1 in --version) cat {tmp_path}/version;; *) exec gcc "$@";; esac')
    (tmp_path / "version").write_text("cc 1.0\n")
    project.lower(cc=str(compiler))
    assert project.lower(cc=str(compiler)) == HIT
    (tmp_path / "version").write_text("cc 2.0\n")
    assert project.lower(cc=str(compiler)).startswith("miss")


@pytest.mark.parametrize(
    ("variable", "name", "cc"),
    [("CPATH", "unit.c", "gcc"), ("C_INCLUDE_PATH", "unit.c", "gcc"), ("CPLUS_INCLUDE_PATH", "unit.cpp", "g++")],
)
def test_search_path_variables(
    project: Project, variable: str, name: str, cc: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = project.write(f"src/{name}", UNIT)
    project.write("one/scale.h", "#define FACTOR 4\n")
    project.write("two/scale.h", "#define FACTOR 5\n")
    for folder in ("one", "two"):
        monkeypatch.setenv(variable, f"{project.root}/{folder}")
        assert project.lower(cflags=(), source=source, cc=cc).startswith("miss")
        assert project.lower(cflags=(), source=source, cc=cc) == HIT


def test_a_response_file(project: Project) -> None:
    flags = project.write("flags.txt", "-DEXTRA=1\n")
    project.write("src/unit.c", UNIT.replace("* FACTOR", "* FACTOR + EXTRA"))
    project.lower(*expanded([f"@{flags}"]))
    assert project.lower(*expanded([f"@{flags}"])) == HIT
    project.write("flags.txt", "-DEXTRA=2\n")
    assert project.lower(*expanded([f"@{flags}"])).startswith("miss")


def test_a_header_in_a_symlinked_tree(project: Project) -> None:
    project.write("v1/scale.h", "#define FACTOR 4\n")
    project.write("v2/scale.h", "#define FACTOR 5\n")
    link = project.root / "current"
    link.symlink_to("v1")
    flags = {"cflags": (f"-I{link}",)}
    project.lower(**flags)
    assert project.lower(**flags) == HIT
    link.unlink()
    link.symlink_to("v2")
    assert project.lower(**flags) == "miss: has changed"


def test_a_directory_that_was_another_ones_double(project: Project) -> None:
    """gcc leaves out a folder that is on the path already. When it becomes a folder of its own, it comes first."""
    link = project.root / "double"
    link.symlink_to("/usr/include")
    project.write("src/unit.c", "#include <limits.h>\n" + UNIT)
    flags = {"cflags": (f"-I{link}", f"-I{project.root}/include")}
    project.lower(**flags)
    assert project.lower(**flags) == HIT
    link.unlink()
    project.write("mine/limits.h", "#define INT_MAX 1\n")
    link.symlink_to("mine")
    assert project.lower(**flags).startswith("miss")


@pytest.mark.parametrize("flag", ["-MD", "-save-temps", "-fplugin=x", "-specs=y"])
def test_flags_with_side_effects_go_past_the_cache(project: Project, flag: str) -> None:
    with pytest.raises(NotCachedError, match=flag):
        UnitKey(step.plain_request(project.request(flag)), Memo(None))


def test_a_unit_without_anything_to_lower(project: Project) -> None:
    project.write("src/unit.c", '#include "scale.h"\nint two(void) { return FACTOR; }\n')
    project.lower()
    assert project.lower() == HIT
    project.write("include/scale.h", UNIT.replace('#include "scale.h"', "#define FACTOR 2"))
    assert project.lower().startswith("miss")


def test_errors_are_not_kept(project: Project) -> None:
    project.write("src/unit.c", UNIT.replace("tofrom", "tofrm"))
    for _ in range(2):
        with pytest.raises(InputError):
            project.lower()
    assert not [name for name in events() if "hit" in name]
    assert not project.out.exists()


def test_rex_build_itself_is_part_of_the_key(project: Project, tmp_path: Path) -> None:
    """A copy of the package with one header changed has another digest; the same copy elsewhere has not."""
    digests = []
    for name, change in (("one", ""), ("two", ""), ("three", "// another line\n")):
        package = tmp_path / name / "rex_build"
        shutil.copytree(Path(rex_build.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
        header = package / "include/rex_registration.h"
        header.write_text(header.read_text() + change)
        code = "from rex_build.cache import memo, tools; print(tools.tool_digest(memo.Memo(None)))"
        # -S: the copy, not the editable installation that site would put before it.
        command = [sys.executable, "-S", "-c", code]
        digests.append(subprocess.run(command, cwd=tmp_path / name, capture_output=True, check=True).stdout)
    assert digests[0] == digests[1] != digests[2]


def test_every_file_of_rex_build_counts(
    tmp_path: Path, sample: Callable[[Sequence[Path], int], list[Path]]
) -> None:
    """An edit of any file changes the digest, and so does a new one, and one that is gone.

    What no C unit needs counts for C++ units only. Folders and suffixes decide what counts, so one file of each stage's
    folder and one of each suffix stand for all.
    """
    package = tmp_path / "rex_build"
    shutil.copytree(Path(rex_build.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    counting = [file for file in sorted(package.rglob("*")) if file.suffix in (".py", ".h", ".cu", ".c", ".cpp")]
    stages = {file.relative_to(package).parts[0]: file for file in counting}
    files = sample(sorted({*stages.values(), *{file.suffix: file for file in counting}.values()}), 3)
    code = f"""
import os, sys
from pathlib import Path
from rex_build.cache import memo, store, tools
def digests():
    held = memo.Memo(store.Store(store.Settings({str(tmp_path / "store")!r}, 10**9, "on", "")))
    return tools.tool_digest(held), tools.tool_digest(held, only_c=True)
package = Path(tools.PACKAGE)
for path in [package, *package.rglob("*")]:
    os.utime(path, (1, 1))
memo._SETTLED_NS = -(10**18)  # all that is found is remembered at once, and found again
whole, only_c = digests()
assert digests() == (whole, only_c)
seen = set()
def changed(name, counts):
    global whole, only_c
    before, (whole, only_c) = (whole, only_c), digests()
    assert whole != before[0] and (only_c != before[1]) == counts, name
for file in map(Path, {[str(file) for file in files]!r}):
    name = file.relative_to(package).as_posix()
    file.write_bytes(file.read_bytes() + b"\\n")
    changed(name, not name.startswith(tuple(left + "/" for left in tools.NOT_FOR_C)))
    folder = file.parent.relative_to(package).as_posix()
    if folder not in seen:
        seen.add(folder)
        (file.parent / "another.py").write_text("")
        changed("a new file beside " + name, not name.startswith(tuple(left + "/" for left in tools.NOT_FOR_C)))
        (file.parent / "another.py").unlink()
        changed("a file less beside " + name, not name.startswith(tuple(left + "/" for left in tools.NOT_FOR_C)))
"""
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_what_is_remembered_is_remembered_anew(tmp_path: Path) -> None:
    """A name has one value at a time, so that what has changed once is not computed in every later run."""
    held = Store(Settings(str(tmp_path / "store"), 10**9, "on", ""))
    for text in (b"one", b"two", b"three"):
        memo = Memo(held)
        memo.remember(memo.name_of_all(["a question"]), text)
        assert Memo(held).recall(memo.name_of_all(["a question"])) == text

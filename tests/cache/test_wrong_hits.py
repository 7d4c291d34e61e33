"""What a compiler would read has changed, although no file that it read before has: there must be no hit."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest
from cache_project import UNIT, Project, store

from rex_build.base.command_words import expanded, split_response
from rex_build.cache.discover import SearchPath, dependencies
from rex_build.cache.flags import NotCachedError
from rex_build.cache.memo import Memo
from rex_build.cache.step import plain_request
from rex_build.cache.unit import UnitKey, find_direct

HIT = "direct hit"
EXTRA = UNIT.replace("* FACTOR", "* FACTOR + EXTRA")
MORE = UNIT.replace("* FACTOR", "* FACTOR + MORE")


@pytest.mark.parametrize(
    "flags",
    [
        ("--include", "extra.h"),
        ("--include=extra.h",),
        ("-includeextra.h",),
        ("--imacros", "extra.h"),
        ("--imacros=extra.h",),
        ("@{response}",),
    ],
    ids=" ".join,
)
def test_forced_headers_in_every_spelling(
    project: Project, tmp_path: Path, flags: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    project.write("src/unit.c", EXTRA)
    project.write("include/extra.h", "#define EXTRA 1\n")
    response = project.write("flags.txt", "-include 'extra.h'\n")
    flags = tuple(expanded(flag.format(response=response) for flag in flags))
    project.lower(*flags)
    assert project.lower(*flags) == HIT
    (tmp_path / "work/extra.h").write_text("#define EXTRA 2\n")
    assert project.lower(*flags) == "miss: has appeared"


@pytest.mark.parametrize(
    "flags",
    [
        ("--include-directory={root}/early", "--include-directory={root}/include"),
        ("--include-directory", "{root}/early", "--include-directory", "{root}/include"),
        ("-iprefix", "{root}/", "-iwithprefixbefore", "early", "-iwithprefixbefore", "include"),
        ("-iprefix{root}/", "-iwithprefix", "early", "-iwithprefix", "include"),
        ("-idirafter", "{root}/early", "-idirafter", "{root}/include"),
    ],
    ids=" ".join,
)
def test_folders_of_headers_in_every_spelling(project: Project, flags: tuple[str, ...]) -> None:
    (project.root / "early").mkdir()
    request = {"cflags": tuple(flag.format(root=project.root) for flag in flags)}
    project.lower(**request)
    assert project.lower(**request) == HIT
    project.write("early/scale.h", "#define FACTOR 7\n")
    assert project.lower(**request) == "miss: has appeared"


@pytest.mark.parametrize(
    "lines",
    [
        '\f#\finclude\f"extra.h"\n',
        '\v# include "extra.h"\n',
        '/* a */ # /* b */ include /* c */ "extra.h"\n',
        '#inc\\\nlude "extra.h"\n',
        '#inc\\ \t\nlude "extra.h"\n',
        '#define NAME "extra.h"\n#include NAME\n',
        "%:include <extra.h>\n",
        '#include_next "extra.h"\n',
        '#import "extra.h"\n',
    ],
)
def test_inclusions_in_disguise(project: Project, lines: str) -> None:
    (project.root / "early").mkdir()
    project.write("include/extra.h", "#define EXTRA 1\n")
    project.write("src/unit.c", lines + EXTRA)
    request = {"cflags": tuple(f"-I{project.root}/{name}" for name in ("first", "early", "include"))}
    project.lower(**request)
    project.write("early/extra.h", "#define EXTRA 2\n")
    assert project.lower(**request) != HIT


@pytest.mark.parametrize(
    "lines",
    [
        '#include "extra.h" // a comment',
        '/* a\n include */ #include "extra.h"',
        '# /* a\n */ include "extra.h"',
        '#include/**/"extra.h"',
        "#include /* a\n */ <extra.h>",
        '/**/ # /**/ import "extra.h"',
        "#include <a//*b>\n#include <extra.h>",
        '#include "other.h" /* include */ // #include\n%:include "extra.h"',
    ],
)
def test_inclusions_between_comments_are_looked_up(tmp_path: Path, lines: str) -> None:
    """Also where the compiler does not come to them, so that it does not tell."""
    path = SearchPath((), (str(tmp_path),), (), ())
    unit = (f"{tmp_path}/unit.c", f"#if 0\n{lines}\n#endif\n".encode())
    assert "extra.h" in dependencies((), (), (), path, "", unit).absent[str(tmp_path)]


@pytest.mark.parametrize(
    "lines",
    [
        "??=include <extra.h>",
        "// a comment ??/\n that goes on",
        'const char *text = R"x(\n/*\n)x";\n#if __has_include(<extra.h>) // */',
        '#define HAS __has_include("extra.h")',
    ],
)
def test_what_is_rare_is_not_looked_up(tmp_path: Path, lines: str) -> None:
    """Such a unit is preprocessed each time."""
    found = dependencies((), (), (), SearchPath((), (str(tmp_path),), (), ()), "", ("unit.c", f"{lines}\n".encode()))
    assert found.not_direct


@pytest.mark.parametrize(
    "lines",
    [
        '#if __has_include\f("extra.h")\n',
        '\f#\fif __has_include("extra.h")\n',
        '#if __has_include(\v"extra.h"\f)\n',
        '#if __has_inc\\  \nlude("extra.h")\n',
        '#define HAS __has_include\n#if HAS("extra.h")\n',
        '#define __has_include_x(h) __has_include(h)\n#if __has_include_x("extra.h")\n',
        '#define J(a, b) a##b\n#if J(__has_, include)("extra.h")\n',
        '#define J(a, b) a##b\n#if J(__, has_include)("extra.h")\n',
        '#define J(a, b, c) a##b##c\n#if J(_, _has, _include)("extra.h")\n',
        '#define HAS __has_ ## include\n#if HAS("extra.h")\n',
        '#define J(a, b) a##b\n#define U _\n#define K(a, b) J(a, b)\n#if K(U, _has_include)("extra.h")\n',
        '#define HAS (__has_include("extra.h"))\n#if HAS\n',
        "#define HAS __has_include(<extra.h>)\n#if HAS\n",
        '#if 0\n#elif __has_include("extra.h")\n',
        "#if __has_include(<extra.h>)\n",
        '#if __has_include_next("extra.h")\n',
    ],
)
def test_questions_for_headers_in_disguise(project: Project, lines: str) -> None:
    project.write("src/unit.c", lines + "#define MORE 1\n#else\n#define MORE 0\n#endif\n" + MORE)
    project.lower()
    project.write("include/extra.h", "\n")
    assert project.lower() != HIT


def test_questions_that_are_written_out_are_hits(project: Project) -> None:
    text = "#ifdef __has_include\n#if __has_include ( <extra.h> ) && defined(__has_include)\n#define MORE 1\n"
    project.write("src/unit.c", text + "#endif\n#endif\n" + "#ifndef MORE\n#define MORE 0\n#endif\n" + MORE)
    project.lower()
    assert project.lower() == HIT


ONCE = "#pragma once\nstatic int twice(int);\n"
TWO = '#include "one.h"\n#include "two.h"\n'


def _same_time(project: Project, *names: str) -> None:
    for name in names:
        os.utime(project.root / name, (10**9, 10**9))


def test_a_header_that_is_left_out_because_it_equals_another(project: Project) -> None:
    """gcc takes two headers with ``#pragma once`` for one if their content and their time stamps agree."""
    project.write("src/unit.c", TWO + UNIT)
    project.write("include/one.h", ONCE)
    project.write("include/two.h", ONCE)
    _same_time(project, "include/one.h", "include/two.h")
    project.lower()
    assert project.lower() != HIT
    os.utime(project.root / "include/two.h", (2 * 10**9, 2 * 10**9))
    assert project.lower() != HIT


def test_the_next_header_in_a_folder_for_quoted_names(project: Project) -> None:
    """From a header that was found in such a folder, the search for the next one goes on with these folders."""
    project.write("src/unit.c", '#include "first.h"\n#ifndef SECOND\n#define SECOND 0\n#endif\n' + UNIT)
    text = '#ifdef ONE\n#define SECOND 1\n#endif\n#define ONE\n#import "first.h"\n#include_next <first.h>\n'
    for name in ("a/first.h", "b/first.h"):
        project.write(name, text)
    project.write("include/first.h", "")
    _same_time(project, "a/first.h", "b/first.h")
    flags = ("-iquote", f"{project.root}/a", "-iquote", f"{project.root}/b")
    project.lower(*flags)
    os.utime(project.root / "b/first.h", (2 * 10**9, 2 * 10**9))
    assert project.lower(*flags) != HIT


def test_a_header_that_comes_to_equal_another(project: Project) -> None:
    project.write("src/unit.c", TWO + UNIT)
    project.write("include/one.h", ONCE)
    project.write("include/two.h", ONCE)
    os.utime(project.root / "include/two.h", (2 * 10**9, 2 * 10**9))
    project.lower()
    _same_time(project, "include/one.h", "include/two.h")
    assert project.lower() != HIT


def test_headers_that_are_read_once_and_differ_are_hits(project: Project) -> None:
    project.write("src/unit.c", TWO + UNIT)
    project.write("include/one.h", ONCE)
    project.write("include/two.h", ONCE.replace("twice", "often"))
    project.lower()
    assert project.lower() == HIT


def test_a_computed_inclusion_of_a_header_that_is_read_once(project: Project) -> None:
    """The second inclusion reads nothing, so the compiler does not show what it has found."""
    project.write("src/unit.c", '#include "extra.h"\n#include "deep/user.h"\n' + EXTRA)
    project.write("include/extra.h", "#pragma once\n#undef EXTRA\n#define EXTRA 1\n")
    project.write("include/deep/user.h", '#define NAME "extra.h"\n#include NAME\n')
    project.lower()
    project.write("include/deep/extra.h", "#undef EXTRA\n#define EXTRA 2\n")
    assert project.lower() != HIT


def test_a_folder_that_becomes_another_name_of_another(project: Project) -> None:
    """The compiler leaves out the second, and with it what ``#include_next`` finds there."""
    project.write("src/unit.c", '#include "extra.h"\n' + EXTRA)
    for name in ("a", "b"):
        project.write(
            f"{name}/extra.h", "#ifndef ONE\n#define ONE\n#else\n#define EXTRA 1\n#endif\n#include_next <extra.h>\n"
        )
    project.write("c/extra.h", "#ifndef EXTRA\n#define EXTRA 2\n#endif\n")
    request = {"cflags": tuple(f"-I{project.root}/{name}" for name in ("a", "b", "c", "include"))}
    project.lower(**request)
    assert project.lower(**request) == HIT
    shutil.rmtree(project.root / "b")
    (project.root / "b").symlink_to("a")
    assert project.lower(**request) == "miss: leads elsewhere"


@pytest.mark.parametrize("link", ["b", "a"])
def test_a_folder_that_is_no_longer_another_name_of_another(project: Project, link: str) -> None:
    """The compiler prefers the system folder of the two, and searches the other one again when they part."""
    project.write("src/unit.c", '#include "extra.h"\n' + EXTRA)
    other = {"a": "b", "b": "a"}[link]
    project.write(f"{other}/extra.h", "#define EXTRA sizeof __FILE__ + 1\n")
    (project.root / link).symlink_to(other)
    root = project.root
    request = {"cflags": (f"-I{root}/a", f"-isystem{root}/b", f"-I{root}/include")}
    project.lower(**request)
    assert project.lower(**request) == HIT
    (project.root / link).unlink()
    project.write(f"{link}/extra.h", "#define EXTRA sizeof __FILE__ + 1\n")
    assert project.lower(**request) == "miss: leads elsewhere"


def test_a_header_that_begins_to_ask_for_the_device(project: Project) -> None:
    """The preprocessed text is the same, but there is a warning now."""
    project.lower()
    project.write("include/scale.h", "#define FACTOR 2\n#ifdef __NVPTX__\n#endif\n")
    assert project.lower().startswith("miss")
    assert project.lower() == HIT
    project.write("include/scale.h", "#define FACTOR 2\n")
    project.lower()


def test_names_in_headers_to_which_generated_names_give_way(project: Project) -> None:
    project.lower()
    project.write("include/scale.h", "#define FACTOR 2\n#define UNUSED n__rex_value + __rex_iv\n")
    project.lower()  # compares with what is made without the cache


@pytest.mark.parametrize(
    "flags",
    [
        ("-fpch-preprocess",),
        ("-ivfsoverlay", "overlay.yaml"),
        ("-ivfsoverlayoverlay",),
        ("-Xclang", "-ivfsoverlay", "-Xclang", "overlay"),
        ("-include-pch", "extra.pch"),
        ("-fmodule-map-file=map",),
        ("-fmodules",),
        ("--config=some.cfg",),
        ("-fplugin=name",),
        ("-remap",),
        ("-specs=name",),
        ("--specs", "name"),
        ("-unknown-option", "some/file"),
        ("-funknown-list=files.txt",),
        ("-Wp,-include,extra.h",),
    ],
    ids=" ".join,
)
def test_flags_that_read_what_is_not_checked(project: Project, flags: tuple[str, ...]) -> None:
    with pytest.raises(NotCachedError, match="flag"):
        UnitKey(plain_request(project.request(*flags)), Memo(None))
    response = project.write("flags.txt", " ".join(flags))
    with pytest.raises(NotCachedError, match="flag"):
        UnitKey(plain_request(project.request(f"@{response}")), Memo(None))


def test_a_flag_that_names_a_file_without_a_suffix(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a file may change what the flag means, and the compiler fails when it is gone."""
    monkeypatch.chdir(project.root)
    request = plain_request(project.request("-funknown-list=names"))
    UnitKey(request, Memo(None))
    project.write("names", "")
    with pytest.raises(NotCachedError, match="flag -funknown-list=names"):
        UnitKey(request, Memo(None))


@pytest.mark.parametrize("name", ["CCC_OVERRIDE_OPTIONS", "DEPENDENCIES_OUTPUT"])
def test_variables_that_add_flags_or_files(project: Project, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "x")
    with pytest.raises(NotCachedError, match=name):
        UnitKey(plain_request(project.request()), Memo(None))


@pytest.mark.parametrize(
    "flags",
    [
        ("-std=gnu11", "-O2", "-Wall", "-march=x86-64-v3", "-msse4.2", "-pthread", "-pipe", "-g", "-w"),
        ("-DPATH=/usr/share", '-DNAME="a.h"', "-U", "some.thing", "-fmacro-prefix-map=/a=/b", "-Wl,-rpath,/x", "-L/x"),
        ("-ftemplate-depth=5", "--param", "max-inline=3", "-fprofile-use=/some/profile", "-x", "c"),
    ],
)
def test_usual_flags_are_cached(project: Project, flags: tuple[str, ...]) -> None:
    UnitKey(plain_request(project.request(*flags)), Memo(None))


def test_words_of_response_files() -> None:
    assert split_response("-DA=1\n'-DB=a b' \"-DC=\\\"x\\\"\" -D\\ E '' x\"y\"z") == [
        "-DA=1", "-DB=a b", '-DC="x"', "-D E", "", "xyz",
    ]  # fmt: skip


def _clang_with(folder: Path) -> Path:
    """A program that answers like clang, with configuration files in ``folder``."""
    compiler = folder / "myclang"
    compiler.write_text(
        f"""#!/bin/sh
flags=$(cat {folder}/*.cfg 2>/dev/null)
case "$*" in
--version*) echo clang version 19;;
*asks-where*) echo "note: was searched for in the directory: {folder}" >&2; exit 1;;
*) exec gcc $flags "$@";;
esac
"""
    )
    compiler.chmod(0o755)
    return compiler


def test_configuration_files(project: Project, tmp_path: Path) -> None:
    """They stand beside the compiler, which is the same before and after."""
    (tmp_path / "llvm").mkdir()
    compiler = _clang_with(tmp_path / "llvm")
    project.write("src/unit.c", "#ifndef EXTRA\n#define EXTRA 1\n#endif\n" + EXTRA)
    project.lower(cc=str(compiler))
    assert project.lower(cc=str(compiler)) == HIT
    (tmp_path / "llvm/myclang.cfg").write_text("-DEXTRA=2\n")
    assert project.lower(cc=str(compiler)).startswith("miss")
    assert project.lower(cc=str(compiler)) == HIT
    (tmp_path / "llvm/myclang.cfg").write_text("-DEXTRA=3\n")
    assert project.lower(cc=str(compiler)).startswith("miss")
    (tmp_path / "llvm/myclang.cfg").write_text("-DEXTRA=3 -include scale.h\n")
    with pytest.raises(NotCachedError, match="configuration file"):
        UnitKey(plain_request(project.request(cc=str(compiler))), Memo(None))


def test_a_script_that_begins_to_add_a_flag(project: Project, tmp_path: Path) -> None:
    """Neither the script nor the version of the compiler that it calls changes."""
    compiler = tmp_path / "mycc"
    compiler.write_text(f'#!/bin/sh\nexec gcc $(cat {tmp_path}/flags) "$@"\n')
    compiler.chmod(0o755)
    (tmp_path / "flags").write_text("-DEXTRA=1")
    project.write("src/unit.c", EXTRA)
    project.lower(cc=str(compiler))
    assert project.lower(cc=str(compiler)) == HIT
    (tmp_path / "flags").write_text("-DEXTRA=2")
    assert project.lower(cc=str(compiler)).startswith("miss")


def test_outputs_become_newer_than_a_touched_source(project: Project) -> None:
    """Otherwise a build system would not compile them again, as it does with a source that is not lowered."""
    outputs = [project.out / "rose_unit.c", project.out / "rex_lib_unit.cu"]
    project.lower()
    for event in (HIT, ""):
        time.sleep(0.02)
        (project.root / "src/unit.c").touch()
        if event:
            assert project.lower() == event
        else:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("REX_BUILD_CACHE", "off")
                project.lower()
        source = (project.root / "src/unit.c").stat().st_mtime_ns
        times = [path.stat().st_mtime_ns for path in outputs]
        assert min(times) >= source
        project.lower()
        assert [path.stat().st_mtime_ns for path in outputs] == times


def test_a_store_that_others_may_write_to_is_said_to_be_one_once(
    project: Project, own_store: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    own_store.mkdir()
    own_store.chmod(0o2775)
    project.lower()
    assert capfd.readouterr().err.count("can be written to by its group") == 1
    project.lower()
    assert capfd.readouterr().err == ""
    own_store.chmod(0o1777)
    project.lower()
    assert capfd.readouterr().err.count("can be written to by everybody") == 1
    project.lower()
    assert capfd.readouterr().err == ""


def test_a_record_that_names_a_pipe(project: Project, own_store: Path) -> None:
    """What a store holds is data. Nothing in it makes rex-build wait for another process."""
    project.lower()
    header = project.root / "include/scale.h"
    header.unlink()
    os.mkfifo(header)
    key = UnitKey(plain_request(project.request()), Memo(None))

    assert find_direct(store(), key, Memo(None))[0] is None


@pytest.mark.parametrize("what", ["folder", "header"])
def test_a_link_that_the_compiler_leaves_out_of_a_headers_name(project: Project, what: str) -> None:
    """gcc gives a system header the name of its target where that is shorter. The link may lead elsewhere later."""
    project.write("a/scale.h", "#define FACTOR 5\n")
    project.write("last/scale.h", "#define FACTOR 6\n")
    link, target = ("longer/link", "a") if what == "folder" else ("longer/link/scale.h", "a/scale.h")
    (project.root / link).parent.mkdir(parents=True)
    (project.root / link).symlink_to(project.root / target)
    flags = {"cflags": (f"-isystem{project.root}/longer/link", f"-idirafter{project.root}/last")}
    assert project.lower(**flags).startswith("miss")
    assert project.lower(**flags) == HIT
    (project.root / link).unlink()
    (project.root / "longer/link").mkdir(exist_ok=True)
    assert project.lower(**flags) != HIT

"""Images whose ``.cu`` and options are those of an earlier image, although the compiler would make another one now."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest
from cache_project import events
from execution import rex_build
from test_stored_images import Images

from rex_build.build.images import build_image
from rex_build.cache.flags import NotCachedError
from rex_build.cache.image import ImageKeys, ImageRequest
from rex_build.cache.memo import Memo
from rex_build.tools.runtimes import find_nvcc
from rex_build.tools.toolchain import given_compiler

pytestmark = pytest.mark.compile

HIT, NEW = "image hit", "image miss: not seen before"
needs_nvcc = pytest.mark.skipif(find_nvcc() is None, reason="no nvcc here")


@pytest.fixture
def images(tmp_path: Path) -> Images:
    made = Images(tmp_path / "a")
    (made.root / "early").mkdir()
    (made.root / "inc").mkdir()
    return made


def test_what_was_written_just_before_is_stored(images: Images) -> None:
    for value in range(3):
        images.write(value)
        assert images.build() == NEW
        assert images.build() == HIT


def test_a_unit_that_changes_while_it_is_compiled_is_not(images: Images, tmp_path: Path) -> None:
    compiler = tmp_path / "g++"
    compiler.write_text(f'#!/bin/sh\ncase "$*" in *" -c "*) echo >> {images.cu};; esac\nexec g++ "$@"\n')
    compiler.chmod(0o755)
    images.build(compiler=str(compiler))
    assert events()["image not stored: changed meanwhile"] == 1


SPELLINGS = (
    ("--include-directory={root}/early", "--include-directory", "{root}/inc", "-include", "cfg.h"),
    ("-iprefix", "{root}/", "-iwithprefixbefore", "early", "-iwithprefixbefore", "inc", "--include", "cfg.h"),
    ("-Wp,-I,{root}/early,-I,{root}/inc", "-includecfg.h"),
    ("-Iearly", "-Iinc", "--include=cfg.h"),
    ("-isystem", "{root}/early", "-idirafter{root}/inc", "-imacros", "cfg.h"),
)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("options", SPELLINGS, ids=" ".join)
def test_a_header_that_appears_earlier(images: Images, options: tuple[str, ...]) -> None:
    options = tuple(option.format(root=images.root) for option in options)
    (images.root / "inc/cfg.h").write_text("#define E 1\n")
    images.write("E")
    time.sleep(0.05)  # a header that is written while the compiler runs is not kept
    assert images.build(*options) == NEW
    assert images.build(*options) == HIT
    (images.root / "early/cfg.h").write_text("#define E 2\n")
    assert images.build(*options) == "image miss: has appeared"


ASKS = "#define J(a, b) a##b\n#if J(__has_, include)(<asked.h>)\n#define E 2\n#else\n#define E 1\n#endif\n"


@pytest.mark.parametrize(
    "options", [*SPELLINGS, ("--sysroot={root}", "-I=/early", "-isystem", "=/inc", "-include", "cfg.h")], ids=" ".join
)
def test_a_question_that_a_header_of_the_user_pastes_together(images: Images, options: tuple[str, ...]) -> None:
    """The user's headers are looked through for that in whatever way a flag names their folder."""
    options = tuple(option.format(root=images.root) for option in options)
    (images.root / "usr").symlink_to("/usr")
    (images.root / "inc/cfg.h").write_text(ASKS)
    images.write("E")
    time.sleep(0.05)
    assert images.build(*options) == NEW
    (images.root / "inc/asked.h").write_text("")
    assert images.build(*options) != HIT


@needs_nvcc
@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "options",
    [
        ("--include-path={root}/early", "--include-path", "{root}/inc", "--pre-include", "cfg.h"),
        ("-I{root}/early,{root}/inc", "--pre-include=cfg.h"),
        ("-Xcompiler", "-I{root}/early,-I{root}/inc", "-include", "cfg.h"),
    ],
    ids=" ".join,
)
def test_a_header_that_appears_earlier_for_nvcc(images: Images, options: tuple[str, ...]) -> None:
    options = tuple(option.format(root=images.root) for option in options)
    (images.root / "inc/cfg.h").write_text("#define E 1\n")
    images.write("E")
    time.sleep(0.05)

    def build() -> str:
        before = events()
        build_image(images.cu, "sm_90", images.out, options)
        return next((name for name, count in events().items() if count != before.get(name)), "")

    assert build() == NEW
    assert build() == HIT
    (images.root / "early/cfg.h").write_text("#define E 2\n")
    assert build() == "image miss: has appeared"


def test_an_answer_that_changes_and_changes_back(images: Images) -> None:
    """The files that are read are the same each time, but the images are not."""
    header = images.root / "early/asked.h"
    text = images.cu.read_text().replace("= 1;", "= E + 0x5eed0000;")
    images.cu.write_text('#if __has_include("asked.h")\n#define E 1\n#else\n#define E 2\n#endif\n' + text)
    time.sleep(0.05)
    options = (f"-I{images.root}/early",)
    made = []
    for event in (NEW, "image miss: has appeared", HIT, HIT):
        assert images.build(*options) == event
        made.append(images.out.read_bytes())
        header.unlink() if header.exists() else header.write_text("")
    assert made[0] == made[2] != made[1] == made[3]


def _includes(images: Images, name: str) -> None:
    images.write("E")
    images.cu.write_text(f'#include "{name}"\n' + images.cu.read_text())


def test_a_header_of_its_own_that_appears_beside_it(images: Images) -> None:
    (images.root / "inc/own.h").write_text("#define E 1\n")
    _includes(images, "own.h")
    time.sleep(0.05)
    options = (f"-I{images.root}/inc",)
    assert images.build(*options) == NEW
    assert images.build(*options) == HIT
    (images.root / "own.h").write_text("#define E 2\n")
    assert images.build(*options) == "image miss: has appeared"


def test_headers_of_its_own_are_the_checkout_s(tmp_path: Path) -> None:
    """The second checkout has the same unit beside another header, the third has the first one's header."""
    made = []
    for number, value, event in ((1, 1, NEW), (2, 2, "image miss: has changed"), (3, 1, HIT)):
        images = Images(tmp_path / f"checkout{number}")
        (images.root / "own.h").write_text(f"#define E {value} + 0x5eed0000\n")
        _includes(images, "own.h")
        time.sleep(0.05)
        assert images.build() == event
        made.append(images.out.read_bytes())
    assert made[0] == made[2] != made[1]


def test_a_header_beside_it_by_the_name_of_one_of_ours(images: Images) -> None:
    """The compiler looks there first for what it is told to include."""
    assert images.build() == NEW
    (images.root / "cpu").mkdir()
    (images.root / "cpu/rex_device.h").write_text("#define __global__\n")
    time.sleep(0.05)
    assert images.build() == "image miss: has appeared"


@pytest.mark.parametrize("value", ["__TIME__[7]", "sizeof(__DATE__ __TIME__)", "NOW[7]"])
def test_the_time_of_compilation(images: Images, value: str) -> None:
    images.write(value)
    text = images.cu.read_text()
    images.cu.write_text("#define J(a, b) a##b\n#define NOW J(__TI, ME__)\n" * value.startswith("NOW") + text)
    images.build()
    assert images.build() == NEW


@pytest.mark.parametrize("assembly", ['.inc" "bin', '.in"\n"cbin', ".\\x69ncbin"], ids=["two", "lines", "escape"])
def test_assembly_that_reads_files_in_disguise(images: Images, assembly: str) -> None:
    data = images.root / "data"
    data.write_text("one")
    images.write(f'0; asm(".pushsection .rodata; {assembly} \\"{data}\\"; .popsection")')
    images.build()
    assert images.build().startswith("image miss")


def test_a_precompiled_header_that_appears(images: Images) -> None:
    header = images.root / "inc/cfg.h"
    header.write_text("#define E 1\n")
    images.write("E")
    time.sleep(0.05)
    options = ("-include", str(header))
    assert images.build(*options) == NEW
    assert images.build(*options) == HIT
    (images.root / "inc/cfg.h.gch").write_text("no precompiled header")
    assert images.build(*options) == "image miss: has appeared"


def test_debug_information_names_the_build_folder(tmp_path: Path) -> None:
    """One source, and a ``.cu`` in each of two build folders."""
    made = []
    for number in (1, 2):
        images = Images(tmp_path / str(number))
        images.cu.write_text(images.cu.read_text().replace(str(images.root), str(tmp_path)))
        assert images.build("-g") == NEW
        made.append(images.out.read_bytes())
    assert made[0] != made[1]


def _key(arch: str, compiler: str, *options: str, cu: str = "/w/u.cu") -> str:
    return ImageKeys(
        ImageRequest(cu, b"text", arch, options, given_compiler(compiler).command, False), Memo(None)
    ).anywhere.hexdigest()


def _script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_nvcc_behind_a_script(tmp_path: Path) -> None:
    """The script and what it says of its version stay the same, while the toolkit behind it changes."""
    toolkit = tmp_path / "toolkit"
    said = f'echo "#$ _HERE_={toolkit}/bin" >&2; exit 0'
    _script(toolkit / "bin/nvcc", f'case "$*" in *--dryrun*) {said};; *) echo nvcc 13.0;; esac')
    for name in ("bin/ptxas", "nvvm/bin/cicc", "nvvm/libdevice/libdevice.10.bc"):
        _script(toolkit / name, "one")
    wrapper = str(_script(tmp_path / "bin/nvcc", f'exec {toolkit}/bin/nvcc "$@"'))
    keys = {_key("sm_90", wrapper)}
    assert keys == {_key("sm_90", wrapper)}
    for name in ("bin/ptxas", "nvvm/bin/cicc", "nvvm/libdevice/libdevice.10.bc"):
        _script(toolkit / name, "two")
        assert _key("sm_90", wrapper) not in keys
        keys.add(_key("sm_90", wrapper))
    _script(toolkit / "bin/nvcc", "echo nvcc 13.0")  # and one that does not say what it would run
    with pytest.raises(NotCachedError):
        _key("sm_90", wrapper)


def test_options_of_the_environment_are_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toolkit = tmp_path / "toolkit"
    nvcc = str(_script(toolkit / "bin/nvcc", "echo nvcc 13.0"))
    _script(toolkit / "nvvm/bin/cicc", "")
    monkeypatch.setenv("NVCC_APPEND_FLAGS", "-include cfg.h")
    assert _key("sm_90", nvcc, cu="/one/u.cu") != _key("sm_90", nvcc, cu="/two/u.cu")
    monkeypatch.setenv("NVCC_APPEND_FLAGS", "--options-file flags")
    with pytest.raises(NotCachedError):
        _key("sm_90", nvcc)
    host = _script(tmp_path / "host", 'exec gcc -DONE "$@"')
    monkeypatch.setenv("NVCC_APPEND_FLAGS", f"-ccbin {host}")
    before = _key("sm_90", nvcc)
    _script(tmp_path / "host", 'exec gcc -DTWO "$@"')
    assert _key("sm_90", nvcc) != before


def test_another_assembler_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = str(shutil.which("g++"))
    before = _key("cpu", compiler)
    _script(tmp_path / "bin/as", 'exec /usr/bin/as "$@"')
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    assert _key("cpu", compiler) != before


@pytest.mark.parametrize("option", ["-fprofile-use", "-fmodules", "-ivfsoverlay", "@flags", "-Xclang", "-unknown=a.b"])
def test_options_that_read_what_is_not_checked(option: str) -> None:
    with pytest.raises(NotCachedError, match="flag"):
        _key("cpu", "g++", option)


def test_debug_information_says_the_units_own_folder(tmp_path: Path) -> None:
    """The check device reads comments where debug information says that the source is. One build names it by its full
    path, and another one, in another folder, by its name alone."""
    text = "int main(void) {\nint x = 0;\n#pragma omp target map(tofrom: x)\nx++;\nreturn x != 1;\n}\n"
    folders = [tmp_path / name for name in ("first", "second")]
    for folder, name in zip(folders, (str(folders[0] / "unit.c"), "unit.c"), strict=True):
        folder.mkdir()
        (folder / "unit.c").write_text(text)
        done = rex_build("cc", "--check", "-o", folder / "app", name, "--", "-O1", cwd=folder)
        assert done.status == 0, done.describe("the build")
    assert os.fsencode(folders[0]) not in (folders[1] / "app").read_bytes()

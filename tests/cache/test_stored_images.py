"""Device images: hits, what must not be one, and compilers behind launchers."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cache_project import DAMAGE, Project, events

import rex_build
from rex_build.base.diagnostics import ToolError
from rex_build.build.images import build_image
from rex_build.cache import store as kept
from rex_build.cache.image import without_folders
from rex_build.tools.toolchain import given_compiler

pytestmark = pytest.mark.compile

CU = """\
/* a unit */
#line 3 "{folder}/unit.c"
extern "C" __global__ void kernel(int *x) {{ x[0] = {value}; }}
"""


class Images:
    """One ``.cu`` and its image."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.cu = root / "rex_lib_unit.cu"
        self.out = root / "unit.cpu.so"
        self.write(1)

    def write(self, value: object) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        self.cu.write_text(CU.format(folder=self.root, value=value))

    def build(self, *options: str, compiler: str | None = None, separable: bool = False) -> str:
        before = events()
        build_image(self.cu, "cpu", self.out, options, given_compiler(compiler) if compiler else None, separable)
        return next((name for name, count in events().items() if count != before.get(name)), "")


@pytest.fixture
def images(tmp_path: Path) -> Images:
    return Images(tmp_path / "a")


def test_hits_and_misses(images: Images) -> None:
    assert images.build() == "image miss: not seen before"
    first = images.out.read_bytes()
    images.out.unlink()
    assert images.build() == "image hit"
    assert images.out.read_bytes() == first
    assert images.build("-O1") == "image miss: not seen before"
    assert images.build(separable=True) == "image miss: not seen before"
    images.write(2)
    assert images.build() == "image miss: not seen before"


def test_images_with_the_device_library(images: Images) -> None:
    """No header of it is read by two names: of equal headers that are read once, one could be left out unnoticed."""
    images.cu.write_text('#include "xomp_cuda_lib_inlined.cu"\n' + images.cu.read_text())
    assert images.build() == "image miss: not seen before"
    assert images.build() == "image hit"


def test_another_checkout_shares_images(images: Images, tmp_path: Path) -> None:
    images.build()
    assert Images(tmp_path / "another").build() == "image hit"


@pytest.mark.parametrize("options", [("-g",), ("-pg",)])
def test_images_with_debug_information_are_not_shared(images: Images, tmp_path: Path, options: tuple[str, ...]) -> None:
    images.build(*options)
    assert images.build(*options) == "image hit"
    assert Images(tmp_path / "another").build(*options).startswith("image miss")


SAME_EVERYWHERE = {
    "the layout of a structure": ("x[0]", 'static_assert(sizeof(int) == 4, "the layout differs from the host\'s");\n'),
    "a name without folders": ("__FILE__[0]", '#line 3 "unit.c"\n'),
    "an assertion": ("(assert(x != nullptr), 1)", '#line 3 "unit.c"\n'),
}


@pytest.mark.parametrize(("value", "before"), SAME_EVERYWHERE.values(), ids=SAME_EVERYWHERE)
def test_a_cu_in_another_folder(images: Images, tmp_path: Path, value: str, before: str) -> None:
    """rex-gcc has a new folder for each unit and each run."""
    text = CU.format(folder=tmp_path, value=value).replace('extern "C"', before + 'extern "C"')
    images.cu.write_text(text)
    images.build()
    other = Images(tmp_path / "another")
    other.cu.write_text(text)
    assert other.build() == "image hit"


def test_the_file_name_in_device_code(images: Images, tmp_path: Path) -> None:
    images.write("__FILE__[0]")
    images.build()
    other = Images(tmp_path / "another")
    other.write("__FILE__[0]")
    assert other.build().startswith("image miss")


def test_a_header_of_the_image(images: Images, tmp_path: Path) -> None:
    header = tmp_path / "extra.h"
    header.write_text("#define E 1\n")
    options = ("-include", str(header))
    images.write("E")
    images.build(*options)
    assert images.build(*options) == "image hit"
    header.write_text("#define E 2\n")
    assert images.build(*options) == "image miss: has changed"


RELATIVE = (
    ("-include", "inc/cfg.h"),
    ("-includeinc/cfg.h",),
    ("-Iinc", "-include", "cfg.h"),
    ("-isystem", "inc", "-include", "cfg.h"),
    ("--include-directory=inc", "-include", "cfg.h"),
    ("-Wp,-include,inc/cfg.h",),
    ("-iquoteinc", "-include", "cfg.h"),
)


@pytest.mark.parametrize("options", RELATIVE, ids=" ".join)
def test_headers_by_relative_paths_are_the_checkout_s_own(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Two checkouts with one text: the compiler runs beside the ``.cu`` and finds another header in each."""
    made = []
    for number in (1, 2):
        images = Images(tmp_path / f"checkout{number}")
        (images.root / "inc").mkdir()
        (images.root / "inc/cfg.h").write_text(f"#define E {number}\n")
        images.write("E + 0x5eed0000")
        time.sleep(0.05)  # what is written while the compiler runs is not kept
        assert images.build(*options).startswith("image miss")
        assert images.build(*options) == "image hit"
        made.append(images.out.read_bytes())
    assert made[0] != made[1]


def test_headers_by_a_relative_search_path_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CPATH", "inc")
    for number in (1, 2):
        images = Images(tmp_path / f"checkout{number}")
        (images.root / "inc").mkdir()
        (images.root / "inc/cfg.h").write_text(f"#define E {number}\n")
        images.write("E")
        assert images.build("-include", "cfg.h").startswith("image miss")


def test_options_without_paths_are_shared(images: Images, tmp_path: Path) -> None:
    options = ("-O2", "-DX=a/b", "-I/usr", "-isystem", "/usr/lib")
    images.build(*options)
    assert Images(tmp_path / "another").build(*options) == "image hit"


def test_damaged_images(images: Images, own_store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    images.build()
    right = images.out.read_bytes()
    for damage in DAMAGE:
        (entry,) = own_store.glob("i/*/*")
        damage(entry)
        assert images.build() == "image miss: evicted"
        assert images.out.read_bytes() == right
        assert "warning: cache: entry" in capsys.readouterr().err
        kept._warned.clear()
        assert images.build() == "image hit"


def test_assembly_that_reads_files(images: Images) -> None:
    """The compiler does not report which files these are."""
    data = images.root / "data"
    images.write(f'0; asm(".pushsection .rodata; .incbin \\"{data}\\"; .popsection")')
    made = []
    for text in ("one", "two"):
        data.write_text(text)
        assert images.build() == "not cached: assembly that reads files"
        made.append(images.out.read_bytes())
    assert made[0] != made[1]


def test_warnings_are_repeated(images: Images, capfd: pytest.CaptureFixture[str]) -> None:
    images.write("0; int unused")
    for event in ("image miss: not seen before", "image hit"):
        assert images.build("-Wunused-variable") == event
        assert "unused variable" in capfd.readouterr().err


def test_an_image_that_is_right_stays(images: Images) -> None:
    images.build()
    os.utime(images.cu, (1, 1))
    os.utime(images.out, (2, 2))
    images.build()
    assert images.out.stat().st_mtime == 2
    os.utime(images.cu, (3, 3))
    images.build()  # Make would run this in every build if the image stayed older
    assert images.out.stat().st_mtime > 3


def test_failures_are_not_kept(images: Images) -> None:
    images.write("nonsense")
    for _ in range(2):
        with pytest.raises(ToolError):
            images.build()
    assert events() == {}


def test_the_quick_command_line(images: Images) -> None:
    main = Path(rex_build.__file__).parent / "__main__.py"
    line = [sys.executable, "-X", "importtime", str(main), "device", str(images.cu), "--arch", "cpu"]
    line += ["--compiler", "g++", "-o", str(images.out), "--", "-O1"]
    first = subprocess.run(line, capture_output=True, text=True, check=True)
    assert "subprocess" in first.stderr
    images.out.unlink()
    second = subprocess.run(line, capture_output=True, text=True, check=True)
    assert images.out.stat().st_size
    for module in ("argparse", "subprocess", "dataclasses", "pathlib", "filelock", "jinja2", "pycparser"):
        assert f" {module}\n" not in second.stderr, module


def test_a_hit_of_a_unit_imports_nothing_that_lowers(project: Project) -> None:
    main = Path(rex_build.__file__).parent / "__main__.py"
    line = [sys.executable, "-X", "importtime", str(main), "lower", str(project.root / "src/unit.c")]
    line += ["--out-dir", str(project.out), "--base-dir", str(project.root), "--", f"-I{project.root}/include"]
    assert " pycparser\n" in subprocess.run(line, capture_output=True, text=True, check=True).stderr
    hit = subprocess.run(line, capture_output=True, text=True, check=True)
    for module in ("argparse", "subprocess", "dataclasses", "pathlib", "re", "json", "filelock", "jinja2", "pycparser"):
        assert f" {module}\n" not in hit.stderr, module


def test_line_directives_without_folders() -> None:
    text = b'a\n#line 7 "/x/y z/u.c"\n#line 8\nb "/x/y"\n#line 9 "u.h"'
    assert without_folders(text) == b'a\n#line 7 "u.c"\n#line 8\nb "/x/y"\n#line 9 "u.h"'

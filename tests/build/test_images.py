"""``rex-build device`` and ``rex-build register``: images, and the unit that hands them to libomptarget."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from build_tool import ROOT, Tool

from rex_build.base.paths import include_dir
from rex_build.render.registration import read_merged, read_unit
from rex_build.tools.backends import CUDA

pytestmark = pytest.mark.compile

HAVE_NVCC = shutil.which("nvcc") is not None
needs_nvcc = pytest.mark.skipif(not HAVE_NVCC, reason="nvcc is not here")

SHORT = include_dir() / "short"
UNIT = "0123456789abcdef"
CU = """\
#include "xomp_cuda_lib_inlined.cu"
extern "C" __device__ int table[4];
__device__ int table[4];
extern "C" __global__ void OUT__1__k__kernel__(void *__rex_kernel_launch_env, int *x)
{
    x[0] = table[0];
}
REX_LOOKED_UP("table")
extern "C" __global__ void rex_ready_0123456789abcdef(void *) {}
"""


def host_text(
    unit: str = UNIT, names: tuple[str, ...] = ("OUT__1__k__kernel__", "table"), more: str = ""
) -> str:
    rows = ", ".join(f'{{(void *)&id{i}, (char *)"{name}", 0, 0, 0}}' for i, name in enumerate(names))
    table = f"struct __tgt_offload_entry __rex_offload_entries_{unit}[] = {{{rows}}};\n" if names else ""
    return f"/* rex-build 0.2.0: lowered from k.c; unit {unit}; entries {len(names)}{more} */\nint k;\n{table}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rex_lib_k.cu").write_text(CU)
    (tmp_path / "rose_k.c").write_text(host_text())
    return tmp_path


def image(tool: Tool, folder: Path, arch: str = "cpu", cu: str = "rex_lib_k.cu", name: str = "image") -> Path:
    done = tool("device", cu, "--arch", arch, "-o", name, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / name


@pytest.mark.parametrize("arch", ["cpu", pytest.param("sm_90", marks=needs_nvcc)])
def test_images_do_not_depend_on_where_they_are_made(tool: Tool, folder: Path, arch: str) -> None:
    (folder / "deeper").mkdir()
    shutil.copy(folder / "rex_lib_k.cu", folder / "deeper")
    first = image(tool, folder, arch).read_bytes()
    assert first.startswith(b"\x7fELF")
    assert image(tool, folder / "deeper", arch).read_bytes() == first
    assert image(tool, folder, arch, cu=str(folder / "rex_lib_k.cu")).read_bytes() == first


def nvcc_command(cu: Path, output: Path, depfile: Path) -> list[str]:
    """The command that makes an image of ``cu`` without debug information."""
    flags = [*CUDA.header_options(cu.read_bytes(), ()), *CUDA.depfile_options(str(depfile), False)]
    ((words, file),) = CUDA.compile_steps("sm_90", ["nvcc"], str(cu), str(output), flags, False)
    return [*words, file]


@needs_nvcc
@pytest.mark.sampled(3)
@pytest.mark.parametrize("program", ["c/complex", "c/math_table", "reduction_types"])
def test_the_short_cuda_header_changes_no_kernel(tool: Tool, folder: Path, program: str) -> None:
    """Kernels are the same, as ptxas gets them, as with all of CUDA's own cuda_runtime.h."""
    source = ROOT / "tests" / "programs" / f"{program}.c"
    assert tool("lower", source, "--out-dir", folder, "--", "-D_GNU_SOURCE").returncode == 0
    cu = folder / f"rex_lib_{Path(program).name}.cu"
    own = f"-I{SHORT}"
    for name in ("short", "full"):
        command = nvcc_command(cu, folder / name, folder / "deps")
        assert own in command
        command[command.index("-cubin")] = "-ptx"
        subprocess.run([word for word in command if name == "short" or word != own], check=True)
        read = (folder / "deps").read_text().replace("\\ ", " ")
        assert (f"{SHORT}/cuda_runtime.h" in read) == (name == "short")
    assert ".entry" in (folder / "short").read_text()
    assert (folder / "short").read_bytes() == (folder / "full").read_bytes()


def test_headers_of_others_get_all_of_cudas(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = b'#include "xomp_cuda_lib_inlined.cu"\n'
    assert f"-I{SHORT}" in CUDA.header_options(ours, ())
    assert f"-I{SHORT}" not in CUDA.header_options(ours + b"#include <time.h>\n", ())
    assert f"-I{SHORT}" not in CUDA.header_options(ours, ("-Xcompiler", "-include,more.h"))
    monkeypatch.setenv("NVCC_APPEND_FLAGS", "--pre-include more.h")
    assert f"-I{SHORT}" not in CUDA.header_options(ours, ())


def test_another_release_of_cuda_gets_its_whole_header(folder: Path) -> None:
    (folder / "cuda_runtime.h").write_text("all of this\n")
    command = ["g++", "-E", "-P", "-D__CUDACC_VER_MAJOR__=99", f"-I{SHORT}", f"-I{folder}", "-x", "c++", "/dev/null"]
    done = subprocess.run([*command, "-include", "cuda_runtime.h"], cwd="/", check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "all of this"


@needs_nvcc
def test_nvcc_reads_a_file_once(folder: Path) -> None:
    """What nvcc lists as read does not cost a second run of its preprocessor, unless the list's name needs quotes."""
    for depfile, runs in ((folder / "deps", 1), (folder / "de ps", 2)):
        command = nvcc_command(folder / "rex_lib_k.cu", folder / "image", depfile)
        asked = subprocess.run([*command, "--dryrun"], cwd=folder, check=True, capture_output=True, text=True)
        assert asked.stderr.count(" -E ") == runs
        subprocess.run(command, cwd=folder, check=True)
        for name in ("rex_lib_k.cu", "xomp_cuda_lib_inlined.cu", f"{SHORT}/cuda_runtime.h"):
            assert name in depfile.read_text().replace("\\ ", " ")


def test_no_device_code_no_compiler(tool: Tool, folder: Path) -> None:
    (folder / "none.cu").write_text("/* nothing for the device */\n")
    assert image(tool, folder, "sm_90", cu="none.cu").read_bytes() == b""


DEVICE_WRONG = {
    "spelling": ("banana", "rex_lib_k.cu", 2, "unknown architecture 'banana'"),
    "no file": ("cpu", "nowhere.cu", 1, "cannot read nowhere.cu"),
    "cpu code": ("cpu", "bad.cu", 3, "user.c:7:"),
    "cpu function": ("cpu", "missing.cu", 3, "undefined reference to `elsewhere'"),
}
if HAVE_NVCC:
    DEVICE_WRONG |= {
        "cuda code": ("sm_90", "bad.cu", 3, "user.c(7)"),
        "too old": ("sm_12", "rex_lib_k.cu", 3, "does not compile for sm_12"),
    }


@pytest.mark.parametrize(("arch", "cu", "status", "message"), DEVICE_WRONG.values(), ids=DEVICE_WRONG)
def test_device_failures(tool: Tool, folder: Path, arch: str, cu: str, status: int, message: str) -> None:
    (folder / "bad.cu").write_text('#line 7 "user.c"\n__global__ void k(void) { undeclared(); }\n')
    (folder / "missing.cu").write_text(CU + 'extern "C" void elsewhere();\n__global__ void k(void) { elsewhere(); }\n')
    done = tool("device", cu, "--arch", arch, "-o", "image", cwd=folder)
    assert (done.returncode, message in done.stderr) == (status, True), done.stderr
    assert not list(folder.glob("*image*")), "nothing is left behind"
    assert not list(folder.glob(".rex-*")), "nothing is left behind"


def test_missing_functions_are_found_where_objects_do_not_name_them(tool: Tool, folder: Path) -> None:
    """Objects for optimisation at the link have no table of what they use."""
    call = 'extern "C" void elsewhere();\nextern "C" __global__ void k(void *) { elsewhere(); }\n'
    (folder / "missing.cu").write_text(CU + call)
    done = tool("device", "missing.cu", "--arch", "cpu", "-o", "image", "--", "-flto", cwd=folder)
    assert (done.returncode, "elsewhere" in done.stderr) == (3, True), done.stderr


def test_functions_of_cpu_images_are_written_in_place(tool: Tool, folder: Path) -> None:
    """No other image takes a function's place, so ``always_inline`` is no error where the function is not inline."""
    function = "__attribute__((always_inline)) int everywhere(int x) { return x + 1; }"
    kernel = 'extern "C" __global__ void k(void *, int *x) { x[0] = everywhere(x[1]); }'
    (folder / "always.cu").write_text(f"{CU}{function}\n{kernel}\n")
    image(tool, folder, cu="always.cu")


@pytest.mark.parametrize("separable", [False, True])
def test_cpu_images_offer_what_is_looked_up_and_nothing_else(tool: Tool, tmp_path: Path, separable: bool) -> None:
    """Their names are known to libraries that are opened later, whose functions they would be otherwise."""
    (tmp_path / "x.cpp").write_text(
        """\
#include <algorithm>
#pragma omp declare target
int count = 1;
static int step = 2;
inline int &slot() { static int s; return s; }
template <class T> struct Table { static T value; };
template <class T> T Table<T>::value = 3;
__attribute__((visibility("default"))) int helper(int x) { return x + count + step + slot() + Table<int>::value; }
namespace app { int inner(int x) { return 2 * x; } }
#pragma omp end declare target
struct Later { bool operator()(int a, int b) const { return a > b; } };
int run(int *p)
{
#pragma omp target map(tofrom: p[0:9])
    std::sort(p, p + helper(app::inner(p[0])), Later());
    return p[0];
}
"""
    )
    options = ("--separable",) if separable else ()
    assert tool("lower", "x.cpp", *options, "--out-dir", ".", "--", "-O0", "-std=c++20", cwd=tmp_path).returncode == 0
    if separable:
        done = tool("device", "rex_lib_x.cu", "--arch", "cpu", "--separable", "-o", "x.o", "--", "-O0", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert tool("device-link", "--arch", "cpu", "x.o", "-o", "image", cwd=tmp_path).returncode == 0
    else:
        image(tool, tmp_path, cu="rex_lib_x.cu")
    unit = read_unit(tmp_path / "rose_x.cpp", [tmp_path / "image"])
    assert {"count", "step"} <= {*unit.entries}
    assert unit.images[0].defined == {*unit.entries, unit.ready, "rex_cpu_image"}


@needs_nvcc
def test_architectures_nvcc_knows_are_listed(tool: Tool, folder: Path) -> None:
    done = tool("device", "rex_lib_k.cu", "--arch", "sm_12", "-o", "image", cwd=folder)
    assert "it knows sm_" in done.stderr


def test_image_in_a_folder_that_cannot_be_written(tool: Tool, folder: Path) -> None:
    done = tool("device", "rex_lib_k.cu", "--arch", "cpu", "-o", "/proc/image", cwd=folder)
    assert done.returncode == 3
    assert "cannot write /proc/image" in done.stderr


DIALECTS = {
    "c90": ("gcc", "-std=c90", "-pedantic", "-xc"),
    "c11": ("gcc", "-std=c11", "-pedantic", "-xc"),
    "c++11": ("g++", "-std=c++11", "-pedantic", "-xc++"),
    "c++20": ("g++", "-std=c++20", "-pedantic", "-xc++"),
}


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
@pytest.mark.parametrize("units", [0, 1])
def test_registration_compiles_as_c_and_as_cpp(tool: Tool, folder: Path, dialect: tuple[str, ...], units: int) -> None:
    image(tool, folder, name='im"a\\ge')
    files = ["rose_k.c", 'im"a\\ge'] if units else []
    done = tool("register", "--out", "register_cubin.cpp", "--anchor", "anchor_k", *files, cwd=folder)
    assert done.returncode == 0, done.stderr
    warnings = ("-O2", "-Wall", "-Wextra", "-Wcast-qual", "-Wmissing-declarations", "-Wredundant-decls", "-Werror")
    include = ROOT / "rex_build" / "include"
    tool.run(*dialect, *warnings, f"-I{include}", "-c", "register_cubin.cpp", "-o", "register.o", cwd=folder)
    symbols = tool.run("nm", "register.o", cwd=folder)
    assert "anchor_k" in symbols
    assert "W rex_offload_init" in symbols


def test_registration_text_changes_with_the_image_and_only_then(tool: Tool, folder: Path) -> None:
    def text() -> str:
        image(tool, folder)
        assert tool("register", "--out", "r.cpp", "rose_k.c", "image", cwd=folder).returncode == 0
        return (folder / "r.cpp").read_text()

    first = text()
    assert text() == first
    (folder / "rex_lib_k.cu").write_text(CU.replace("table[0];\n}", "table[1];\n}"))
    assert text() != first


def test_recursive_device_code(tool: Tool, folder: Path) -> None:
    """The host file says that device code is recursive, even if it has no entries and is only linked with others."""
    plain, own, other = folder / "rose_k.c", folder / "rose_l.c", folder / "rose_m.c"
    own.write_text(host_text(more="; recursive"))
    other.write_text(host_text(UNIT[::-1], (), "; recursive"))
    images = [image(tool, folder)]
    assert [read_unit(host, images).recursive for host in (plain, own, other)] == [False, True, True]
    assert [unit.recursive for unit in read_merged([plain], images)] == [False]
    assert [unit.recursive for unit in read_merged([plain, other], images)] == [True]


def test_macros_that_stand_behind_the_dashes_are_taken_away(tool: Tool, folder: Path) -> None:
    image(tool, folder)
    flags = ["-Dimage=1", "-Dunrelated_name=1"]
    assert tool("register", "--out", "a.cpp", "rose_k.c", "image", "--", *flags, cwd=folder).returncode == 0
    assert re.findall("#undef (.*)", (folder / "a.cpp").read_text()) == ["image"]


def test_unit_without_entries_is_passed_over(tool: Tool, folder: Path) -> None:
    (folder / "rose_none.c").write_text(host_text("fedcba9876543210", ()))
    (folder / "empty").touch()
    done = tool("register", "--out", "r.cpp", "rose_none.c", "empty", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "fedcba9876543210" not in (folder / "r.cpp").read_text()


REGISTER_WRONG = {
    "kernel missing": (
        host_text(names=("OUT__2__k__kernel__",)),
        ["rose_k.c", "image"],
        1,
        "does not define OUT__2__k",
    ),
    "no image": (host_text(), ["rose_k.c"], 1, "no image was given"),
    "image first": (host_text(), ["image"], 2, "comes before any host file"),
    "not ours": ("int main(void) {}\n", ["rose_k.c", "image"], 1, "not a host file that rex-build wrote"),
    "cut short": (host_text()[:-60], ["rose_k.c", "image"], 1, "is damaged"),
    "not an image": (host_text(), ["rose_k.c", "rex_lib_k.cu"], 1, "is not a device image"),
    "twice": (host_text(), ["rose_k.c", "image", "copy.c", "image"], 1, "are the same unit"),
    "no file": (host_text(), ["nowhere.c", "image"], 1, "cannot read nowhere.c"),
}


@pytest.mark.parametrize(("host", "files", "status", "message"), REGISTER_WRONG.values(), ids=REGISTER_WRONG)
def test_registration_refuses(tool: Tool, folder: Path, host: str, files: list[str], status: int, message: str) -> None:
    image(tool, folder)
    (folder / "rose_k.c").write_text(host)
    (folder / "copy.c").write_text(host)
    done = tool("register", "--out", "r.cpp", *files, cwd=folder)
    assert (done.returncode, message in done.stderr) == (status, True), done.stderr
    assert not (folder / "r.cpp").exists()


@needs_nvcc
def test_every_unit_needs_an_image_for_every_device(tool: Tool, folder: Path) -> None:
    (folder / "rose_l.c").write_text(host_text("fedcba9876543210"))
    image(tool, folder)
    image(tool, folder, "sm_90", name="cubin")
    done = tool("register", "--out", "r.cpp", "rose_k.c", "image", "cubin", "rose_l.c", "image", cwd=folder)
    assert done.returncode == 1
    assert "rose_l.c has no image for sm_90" in done.stderr

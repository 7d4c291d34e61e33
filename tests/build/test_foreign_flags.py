"""Options of makefiles that were written for other compilers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from build_tool import Tool, failing

from rex_build.build import foreign_flags
from rex_build.build.foreign_flags import translate

pytestmark = pytest.mark.compile


# Options of makefiles for other compilers, the image that they ask for, and what is said about the rest.
FOREIGN_FLAGS = {
    "-fopenmp -fopenmp-targets=nvptx64-nvidia-cuda -Xopenmp-target -march=sm_80": ("sm_80", ""),
    "-fopenmp -Xopenmp-target=nvptx64 -march=sm_80 --offload-arch=sm_90": ("sm_80 sm_90", ""),
    "-fopenmp --offload-arch=sm_80,sm_86 -fopenmp-cuda-mode -nogpulib": ("sm_80 sm_86", "-fopenmp-cuda-mode -nogpulib"),
    "-fopenmp=libomp --cuda-gpu-arch=sm_80": ("sm_80", ""),
    "-fopenmp-targets=x86_64-pc-linux-gnu": ("cpu", ""),
    "-omptargets=x86_64-pc-linux-gnu": ("cpu", ""),
    "-foffload=nvptx-none=-march=sm_80 -foffload=-lm": ("sm_80", "-foffload=-lm"),
    "-foffload-options=nvptx-none=-misa=sm_80": ("sm_80", ""),
    "-foffload=disable": ("", "OMP_TARGET_OFFLOAD=DISABLED"),
    "-fiopenmp -qopt-report=2": ("", "-qopt-report=2"),
    "-qopenmp -xHost": ("", ""),
    "-mp=gpu -gpu=cc80,cc90 -Minfo=mp -Mvect": ("sm_80 sm_90", "-Minfo=mp -Mvect"),
    "-mp=gpu -gpu=managed": ("", "requires unified_shared_memory"),
    "-mp=multicore -cudalib=cublas": ("", "-lcublas"),
    "-qsmp=omp -qoffload -qtgtarch=sm_80": ("sm_80", ": -qoffload"),
    "-qsmp=omp -mp=multicore": ("", ""),
    "-qsmp=omp -qno-offload": ("", "OMP_TARGET_OFFLOAD=DISABLED"),
    "-Xptxas -v -Xllvm2ptx -nvvm-compile-options=-ftz=1": ("", "REX_NVCC_OPTIONS"),
    "-mp=gpu,multicore -target=gpu": ("gpu", ""),
    "-h omp -haccel=nvidia80 -target-accel=nvidia_90": ("sm_80 sm_90", ""),
    "-homp -hnoacc -h acc_model=fast": ("", "-hnoacc -hacc_model=fast"),
    "-openmp -haccel=host": ("cpu", ""),
    "-fopenmp -mllvm -openmp-opt-disable -Rpass=openmp-opt": ("", "-mllvm -openmp-opt-disable -Rpass=openmp-opt"),
    "-fopenmp --offload-arch=sm_90 --rocm-path=/opt/rocm -munsafe-fp-atomics": ("sm_90", "--rocm-path=/opt/rocm"),
    "-fopenmp -Xarch_nvptx64 -O3 -Xoffload-linker-nvptx64 -v": ("gpu", ""),
    "-fopenmp --ptxas-path=/x --gpu-max-threads-per-block=256 -nogpulibc -gpulibc": ("", "-nogpulibc -gpulibc"),
    "-fopenmp -mllvm=-openmp-opt-disable -Xnvvm -opt=3 -Xs -device": ("", "-Xnvvm -opt=3 -Xs -device"),
    "-fopenmp -march=sm_80 -misa=sm_90 -mptx=7.0": ("sm_80 sm_90", "-mptx=7.0"),
    "-mp=gpu -tp zen3 -cudaforlibs -stdpar=gpu": ("gpu", "-tp zen3 -cudaforlibs -stdpar=gpu"),
    "-fopenmp -mcumode -mno-tgsplit -nohipwrapperinc -fcray-gpu -fsycl": ("", "-fcray-gpu -fsycl"),
    "-Kopenmp -xopenmp -xopenmp=parallel": ("", ""),
    "-Kfast,openmp,simd=2 -KPIC -Nclang": ("", ": -Ksimd=2 -Nclang"),
    "-arch=sm_80 -arch sm_90 -rdc=true": ("sm_80 sm_90", ": -rdc=true"),
    "-gencode arch=compute_70,code=sm_80 -gencode=code=sm_90 -arch=compute_75": ("sm_80 sm_90 sm_75", ""),
    "-arch native -Xcompiler -fopenmp,-O2 --compiler-options=-O2 -lineinfo": ("gpu", "REX_NVCC_OPTIONS"),
    "-qopenmp -ipo -no-ipo -fp-model precise -fp-model=fast -xCORE-AVX512 -diag-disable 9": ("", "-xCORE-AVX512"),
    "-qopenmp -opt-report=2 -static-intel -no-prec-div -vec-report2 -axAVX -fimf-precision=low": ("", "-static-intel"),
    "-fast -xO3 -xtarget=native -traceback -byteswapio": ("", ": -xtarget=native -traceback -byteswapio"),
    "-O2 -MMD -MP -Mmodules -Mno-modules -fopenmp-simd -fno-openmp-simd": ("", ""),
}


@pytest.mark.parametrize(("flags", "asked", "said"), [(f, *found) for f, found in FOREIGN_FLAGS.items()])
def test_options_for_other_compilers(flags: str, asked: str, said: str) -> None:
    """What they say is kept, the host compiler gets none of them, and one note names the rest."""
    found = translate(flags.split())
    assert set(found.asked_for.archs) == {word for word in asked.split() if word not in ("cpu", "gpu")}
    devices = ({"cuda"} if "sm_" in asked or asked == "gpu" else set()) | ({"cpu"} if "cpu" in asked else set())
    assert set(found.asked_for.devices) - devices <= {"cuda"}
    assert devices <= set(found.asked_for.devices)
    assert len(found.notes) == bool(said)
    assert all(word in found.notes[0].format() for word in [said] if said)
    ours = "-fopenmp -march=native -O2 -O3 -MMD -MP -Mmodules -Mno-modules -fopenmp-simd -fno-openmp-simd -fPIC"
    assert set(found.words) <= {*ours.split(), "-flto", "-fno-lto"}


def test_usual_options_are_no_options_of_other_compilers(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are read without the patterns for the others. What begins in the same way is not for those either."""
    behind = ("", "x", "2", "=gpu", "openmp", "-offload-arch=sm_90", "opt-report=2", "info=mp", "l,-lomptarget", "=c11")
    words = [*foreign_flags._USUAL_WORDS, *(prefix + rest for prefix in foreign_flags._USUAL for rest in behind)]
    usual = [translate((word, "name")) for word in words]
    monkeypatch.setattr(foreign_flags, "_USUAL", ())
    monkeypatch.setattr(foreign_flags, "_USUAL_WORDS", frozenset())
    assert [translate((word, "name")) for word in words] == usual


def test_values_of_options_are_no_options_of_other_compilers() -> None:
    words = ("-Xlinker", "-Map=app.map", "-o", "-Minfo", "-MF", "--offload-arch=sm_80", "--include", "-qopenmp")
    words += ("-h", "libomp.so", "-mllvm", "-inline-threshold=9")
    found = translate(words)
    assert (found.words, found.notes, found.asked_for.archs) == (words, (), ())


def test_makefiles_for_other_compilers_build(cc: Tool, project: Path) -> None:
    """Compiling, linking and a file without regions. $REX_DEVICES goes before what the flags ask for."""
    flags = "-fiopenmp -fopenmp-targets=spir64 -mp=gpu -gpu=cc90 -Minfo=mp --offload-arch=gfx90a -foffload=nvptx-none"
    (project / "flags").write_text(flags)
    status, said = failing(cc, project, "rex-gcc", *flags.split(), "-c", "scale.c")
    assert (status, said.count("-Minfo=mp")) == (0, 1), said
    assert failing(cc, project, "rex-gcc", "@flags", "-Wall", "-Werror", "-c", "main.c") == (0, "")
    cc.run("rex-gcc", *flags.split(), "main.o", "scale.o", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"


@pytest.mark.parametrize("flags", ["-fopenmp-targets=amdgcn-amd-amdhsa", "-h accel=amd_gfx90a", "-acc -ta=tesla:cc80"])
def test_what_cannot_be_translated(cc: Tool, project: Path, flags: str) -> None:
    """The message says what to write instead. Files without regions compile, except as OpenACC."""
    del cc.env["REX_DEVICES"]
    status, said = failing(cc, project, "rex-gcc", *flags.split(), "-c", "scale.c")
    assert status == 2
    assert "note: write" in said
    assert not (project / "scale.o").exists()
    assert (failing(cc, project, "rex-gcc", *flags.split(), "-c", "main.c")[0] == 0) is (flags[:2] != "-a")


@pytest.mark.parametrize("option", ["-target {}-linux-gnu", "--target={}-unknown-linux-gnu", "-target {}-pc-linux-gnu"])
def test_a_target_that_is_this_machine(cc: Tool, project: Path, option: str) -> None:
    """Makefiles for clang name it. Other compilers do not know the option."""
    flags = option.format(os.uname().machine).split()
    cc.run("rex-gcc", *flags, "main.c", "scale.c", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"
    assert translate(flags, has_targets=True).words == tuple(flags)


@pytest.mark.parametrize("option", ["-target sparc64-linux-gnu", "--target=sparc-sun-solaris"])
def test_a_target_that_is_another_machine(cc: Tool, project: Path, option: str) -> None:
    status, said = failing(cc, project, "rex-gcc", *option.split(), "-c", "scale.c")
    assert status == 2
    assert f"'{option}' asks for code for another machine" in said

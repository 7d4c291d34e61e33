"""The devices that images are made for, each an object: all that differs between the CPU device and CUDA's GPUs.

An architecture, ``cpu`` or ``sm_90``, says which backend its images are of. A lowered text is the same for all of them.

Hits of the cache import this module, so that it imports next to nothing: what looks for compilers, runtimes and GPUs is
imported by the methods that need it.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..base.elf import ElfFile
    from .runtimes import Runtime
    from .toolchain import Compiler, Problem

    # A command without the name of the file that it works on, which it gets in that file's folder.
    Step = tuple[list[str], str]


class Limits:
    """What hardware takes of one launch, and how much of it runs at a time."""

    __slots__ = ("multiprocessors", "resident_threads", "threads")

    def __init__(self, threads: int, multiprocessors: int, resident_threads: int) -> None:
        self.threads = threads  # of one block
        self.multiprocessors = multiprocessors
        self.resident_threads = resident_threads  # of one multiprocessor


class Backend:
    """One kind of device.

    ``in_process``: its images are shared objects that run in the program itself. ``object_suffix`` is an ending by
    which its linker knows device objects. ``environment`` are variables that change what its compiler makes.
    """

    name: str
    in_process = False
    object_suffix = ""
    environment: tuple[str, ...] = ()

    def parse(self, text: str) -> str | None:
        """The architecture that a user's word means, in its one spelling; None where it is none of this backend."""
        raise NotImplementedError

    def capability(self, arch: str) -> int | None:
        """The compute capability of an architecture as 10 * major + minor, where it is a GPU's."""
        raise NotImplementedError

    def default_arch(self) -> str:
        """The architecture to make images for where the user names none."""
        raise NotImplementedError

    def identify(self, elf: ElfFile) -> str | None:
        """The architecture that an image is for; None where it is none of this backend."""
        raise NotImplementedError

    def image_suffix(self, arch: str) -> str:
        """How the file names of images end, with the dot."""
        raise NotImplementedError

    # Compiling

    def find_compiler(self) -> Compiler:
        """The compiler of images. Raises ToolError, with the remedy, where there is none."""
        raise NotImplementedError

    def check_compiler(self, compiler: Compiler) -> None:
        """Raises ToolError for a compiler that cannot make images."""

    def compile_steps(
        self, arch: str, command: Sequence[str], cu: str, image: str, options: Sequence[str], separable: bool
    ) -> list[Step]:
        """What makes ``image`` of ``cu``: (command, the file that it works on), one after the other."""
        raise NotImplementedError

    def link_commands(
        self, arch: str, command: Sequence[str], objects: Sequence[str], image: str, options: Sequence[str]
    ) -> list[list[str]]:
        """What makes one ``image`` of device objects, which the steps of ``separable`` ones made."""
        raise NotImplementedError

    def compile_problem(self, arch: str, command: Sequence[str]) -> Problem | None:
        """Why a compiler that has failed cannot make images for ``arch`` at all, where that is so."""
        return None

    # What images depend on, for their keys

    def behind(self, program: str, words: Sequence[str]) -> tuple[list[tuple[str, ...]], list[str]]:
        """What works behind the compiler at path ``program``, which is called with ``words``.

        Compilers, each with the names of programs that it is asked for; and files.
        """
        raise NotImplementedError

    def preprocessor(self, program: str, files: Sequence[str]) -> tuple[str, list[str]]:
        """(a compiler that tells where it looks for headers, options of more such places) for an image of ``files``."""
        raise NotImplementedError

    # What fits together

    def misfit(self, runtime: Runtime, archs: Sequence[str] = ()) -> Problem | None:
        """Why ``runtime`` cannot load images for ``archs`` that the compiler here makes; None when it can, or when
        there is no compiler."""
        raise NotImplementedError

    def build_problems(self, runtime: Runtime | None) -> list[Problem]:
        """What keeps images from being made here that ``runtime`` loads."""
        raise NotImplementedError

    def run_problems(self, runtime: Runtime | None) -> list[Problem]:
        """What keeps images that can be made from running here."""
        return []


class _Cpu(Backend):
    """The processor itself: g++ makes a shared object, which libomptarget's host plugin loads as a device."""

    name = "cpu"
    in_process = True

    def parse(self, text: str) -> str | None:
        return text if text == "cpu" else None

    def capability(self, arch: str) -> int | None:
        return None

    def default_arch(self) -> str:
        return "cpu"

    def identify(self, elf: ElfFile) -> str | None:
        from ..base.elf import EM_X86_64

        return "cpu" if elf.machine == EM_X86_64 else None

    def image_suffix(self, arch: str) -> str:
        return ".cpu.so"

    def find_compiler(self) -> Compiler:
        from .toolchain import find_cxx

        return find_cxx()

    def compile_steps(
        self, arch: str, command: Sequence[str], cu: str, image: str, options: Sequence[str], separable: bool
    ) -> list[Step]:
        """Compiled with ``-fopenmp`` and linked without: its GOMP calls resolve to the libomp of the program that loads
        it.

        ``-Bsymbolic``: images of several units live in one process and must not see each other's symbols.
        ``-fno-strict-aliasing``: what may alias what is said by attributes and options that only the host's text has.
        """
        obj = image if separable else image + ".o"
        flags = ["-std=c++17", "-DREX_DEVICE_CPU", f"-I{_include_dir()}", "-include", "rex_cpu.h"]
        # No other compiler's code is called with wide vectors as arguments.
        flags += ["-fopenmp", "-fPIC", "-fno-strict-aliasing", "-Wno-psabi", *_optimise(options), *options]
        if separable:
            # -fno-gnu-unique: what units share they share within their image, not with other images of the process.
            flags += ["-DREX_SEPARABLE", "-fno-gnu-unique"]
        steps: list[Step] = [([*command, *flags, "-x", "c++", "-c", "-o", obj], cu)]
        if not separable:
            steps.append(([*command, "-shared", "-Wl,-Bsymbolic", "-o", image], obj))
        return steps

    def link_commands(
        self, arch: str, command: Sequence[str], objects: Sequence[str], image: str, options: Sequence[str]
    ) -> list[list[str]]:
        """A function that no unit defines would only be missed when the image is loaded: a first link, with an OpenMP
        library that the image itself gets from its program, looks for that."""
        check = [*command, "-shared", "-fopenmp", "-Wl,-z,defs", *options, *objects, "-o", image + ".check"]
        return [check, [*command, "-shared", "-Wl,-Bsymbolic", *options, *objects, "-o", image]]

    def behind(self, program: str, words: Sequence[str]) -> tuple[list[tuple[str, ...]], list[str]]:
        return [(program, "cc1plus", "as", "collect2", "ld")], []

    def preprocessor(self, program: str, files: Sequence[str]) -> tuple[str, list[str]]:
        return program, []

    def misfit(self, runtime: Runtime, archs: Sequence[str] = ()) -> Problem | None:
        """LLVM 23's host plugin wants a newer kernel-argument version, with another calling convention."""
        from .runtimes import INSTALL_RUNTIME, too_old
        from .toolchain import Problem

        if runtime.version[0] <= 22:
            return too_old(runtime)
        return Problem(
            f"{runtime.name} ({runtime.omptarget}) calls kernels of the CPU device in a way that is not supported",
            f"use LLVM 19 to 22 for the CPU device; {INSTALL_RUNTIME}",
        )

    def build_problems(self, runtime: Runtime | None) -> list[Problem]:
        from .toolchain import asked

        _, problems = asked(self.find_compiler)
        misfit = self.misfit(runtime) if runtime else None
        return [*problems, *filter(None, [misfit])]


class _Cuda(Backend):
    """NVIDIA's GPUs: nvcc makes a cubin for each architecture."""

    name = "cuda"
    object_suffix = ".cubin"  # nvlink reads what -cubin -rdc=true wrote only by that ending
    environment = ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "CUDA_HOME")
    # On every architecture; and what an H200 has, a constant so that sums are grouped alike everywhere.
    limits = Limits(threads=1024, multiprocessors=132, resident_threads=2048)
    _programs = ("bin/ptxas", "bin/cudafe++", "bin/fatbinary", "bin/nvcc.profile", "nvvm/bin/cicc")

    def parse(self, text: str) -> str | None:
        """``90``, ``sm_90`` or ``90-real`` -> ``sm_90``."""
        name = text.removeprefix("sm_").removesuffix("-real")
        number = name[:-1] if name.endswith(("a", "f")) else name
        is_number = number.isascii() and number.isdigit() and 2 <= len(number) <= 3
        return f"sm_{name}" if is_number else None

    def capability(self, arch: str) -> int | None:
        return int(arch[3:].rstrip("af")) if arch.startswith("sm_") and self.parse(arch) == arch else None

    def default_arch(self) -> str:
        """That of the first visible GPU, else sm_90."""
        from .cuda import gpus

        found = gpus()
        return found[0].arch if found else "sm_90"

    def identify(self, elf: ElfFile) -> str | None:
        """CUDA 13 moved the compute capability up by a byte when it raised the ABI version to 8."""
        from ..base.elf import EM_CUDA

        if elf.machine != EM_CUDA:
            return None
        return f"sm_{(elf.flags >> 8 if elf.abi_version >= 8 else elf.flags) & 0xFF}"

    def image_suffix(self, arch: str) -> str:
        return f".{arch}.cubin"

    def find_compiler(self) -> Compiler:
        from .cuda import need_nvcc
        from .toolchain import Compiler

        return Compiler(need_nvcc().command)

    def check_compiler(self, compiler: Compiler) -> None:
        from .cuda import nvcc_from

        nvcc_from(compiler.command)

    def compile_steps(
        self, arch: str, command: Sequence[str], cu: str, image: str, options: Sequence[str], separable: bool
    ) -> list[Step]:
        # -c beside -cubin is for compiler launchers: without it ccache takes the call for a link.
        flags = ["-std=c++17", "-c", "-cubin", f"-arch={arch}", f"-I{_include_dir()}", *_optimise(options)]
        flags += [*(["-rdc=true", "-DREX_SEPARABLE"] if separable else []), *options]
        return [([*command, *flags, "-o", image], cu)]

    def link_commands(
        self, arch: str, command: Sequence[str], objects: Sequence[str], image: str, options: Sequence[str]
    ) -> list[list[str]]:
        return [[*command, "-dlink", "-cubin", f"-arch={arch}", *options, *objects, "-o", image]]

    def compile_problem(self, arch: str, command: Sequence[str]) -> Problem | None:
        from .cuda import arch_problem, nvcc_archs, nvcc_from

        nvcc = nvcc_from(command)
        return None if arch.rstrip("af") in nvcc_archs(nvcc) else arch_problem(nvcc, [arch])

    def behind(self, program: str, words: Sequence[str]) -> tuple[list[tuple[str, ...]], list[str]]:
        """nvcc's own programs, and the g++ that it calls."""
        root = os.path.dirname(os.path.dirname(os.path.realpath(program)))
        host = os.environ.get("NVCC_CCBIN", "") or "gcc"
        for at, word in enumerate(words):
            if word in ("-ccbin", "--compiler-bindir") and at + 1 < len(words):
                host = words[at + 1]
            elif word.startswith(("-ccbin=", "--compiler-bindir=")):
                host = word.partition("=")[2]
        compilers = [(program,), (f"{host}/gcc" if os.path.isdir(host) else host, "cc1plus", "cc1")]
        return compilers, [path for name in self._programs if os.path.isfile(path := f"{root}/{name}")]

    def preprocessor(self, program: str, files: Sequence[str]) -> tuple[str, list[str]]:
        """nvcc is no gcc: the g++ it calls is asked, with the toolkit's headers before its own."""
        toolkit = [os.path.dirname(name) for name in files if os.path.basename(name) == "cuda_runtime.h"]
        return "g++", [f"-I{path}" for path in toolkit]

    def misfit(self, runtime: Runtime, archs: Sequence[str] = ()) -> Problem | None:
        from .cuda import find_nvcc, pair_problem
        from .toolchain import asked

        nvcc, _ = asked(find_nvcc)
        return pair_problem(runtime, nvcc, archs) if nvcc else None

    def build_problems(self, runtime: Runtime | None) -> list[Problem]:
        from .cuda import find_nvcc, gpus, no_nvcc
        from .toolchain import asked

        nvcc, problems = asked(find_nvcc)
        if nvcc is None:
            return problems or [no_nvcc()]
        misfit = self.misfit(runtime, [gpu.arch for gpu in gpus()]) if runtime else None
        return [*problems, *filter(None, [misfit])]

    def run_problems(self, runtime: Runtime | None) -> list[Problem]:
        from .cuda import gpu_problems

        return gpu_problems(runtime)


CPU = _Cpu()
CUDA = _Cuda()
BACKENDS: dict[str, Backend] = {backend.name: backend for backend in (CPU, CUDA)}


def backend_of(arch: str) -> Backend:
    """The backend of an architecture in its one spelling."""
    return CPU if CPU.parse(arch) else CUDA


def parse_arch(text: str) -> str | None:
    """The architecture that a user's word means: ``90``, ``sm_90`` or ``90-real`` -> ``sm_90``, ``cpu`` -> ``cpu``."""
    return CPU.parse(text) or CUDA.parse(text)


def identify(elf: ElfFile) -> str | None:
    """The architecture that an image is for; None for a machine that no device of ours has."""
    return CPU.identify(elf) or CUDA.identify(elf)


def _include_dir() -> str:
    from ..base.paths import include_dir

    return str(include_dir())


def _optimise(options: Sequence[str]) -> list[str]:
    """The default level, unless the options have their own or ask for code to debug: nvcc warns of two."""
    return [] if any(option.startswith("-O") or option in ("-G", "--device-debug") for option in options) else ["-O3"]

"""The devices for which images are made. Each is an object, with everything that differs between the CPU and GPUs.

The architecture of an image, ``cpu`` or ``sm_90``, tells its backend. A lowered text is the same for all of them.

Cache hits import this module, so it imports very little. Methods that look for compilers, runtimes and GPUs import what
they need.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..base.diagnostics import Diagnostic
    from ..base.elf import ElfFile
    from .runtimes import Runtime
    from .toolchain import Compiler, Problem

    # A command without its input file, and that file. The command runs in the file's folder.
    Step = tuple[list[str], str]


class Limits:
    """The limits of the hardware for one launch, and how much of it runs at a time."""

    __slots__ = ("multiprocessors", "resident_threads", "threads")

    def __init__(self, threads: int, multiprocessors: int, resident_threads: int) -> None:
        self.threads = threads  # of one block
        self.multiprocessors = multiprocessors
        self.resident_threads = resident_threads  # of one multiprocessor


class Backend(ABC):
    """One kind of device.

    If it is ``in_process``, its images are shared objects that run in the program itself. ``object_suffix`` is the
    suffix by which its linker knows device objects. ``environment`` are variables that change what its compiler makes.
    """

    name: str
    in_process = False
    object_suffix = ""
    host_options: tuple[str, ...] = ()  # with which the host's code is compiled, too
    environment: tuple[str, ...] = ()
    # The variables with options that stand before and behind those of the command line.
    more_flags: tuple[str, str] = ("", "")

    @abstractmethod
    def parse(self, text: str) -> str | None:
        """The architecture that a user's word means, in its usual spelling. None if it is another backend's."""

    def capability(self, arch: str) -> int | None:
        """The compute capability of a GPU's architecture as 10 * major + minor, or None."""
        return None

    @abstractmethod
    def default_arch(self) -> str:
        """The architecture for which images are made if the user names none."""

    @abstractmethod
    def identify(self, elf: ElfFile) -> str | None:
        """The architecture of an image, or None if it belongs to another backend."""

    @abstractmethod
    def image_suffix(self, arch: str) -> str:
        """The suffix of the names of images, with the dot."""

    # Compiling

    @abstractmethod
    def find_compiler(self) -> Compiler:
        """The compiler of images. Raises ToolError, with the remedy, if there is none."""

    def check_compiler(self, compiler: Compiler) -> None:  # noqa: B027 - any C++ compiler will do for the CPU
        """Raise ToolError for a compiler that cannot make images."""

    @abstractmethod
    def compile_steps(
        self, arch: str, command: Sequence[str], cu: str, image: str, options: Sequence[str], separable: bool
    ) -> Iterator[Step]:
        """The commands, each with its input file, that make ``image`` from ``cu``, each when the last has run."""

    @abstractmethod
    def link_commands(
        self, arch: str, command: Sequence[str], objects: Sequence[str], image: str, options: Sequence[str]
    ) -> list[list[str]]:
        """The commands that make one ``image`` from device objects, made by steps with ``separable`` set."""

    def header_options(self, text: bytes, options: Sequence[str]) -> list[str]:
        """The options with which the compiler finds the device headers for a ``.cu`` that holds ``text``.

        ``options`` are the user's.
        """
        return [*_own_options(text), f"-I{_include_dir()}"]

    def separable_options(self, text: bytes, options: Sequence[str]) -> list[str]:
        """The options that a device object that is linked with others needs besides, for a ``.cu`` with ``text``."""
        return []

    def depfile_options(self, depfile: str, launched: bool) -> list[str]:
        """The options with which the compiler lists the files that it reads in ``depfile``.

        ``launched`` says that a launcher such as ccache is in front of the compiler.
        """
        return ["-MD", "-MF", depfile]

    def keep_options(self, text: bytes, folder: str) -> list[str]:
        """The options with which the compiler of a ``.cu`` that holds ``text`` leaves in ``folder`` what is checked."""
        return []

    def silent_errors(self, folder: str) -> list[Diagnostic]:
        """Errors of which the compiler says nothing, found in what it left in ``folder``."""
        return []

    def second_step(
        self, arch: str, command: Sequence[str], folder: str, said: str, image: str, options: Sequence[str],
        separable: bool,
    ) -> Step | None:  # fmt: skip
        """Another command that may make ``image``, where the compiler refused the file, as it ``said``, or None.

        Its file is made of what the compiler left in ``folder``, and stands in a folder of its own below that.
        """
        return None

    def compile_problem(self, arch: str, command: Sequence[str]) -> Problem | None:
        """Why a compiler that has failed cannot make images for ``arch`` at all, or None if it can."""
        return None

    # The tools that images depend on, for their cache keys

    @abstractmethod
    def behind(self, program: str, words: Sequence[str]) -> tuple[list[tuple[str, ...]], list[str]]:
        """The programs that the compiler at path ``program`` calls when it gets the arguments ``words``.

        They are compilers, each with the names of the programs that it runs itself, and files. There are no compilers
        if it does not say what it calls.
        """

    @abstractmethod
    def preprocessor(
        self, command: Sequence[str], arch: str, cu: str, options: Sequence[str], separable: bool
    ) -> list[str]:
        """The command by which a gcc preprocesses ``cu``, in its folder, without file names. Empty if it is unknown."""

    # What fits together

    @abstractmethod
    def misfit(self, runtime: Runtime, archs: Sequence[str] = ()) -> Problem | None:
        """Why ``runtime`` cannot load the images that the compiler here makes for ``archs``.

        None if it can, or if there is no compiler.
        """

    @abstractmethod
    def build_problems(self, runtime: Runtime | None) -> list[Problem]:
        """The problems that prevent making images here that ``runtime`` can load."""

    def run_problems(self, runtime: Runtime | None) -> list[Problem]:
        """The problems that prevent images from running here, although they can be made."""
        return []


class _Cpu(Backend):
    """The processor itself. g++ makes a shared object, which libomptarget's host plugin loads like a device."""

    name = "cpu"
    in_process = True

    def parse(self, text: str) -> str | None:
        return text if text == self.name else None

    def default_arch(self) -> str:
        return self.name

    def identify(self, elf: ElfFile) -> str | None:
        from ..base.elf import EM_X86_64

        return "cpu" if elf.machine == EM_X86_64 else None

    def image_suffix(self, arch: str) -> str:
        return f".{self.name}.so"

    def find_compiler(self) -> Compiler:
        from .toolchain import find_cxx

        return find_cxx()

    def compile_steps(
        self, arch: str, command: Sequence[str], cu: str, image: str, options: Sequence[str], separable: bool
    ) -> Iterator[Step]:
        """Compile with ``-fopenmp`` and link without it. GOMP calls resolve to the libomp of the program.

        ``-fno-strict-aliasing`` is needed because only the host's text has the attributes and options about aliasing.
        """
        obj = image if separable else image + ".o"
        yield [*command, *self._flags(options, separable), "-x", "c++", "-c", "-o", obj], cu
        if not separable:
            own = [option for option in options if option == "--coverage"]
            for *link, file in self.link_commands(arch, command, [obj], image, own):
                yield link, file

    def _flags(self, options: Sequence[str], separable: bool) -> list[str]:
        flags = [*_standard(options), "-DREX_DEVICE_CPU", "-include", "cpu/rex_device.h"]
        # -Wno-psabi: no code of other compilers is called with wide vectors as arguments.
        flags += ["-fopenmp", "-fPIC", "-fno-semantic-interposition", "-fno-strict-aliasing", "-Wno-psabi"]
        # -fno-gnu-unique: inline variables are those of their image, not those of the process.
        flags += ["-fno-gnu-unique", *_optimise(options), *options]
        return [*flags, "-DREX_SEPARABLE"] if separable else flags

    def link_commands(
        self, arch: str, command: Sequence[str], objects: Sequence[str], image: str, options: Sequence[str]
    ) -> list[list[str]]:
        """Link twice if functions may be missing. The first link only finds those that no unit defines, and uses an
        OpenMP library for that.

        The image itself gets that library from its program, so a missing function would only be noticed when it is
        loaded. With ``-Bsymbolic`` an image uses its own symbols, whatever has these names in the process. So nothing
        takes a function's place, which ``always_inline`` asks for (``-fno-semantic-interposition``).
        """
        from .exports import export_script, may_miss_functions

        names = export_script(objects, image + ".exports")
        link = [*command, "-shared", "-Wl,-Bsymbolic", *names, *options, "-o", image, *objects]
        check = [*command, "-shared", "-fopenmp", "-Wl,-z,defs", *options, "-o", image + ".check", *objects]
        return [check, link] if may_miss_functions(objects) else [link]

    def behind(self, program: str, words: Sequence[str]) -> tuple[list[tuple[str, ...]], list[str]]:
        return [(program, "cc1plus", "as", "collect2", "ld")], []

    def preprocessor(
        self, command: Sequence[str], arch: str, cu: str, options: Sequence[str], separable: bool
    ) -> list[str]:
        return [*command, *self._flags(options, separable)]

    def misfit(self, runtime: Runtime, archs: Sequence[str] = ()) -> Problem | None:
        """LLVM 23's host plugin requires a newer version of kernel arguments, with another calling convention."""
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


class _Check(_Cpu):
    """The cpu device, with each load and store checked: mistakes with mapped memory, and races.

    gcc's instrumentation for its thread sanitizer calls functions for loads and stores. Those of the library that
    :func:`rex_build.tools.targets.check_library` builds answer the calls.
    """

    name = "check"
    # With DWARF 5, addr2line of binutils 2.40 takes the first lines of a unit for those of another file.
    _instrumented = ("-fsanitize=thread", "--param=tsan-distinguish-volatile=1", "-gdwarf-4", "-fno-omit-frame-pointer")
    # gcc does not instrument these functions where it writes their code in place. As calls, they are answered.
    _answered = (
        "-U_FORTIFY_SOURCE",
        *(
            f"-fno-builtin-{name}"
            for name in """memcpy memmove memset memcmp memchr mempcpy strlen strcpy stpcpy strncpy strcat strncat
            strcmp strncmp strchr strrchr""".split()  # noqa: SIM905
        ),
    )
    host_options = (*_instrumented, *_answered)
    # -Wno-tsan below: gcc warns of fences, which its own library does not know.

    def identify(self, elf: ElfFile) -> str | None:
        """None: these images look like those of the cpu device."""
        return None

    def compile_steps(
        self, arch: str, command: Sequence[str], cu: str, image: str, options: Sequence[str], separable: bool
    ) -> Iterator[Step]:
        """Those of the cpu device. Messages name the user's files as the user did, not in the folder of ``cu``."""
        names = f"-fdebug-prefix-map={os.path.dirname(os.path.abspath(cu))}=."
        return super().compile_steps(arch, command, cu, image, [*options, names], separable)

    def _flags(self, options: Sequence[str], separable: bool) -> list[str]:
        level = [] if any(option.startswith("-O") for option in options) else ["-O1"]
        ours = ["-DREX_DEVICE_CHECK", *self._instrumented, *self._answered, "-Wno-tsan"]
        ours += ["--param=tsan-instrument-func-entry-exit=0"]
        return super()._flags([*ours, *level, *options], separable)

    def link_commands(
        self, arch: str, command: Sequence[str], objects: Sequence[str], image: str, options: Sequence[str]
    ) -> list[list[str]]:
        """Only the last link of the cpu device: the functions for loads and stores are in the program."""
        return super().link_commands(arch, command, objects, image, options)[-1:]


_OF_CXX = "std"  # the folder below our headers with headers of the C++ library whose functions device code may call
_SHORT = "short"  # the folder below our headers with a short cuda_runtime.h


class _Cuda(Backend):
    """NVIDIA's GPUs: nvcc makes a cubin for each architecture."""

    name = "cuda"
    object_suffix = ".cubin"  # nvlink accepts device objects only with this suffix
    # Beside what nvcc's manual names: variables to which nvcc.profile adds, and those for which cicc and ptxas ask.
    environment = (
        "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "CUDA_HOME", "compiler-bindir", "TOP", "CICC_PATH",
        "NVVMIR_LIBRARY_DIR", "INCLUDES", "SYSTEM_INCLUDES", "LIBRARIES", "CUDAFE_FLAGS", "NVVM_FLAGS", "OCG_FLAGS",
        "PTXAS_FLAGS", "NVLINK_FLAGS", "EDG_BASE", "EDG_MODULES_PATH", "USR_INCLUDE", "NVVMCCWIZ", "NV_NVVM_VERSION",
        "NVVM_IR_VER_CHK", "CAN_FINALIZE_DEBUG",
    )  # fmt: skip
    more_flags = ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS")
    # The threads are every architecture's limit. The others are an H200's: as constants, they group sums alike
    # everywhere.
    limits = Limits(threads=1024, multiprocessors=132, resident_threads=2048)
    _programs = (
        *("bin/nvcc", "bin/ptxas", "bin/cudafe++", "bin/fatbinary", "bin/nvcc.profile", "nvvm/bin/cicc"),
        "nvvm/libdevice/libdevice.10.bc",
    )

    def parse(self, text: str) -> str | None:
        """``90``, ``sm_90`` or ``90-real`` -> ``sm_90``."""
        name = text.removeprefix("sm_").removesuffix("-real")
        number = name[:-1] if name.endswith(("a", "f")) else name
        is_number = number.isascii() and number.isdigit() and 2 <= len(number) <= 3
        return f"sm_{name}" if is_number else None

    def capability(self, arch: str) -> int | None:
        return int(arch[3:].rstrip("af")) if arch.startswith("sm_") and self.parse(arch) == arch else None

    def default_arch(self) -> str:
        """The architecture of the first visible GPU, else sm_90."""
        from .runtimes import gpus

        found = gpus()
        return found[0].arch if found else "sm_90"

    def identify(self, elf: ElfFile) -> str | None:
        """The architecture of a cubin. Since ABI version 8 (CUDA 13), the compute capability is one byte higher."""
        from ..base.elf import EM_CUDA

        if elf.machine != EM_CUDA:
            return None
        return f"sm_{(elf.flags >> 8 if elf.abi_version >= 8 else elf.flags) & 0xFF}"

    def image_suffix(self, arch: str) -> str:
        return f".{arch}.cubin"

    def find_compiler(self) -> Compiler:
        from .runtimes import need_nvcc
        from .toolchain import Compiler

        return Compiler(need_nvcc().command)

    def check_compiler(self, compiler: Compiler) -> None:
        from .runtimes import nvcc_from

        nvcc_from(compiler.command)

    def compile_steps(
        self, arch: str, command: Sequence[str], cu: str, image: str, options: Sequence[str], separable: bool
    ) -> Iterator[Step]:
        yield [*command, *self._flags(arch, options, separable), "-o", image], cu

    def _flags(self, arch: str, options: Sequence[str], separable: bool) -> list[str]:
        # Compiler launchers need the -c beside -cubin: without it ccache takes the call for a link.
        flags = [*_standard(options), "-c", "-cubin", f"-arch={arch}", *_optimise(options)]
        return [*flags, *(["-rdc=true", "-DREX_SEPARABLE"] if separable else []), *options]

    def header_options(self, text: bytes, options: Sequence[str]) -> list[str]:
        """Let nvcc find the short ``cuda_runtime.h`` before its own, unless headers of others may need all of that."""
        flags = [*options, *(os.environ.get(name, "") for name in ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"))]
        others = b"\n#include <" in text or any("-include" in flag for flag in flags)
        short = [] if others else [f"-I{_include_dir()}/{_SHORT}"]
        # Calls of the host's functions in functions for both sides: host_calls.py finds those that device code makes.
        silent = "-diag-suppress=20014"
        cxx = ["--expt-relaxed-constexpr", silent, f"-I{_include_dir()}/{_OF_CXX}"] if _OWN_OPTIONS in text else []
        inexact = ["-ftz=true", "-prec-div=false", "-prec-sqrt=false"] if _INEXACT in text else []
        return [*cxx, *_own_options(text), *inexact, *short, f"-I{_include_dir()}"]

    def separable_options(self, text: bytes, options: Sequence[str]) -> list[str]:
        """No function may take more registers than the kernel with most threads has for one.

        In such an object, ptxas compiles functions whose addresses are taken for no kernel, and refuses to let kernels
        call those that take more.
        """
        import re

        most = max(map(int, re.findall(rb"\b__launch_bounds__\((\d+)", text)), default=0)
        if most <= _THREADS_WITH_ALL_REGISTERS or any("maxrregcount" in option for option in options):
            return []
        return [f"-maxrregcount={_REGISTERS // most // 8 * 8}"]

    def depfile_options(self, depfile: str, launched: bool) -> list[str]:
        """Have g++ write the file while nvcc preprocesses. nvcc's own options preprocess a second time.

        nvcc cannot pass on every name, and launchers know only nvcc's own options.
        """
        if launched or not all(c.isalnum() or c in "/._-+" for c in depfile):
            return super().depfile_options(depfile, launched)
        return ["-Xcompiler", f"-MD,-MF,{depfile}"]

    def keep_options(self, text: bytes, folder: str) -> list[str]:
        """Only for C++ units: in those of C, each function that device code calls is in the file or known by name."""
        return ["--keep", "--keep-dir", folder] if _OWN_OPTIONS in text else []

    def silent_errors(self, folder: str) -> list[Diagnostic]:
        from glob import escape, glob

        from ..base.diagnostics import Diagnostic
        from .host_calls import uses_of_the_host

        kept = glob(f"{escape(folder)}/*.cudafe1.gpu")
        if not kept:
            note = "the device code of C++ units is checked in it; leave out options that change what nvcc keeps"
            return [Diagnostic("error", "nvcc did not keep its .cudafe1.gpu file", notes=(note,))]
        errors = []
        for path in kept:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                errors += uses_of_the_host(file.read())
        return errors

    def second_step(
        self, arch: str, command: Sequence[str], folder: str, said: str, image: str, options: Sequence[str],
        separable: bool,
    ) -> Step | None:  # fmt: skip
        """Compile the preprocessed unit, in which functions of the C++ library are for both sides, if it needs one.

        The file stands beside an empty ``cuda_runtime.h``: nvcc includes that, and has read its own.
        """
        from glob import escape, glob

        from .marked_headers import DIAGNOSTICS, marked, needs_marks

        kept = glob(f"{escape(folder)}/*.cpp1.ii") if needs_marks(said) else []
        if len(kept) != 1:
            return None
        own = f"{folder}/both"
        path = f"{own}/{os.path.basename(kept[0]).removesuffix('.cpp1.ii')}.cu"
        os.mkdir(own)
        with open(kept[0], encoding="utf-8", errors="surrogateescape") as file:
            text = marked(file.read())
        for name, content in ((f"{own}/cuda_runtime.h", ""), (path, text)):
            with open(name, "x", encoding="utf-8", errors="surrogateescape") as file:
                file.write(content)
        silent = f"-diag-suppress={','.join(DIAGNOSTICS)}"
        flags = self._flags(arch, [f"-I{own}", silent, *_without_macros(options)], separable)
        return [*command, *flags, "--keep", "--keep-dir", own, "-o", image], path

    def link_commands(
        self, arch: str, command: Sequence[str], objects: Sequence[str], image: str, options: Sequence[str]
    ) -> list[list[str]]:
        return [[*command, "-dlink", "-cubin", f"-arch={arch}", *options, *objects, "-o", image]]

    def compile_problem(self, arch: str, command: Sequence[str]) -> Problem | None:
        from .runtimes import arch_problem, nvcc_archs, nvcc_from

        nvcc = nvcc_from(command)
        return None if arch.rstrip("af") in nvcc_archs(nvcc) else arch_problem(nvcc, [arch])

    def behind(self, program: str, words: Sequence[str]) -> tuple[list[tuple[str, ...]], list[str]]:
        """nvcc's own programs, and the g++ that it calls."""
        root = os.path.dirname(os.path.dirname(os.path.realpath(program)))
        if not os.path.isfile(f"{root}/nvvm/bin/cicc"):  # a script that calls the nvcc of some toolkit
            said = _said_by_nvcc([program, "-cubin", "-x", "cu", os.devnull], "")
            root = next((line[8:] for line in said if line.startswith(" _HERE_=")), "").rpartition("/")[0]
            if not root:
                return [], []
        host = os.environ.get("NVCC_CCBIN", "") or "gcc"
        for at, word in enumerate(words):
            if word in ("-ccbin", "--compiler-bindir") and at + 1 < len(words):
                host = words[at + 1]
            elif word.startswith(("-ccbin=", "--compiler-bindir=")):
                host = word.partition("=")[2]
        compilers = [(program,), (f"{host}/gcc" if os.path.isdir(host) else host, "cc1plus", "cc1")]
        return compilers, [path for name in self._programs if os.path.isfile(path := f"{root}/{name}")]

    def preprocessor(
        self, command: Sequence[str], arch: str, cu: str, options: Sequence[str], separable: bool
    ) -> list[str]:
        """nvcc says how it calls the gcc that preprocesses for it."""
        import shlex

        flags = self._flags(arch, options, separable)
        for line in _said_by_nvcc([*command, *flags, os.path.basename(cu)], os.path.dirname(os.path.abspath(cu))):
            if " -E -x c++ " in line and "__CUDA_ARCH__" in line:
                words = shlex.split(line)
                del words[words.index("-E")]
                outputs = {at for at, word in enumerate(words) if word == "-o"}
                names = {os.path.basename(cu), "-o"}
                return [w for at, w in enumerate(words) if w not in names and at - 1 not in outputs]
        return []

    def misfit(self, runtime: Runtime, archs: Sequence[str] = ()) -> Problem | None:
        from .runtimes import find_nvcc, pair_problem
        from .toolchain import asked

        nvcc, _ = asked(find_nvcc)
        return pair_problem(runtime, nvcc, archs) if nvcc else None

    def build_problems(self, runtime: Runtime | None) -> list[Problem]:
        from .runtimes import find_nvcc, gpus, no_nvcc
        from .toolchain import asked

        nvcc, problems = asked(find_nvcc)
        if nvcc is None:
            return problems or [no_nvcc()]
        misfit = self.misfit(runtime, [gpu.arch for gpu in gpus()]) if runtime else None
        return [*problems, *filter(None, [misfit])]

    def run_problems(self, runtime: Runtime | None) -> list[Problem]:
        from .runtimes import gpu_problems

        return gpu_problems(runtime)


CPU = _Cpu()
CHECK = _Check()
CUDA = _Cuda()
BACKENDS: dict[str, Backend] = {backend.name: backend for backend in (CPU, CHECK, CUDA)}


def backend_of(arch: str) -> Backend:
    """The backend of an architecture in its usual spelling."""
    return next((backend for backend in (CPU, CHECK) if backend.parse(arch)), CUDA)


def parse_arch(text: str) -> str | None:
    """The architecture that a user's word means: ``90``, ``sm_90`` or ``90-real`` -> ``sm_90``, ``cpu`` -> ``cpu``."""
    return CPU.parse(text) or CHECK.parse(text) or CUDA.parse(text)


def identify(elf: ElfFile) -> str | None:
    """The architecture of an image, or None for a machine that is no device of rex-build's."""
    return CPU.identify(elf) or CUDA.identify(elf)


def _said_by_nvcc(command: Sequence[str], folder: str) -> list[str]:
    """The commands and variables that nvcc would use for a command, each as text. Empty if it does not say."""
    import subprocess

    try:
        done = subprocess.run(
            [*command, "--dryrun"], capture_output=True, stdin=subprocess.DEVNULL, timeout=60, cwd=folder or None
        )
    except (OSError, subprocess.SubprocessError):
        return []
    lines = done.stderr.decode("utf-8", "surrogateescape").split("\n")
    return [line[2:] for line in lines if line.startswith("#$ ")]


def _include_dir() -> str:
    from ..base.paths import include_dir

    return str(include_dir())


def _own_options(text: bytes) -> list[str]:
    """The options that a device file itself asks for, because it includes headers that depend on them."""
    import shlex

    found = text.partition(_OWN_OPTIONS)[2].partition(b" */\n")[0]
    return shlex.split(found.decode("utf-8", "surrogateescape"))


def _without_macros(options: Sequence[str]) -> list[str]:
    """Options without those that define macros or include files, for text that was preprocessed with them."""
    words = iter(options)
    found = []
    for word in words:
        if word in ("-D", "-U", "-include", "--define-macro", "--undefine-macro", "--pre-include"):
            next(words, None)
        elif not word.startswith(("-D", "-U", "--define-macro=", "--undefine-macro=", "--pre-include=")):
            found.append(word)
    return found


_OWN_OPTIONS, _INEXACT = b"\n/* options: ", b"\n#define REX_INEXACT_QUOTIENTS\n"
_REGISTERS = 65536  # of a multiprocessor, which ptxas gives out in eights
_THREADS_WITH_ALL_REGISTERS = 256  # as a thread has at most 255


def _standard(options: Sequence[str]) -> list[str]:
    """The version of C++ in which device code is compiled, unless the options say it."""
    return [] if any(option.startswith("-std=") for option in options) else ["-std=c++17"]


def _optimise(options: Sequence[str]) -> list[str]:
    """The default optimisation, unless the options set a level or ask for debug code. nvcc warns if there are two."""
    return [] if any(option.startswith("-O") or option in ("-G", "--device-debug") for option in options) else ["-O3"]

"""Reads options of other compilers in makefiles: for offloading (clang, icx, nvc, gcc, xlc, aomp, Cray), and those for
the host that such makefiles have beside them.

What they say is kept: ``--offload-arch=sm_80`` asks for that image, ``-qopenmp`` is ``-fopenmp``, ``-ipo`` is
``-flto``. The host compiler does not get them, as most compilers reject the options of the others.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from ..base.diagnostics import Diagnostic, UsageError
from ..base.patterns import regex
from ..base.records import dataclass
from ..tools.backends import CPU, CUDA
from .command_line import takes_value

# Options that say the same to gcc under another name.
_TRANSLATED = {
    "-fiopenmp": "-fopenmp",
    "-qopenmp": "-fopenmp",
    "-qsmp": "-fopenmp",
    "-mp": "-fopenmp",
    "-openmp": "-fopenmp",
    "-homp": "-fopenmp",
    "-hnoomp": "-fno-openmp",
    "-nomp": "-fno-openmp",
    "-Kopenmp": "-fopenmp",
    "-xopenmp": "-fopenmp",
    "-xopenmp=parallel": "-fopenmp",
    "-fopenmp=libomp": "-fopenmp",
    "-fopenmp=libgomp": "-fopenmp",
    "-fopenmp=libiomp5": "-fopenmp",
    "-fiopenmp-simd": "-fopenmp-simd",
    "-qopenmp-simd": "-fopenmp-simd",
    "-qno-openmp": "-fno-openmp",
    "-fast": "-O3",
    **{f"-xO{level}": f"-O{level}" for level in range(6)},
    "-ipo": "-flto",
    "-no-ipo": "-fno-lto",
    "-xHost": "-march=native",
    "-xhost": "-march=native",
    "-tp=host": "-march=native",
    "-tp=native": "-march=native",
}
# The words of Fujitsu's -Kfast,openmp and of nvc's -Kpic that say the same to gcc.
_IN_K = {"fast": "-O3", "openmp": "-fopenmp", "noopenmp": "-fno-openmp", "pic": "-fPIC", "PIC": "-fPIC", "lto": "-flto"}
_OPENMP_WITH_A_DEVICE = regex(r"-mp=\w+(?:,\w+)*|-qsmp=.*\bomp\b.*")
# What most command lines consist of beside the names of files. No option of another compiler begins in this way.
_USUAL = ("-I", "-D", "-U", "-O", "-W", "-L", "-std=", "-isystem", "-iquote")
_USUAL_WORDS = frozenset((
    "-c", "-o", "-g", "-MD", "-MMD", "-MP", "-MF", "-MT", "-MQ", "-fopenmp", "-fPIC", "-fPIE", "-pthread",
))  # fmt: skip
# Options whose next word is for a device compiler.
_FOR_DEVICES = regex(
    r"-Xopenmp-target(?:-(?:backend|frontend|linker))?(?:=.*)?|-Xarch_(?!host$)\w+|-Xcuda-(?:ptxas|fatbinary)"
    r"|-Xoffload-(?:linker|compiler)(?:[-=].*)?|-Xsycl-target-\w+(?:=.*)?|-X(?:ptxas|llvm2ptx|nvvm|s)|-arch|-gencode"
)
_FOR_THE_HOST = ("-Xarch_host", "-Xcompiler", "--compiler-options")  # with the next word
# Other options of icc, icx, nvc, nvcc and Fujitsu's and Oracle's compilers that take the next word.
_WITH_WORD = ("-tp", "-fp-model", "-diag-disable", "-diag-enable", "-diag-error", "-diag-warning", "-maxrregcount")
# Options with values that are clang's for devices. With other values they are the host compiler's.
_WITH_DEVICE_VALUE = regex(rf"-mllvm[ =]-(?:openmp|nvptx|amdgpu|vpo-paropt)-.*|(?:{'|'.join(_WITH_WORD)}) .*")
# Cray's options, which are one word or two. gcc takes any other word after -h for the name of a shared library.
_CRAY = regex(r"-h(?:(?:no)?(?:omp|acc)(?:_\w+)?(?:=.*)?|accel(?:=.*)?)")
# Options that gcc does not have, or with which it would compile for devices by itself.
_FOREIGN = regex(
    r"-fopenmp-targets=.*|-omptargets=.*|-f(?:no-)?openmp-(?!simd$|target-simd-clone).*|-foffload(?:-\w+)*(?:=.*)?|-fno-offload.*"
    r"|--(?:no-)?offload-.*|--(?:no-)?offload=.*|--(?:no-)?cuda-.*|--libomptarget-.*|-no(?:gpu|cuda)(?:lib|inc)"
    r"|-f(?:no-)?(?:gpu|cuda)-.*|-gpu=.*|-ta=.*|-target=(?:gpu|multicore).*|-M(?!(?:no-)?modules$)[a-z].*"
    r"|-cuda|-cudalib(?:=.*)?|-q[a-zA-Z].*|-tp=.*|-save-offload-code.*|-target-accel=.*|--(?:rocm|hip)-.*"
    r"|--(?:gpu-|ptxas-path=|amdgpu-target=).*|-(?:no)?gpulibc|-nohipwrapperinc|-cudaforlibs|-stdpar(?:=.*)?|-fsycl.*"
    r"|-f(?:no-)?cray-gpu|-m(?:no-)?(?:cumode|tgsplit|wavefrontsize64)|-march=(?:sm_|gfx).*|-m(?:isa|ptx)=.*"
    r"|-arch=.*|-{1,2}gen(?:code|erate-code)=.*|-lineinfo|-{1,2}(?:use_fast_math|maxrregcount=.*|expt-.*)|-rdc=.*|-mkl=.*"
    # These are only about speed or messages.
    r"|-(?:no-)?(?:prec-(?:div|sqrt)|ansi-alias|vec|simd|restrict|parallel|traceback)|-f(?:(?:no-)?(?:imf|vec)|p)-.*|-fno-(?:fn)?alias"
    r"|-(?:no-)?ftz|-fp-.*|-ax[A-Z].*|-x(?:(?:CORE|COMMON|MIC)-)?(?:AVX|SSE).*|-(?:vec|par)-(?:report|threshold).*"
    r"|-opt-(?:report|prefetch|streaming-stores).*|-diag-.*|-unroll=?\d.*|-inline-.*|-heap-arrays.*|-w[de]\d.*|-w[1-5]"
    r"|-(?:static|shared)-intel|-noswitcherror|-byteswapio|-N[a-z].*|-xtarget=.*|-xarch=.*"
    r"|-fnew-alignment=.*|-faligned-allocation"
    r"|-m(?:no-)?unsafe-fp-atomics|-mcode-object-version=.*|-Rpass(?:-\w+)?=(?:.*openmp.*|kernel-resource-usage)"
)
_LISTS = regex(r"(?:-fopenmp-targets|-omptargets|--offload(?:-targets)?|-foffload|-haccel|-target-accel)=")
_ARCH = regex(r"(?:\b(?:sm_|cc|nvidia_?)|^-arch[= ]compute_)(\d{2,3}[af]?)\b")
_OTHER_DEVICE = regex(r"\b(?:amdgcn[\w-]*|(?:amd_)?gfx\w+|spir\w*|intel_gpu\w*|pvc|tesla:hip)\b|=amdgpu\b")
_GPU = regex(r"-(?:mp|target)=.*\bgpu\b.*|-gpu=ccnative|--offload-arch=native|-arch[= ](?:native|all.*)")
_CPU_TRIPLE = regex(r"(?<![\w-])(?:x86_64|aarch64|arm64|powerpc64le|ppc64le|host)(?:-[\w-]+)?(?![\w-])")
_CUDA_TRIPLE = regex(r"nvptx|\b(?:nvidia|tesla)(?:\b|_?\d)")
# Only clang has these. Other compilers make code for one kind of machine.
_TARGET = regex(r"(?:-target |--target=)(.+)")
_REMEDY = "write REX_DEVICES=cuda (with REX_CUDA_ARCHITECTURES=90 for GPUs that are elsewhere) or REX_DEVICES=cpu"
# What to write in place of options that have no counterpart.
_INSTEAD = (
    (
        regex(r"-foffload=disable|-qno-offload|-qoffload=none"),
        "OMP_TARGET_OFFLOAD=DISABLED leaves regions to the host when the program runs",
    ),
    (regex(r"-gpu=.*\b(?:managed|unified)\b"), "'omp requires unified_shared_memory' in the source says that"),
    (regex(r"-M?cuda(?:lib)?(?:=.*)?"), "name libraries of CUDA for the linker: -L/usr/local/cuda/lib64 -lcublas"),
    (
        regex(
            r"-gpu=.*\b(?:fastmath|maxregcount|lineinfo)\b|-X(?:cuda-)?ptxas|-lineinfo|-{1,2}(?:use_fast_math|maxrregcount)"
        ),
        "REX_NVCC_OPTIONS has options for nvcc",
    ),
)


@dataclass(frozen=True)
class AskedFor:
    """What foreign options ask for: devices, architectures, and those of them that are not supported."""

    devices: tuple[str, ...] = ()
    archs: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise UsageError if there is nothing but devices that are not supported."""
        if self.unsupported and not self.devices:
            what = f"'{self.unsupported[0]}' asks for a device that rex-build does not compile for"
            raise UsageError([Diagnostic("error", what, notes=(_REMEDY,))])


@dataclass(frozen=True)
class Translated:
    """A command line without foreign options. ``notes`` is one message about those that say nothing here."""

    words: tuple[str, ...]
    changed: bool
    asked_for: AskedFor
    notes: tuple[Diagnostic, ...]


def translate(arguments: Iterable[str], has_targets: bool = False) -> Translated:
    """Take the foreign options out of a command line whose response files are expanded. Raises UsageError.

    A compiler that ``has_targets``, as clang has, gets the option that names one.
    """
    given = tuple(arguments)
    if all(word in _USUAL_WORDS or word.startswith(_USUAL) for word in given if word.startswith("-")):
        return Translated(given, False, AskedFor(), ())
    kept: list[str] = []
    foreign: list[str] = []
    translated: list[str] = []
    for words in _options(given):
        word = words[0]
        if _WITH_DEVICE_VALUE.fullmatch(" ".join(words)):
            foreign.append(" ".join(words))
        elif not has_targets and (target := _TARGET.fullmatch(" ".join(words))):
            _check_target(" ".join(words), target[1])
            translated.append(" ".join(words))
        elif takes_value(word):
            kept += words
        elif word in _TRANSLATED:
            kept.append(_TRANSLATED[word])
        elif _OPENMP_WITH_A_DEVICE.fullmatch(word):
            kept.append("-fopenmp")
            translated.append(word)
        elif word == "-Xarch_host":
            kept += words[1:]
        elif word.partition("=")[0] in ("-Xcompiler", "--compiler-options"):
            kept += (words[1] if len(words) > 1 else word.partition("=")[2]).split(",")
        elif word.startswith("-K") and len(word) > 2:
            kept += (_IN_K[part] for part in word[2:].split(",") if part in _IN_K)
            foreign += (f"-K{part}" for part in word[2:].split(",") if part not in _IN_K)
        elif word in ("-acc", "-qacc", "-hacc") or word.startswith("-acc="):
            what = f"'{word}' asks for OpenACC, which is not lowered"
            notes = ("write the regions with OpenMP's target directives, or leave the option out",)
            raise UsageError([Diagnostic("error", what, notes=notes)])
        elif len(words) > 1 or _FOREIGN.fullmatch(word) or _CRAY.fullmatch(word):
            foreign.append(" ".join(words))
        else:
            kept.append(word)
    asked_for = _asked_for([*foreign, *translated])
    return Translated(tuple(kept), tuple(kept) != given, asked_for, _notes(foreign))


def _check_target(option: str, target: str) -> None:
    """Raise UsageError unless the target is this kind of machine, for which every compiler here makes code."""
    machine = os.uname().machine
    parts = target.split("-")
    same = parts[0] == machine or (parts[0], machine) in (("amd64", "x86_64"), ("arm64", "aarch64"))
    if not same or not (len(parts) == 1 or "linux" in parts):
        what = f"'{option}' asks for code for another machine than this one ({machine}-linux), and only clang has it"
        raise UsageError([Diagnostic("error", what, notes=("leave the option out, or name clang in REX_CC",))])


def _options(words: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The options, those that take a word as their value together with it."""
    rest = iter(words)
    for word in rest:
        if takes_value(word) or word in (*_FOR_THE_HOST, *_WITH_WORD) or _FOR_DEVICES.fullmatch(word):
            option = (word, *((following,) if (following := next(rest, None)) is not None else ()))
            joined = "".join(option)
            yield (joined,) if _CRAY.fullmatch(joined) else option
        else:
            yield (word,)


def _asked_for(foreign: Iterable[str]) -> AskedFor:
    devices: list[str] = []
    archs: list[str] = []
    unsupported: list[str] = []
    for option in foreign:
        found = _ARCH.findall(option)
        archs += (f"sm_{number}" for number in found)
        if found or _CUDA_TRIPLE.search(option) or _GPU.fullmatch(option):
            devices.append(CUDA.name)
        if _LISTS.match(option) and _CPU_TRIPLE.search(option.partition("=")[2]):
            devices.append(CPU.name)
        if _OTHER_DEVICE.search(option):
            unsupported.append(option)
    return AskedFor(*(tuple(dict.fromkeys(found)) for found in (devices, archs, unsupported)))


def _notes(foreign: Iterable[str]) -> tuple[Diagnostic, ...]:
    """One message about the options of which nothing is kept."""
    lost = [option for option in dict.fromkeys(foreign) if _asked_for([option]) == AskedFor()]
    if not lost:
        return ()
    instead = dict.fromkeys(text for pattern, text in _INSTEAD for option in lost if pattern.match(option))
    what = f"options for other compilers are left out: {' '.join(lost)}"
    return (Diagnostic("note", what, notes=tuple(instead)),)

"""Build the kernel benchmarks in every variant, run them interleaved, check them, and write one table.

    python3 bench/kernels/measure.py --out DIR [--gcc DIR] [--clang DIR] [--steps N] [--rounds N] [NAME...]

Programs are C or C++. Variants: ``cuda`` (hand-written), ``rex`` (rex-build), ``gcc`` and ``clang`` (offloading to
NVPTX, where ``--gcc`` and ``--clang`` name folders that ``build-gcc.sh`` and ``build-clang.sh`` made; without
``--clang`` a clang that can offload is looked for; ``--rex`` names a folder of rex-build's programs, where libclang for
C++ is missing), ``rex:NAME=FLAGS`` for each ``--also``, and ``rex:c++`` with ``--as-cxx``: those in C, copied to
``.cpp`` files and compiled as C++. Kernel times come from the GPU through ``kerneltime.c``.
Stopped by Ctrl-C or SIGTERM, it writes the table of what ran by then.
Only the standard library and rex-build are used.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rex_build.base.processes import Progress

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "src"
# Names of builds that a source serves beside its own.
VARIANTS = {
    "axpy_parallel_for": ("axpy", "-DPARALLEL_FOR"),
    "matvec_parallel_for": ("matvec", "-DPARALLEL_FOR"),
    "nn_parallel_for": ("nn", "-DPARALLEL_FOR"),
    "relaxation_turned": ("relaxation", "-DTURNED"),
    "rows_norm_any_order": ("rows_norm", "-DANY_ORDER"),
    "spmv_long_rows": ("spmv", "-DROW=40"),
    "srad_v1": ("srad", "-DVERSION=1"),
    "srad_v2": ("srad", "-DVERSION=2"),
}
RUN_SECONDS = 60
COLUMNS = ("gcc", "clang")
AS_CXX = "rex:c++"


@dataclass(frozen=True)
class Benchmark:
    """One row of the table: a source and the macro that selects its variant."""

    name: str
    source: Path
    flags: tuple[str, ...]


def benchmarks(wanted: list[str]) -> list[Benchmark]:
    """Every benchmark, or those whose name contains one of ``wanted``."""
    sources = [p for p in SOURCES.iterdir() if p.suffix in (".c", ".cpp")]
    found = [Benchmark(p.stem, p, ()) for p in sources if p.stem != "srad"]  # which has variants alone
    found += [Benchmark(name, SOURCES / f"{source}.c", (flag,)) for name, (source, flag) in VARIANTS.items()]
    found = [b for b in found if not wanted or any(w in b.name for w in wanted)]
    return sorted(found, key=lambda b: b.name)


def find_clang() -> str | None:
    """A clang that can link for NVPTX, the newest first."""
    for name in ("clang", *(f"clang-{version}" for version in range(24, 16, -1))):
        path = shutil.which(name)
        if path is None:
            continue
        probe = [path, "-fopenmp", "--offload-arch=sm_90", "-x", "c", "-", "-o", os.devnull]
        program = "int main(void){int x=0;\n#pragma omp target map(x)\nx=1;\nreturn !x;}"
        if subprocess.run(probe, input=program, text=True, capture_output=True).returncode == 0:
            return path
    return None


class Builder:
    """Makes the programs of every variant below ``out``."""

    def __init__(
        self, out: Path, arch: str, prebuilt: dict[str, Path], also: dict[str, list[str]], *, as_cxx: bool
    ) -> None:
        self.out, self.arch, self.prebuilt, self.also, self.as_cxx = out, arch, prebuilt, also, as_cxx
        self.clang = None if "clang" in prebuilt else find_clang()
        self.failures: list[str] = []

    def variants(self) -> list[str]:
        found = ["cuda", "rex", *(f"rex:{name}" for name in self.also), *([AS_CXX] if self.as_cxx else [])]
        return found + [v for v in COLUMNS if v in self.prebuilt or (v == "clang" and self.clang)]

    def program(self, benchmark: Benchmark, variant: str) -> Path:
        if variant in self.prebuilt:
            return self.prebuilt[variant] / benchmark.name
        return self.out / f"{benchmark.name}.{variant.replace(':', '.')}"

    def build(self, benchmark: Benchmark, variant: str) -> None:
        if variant in self.prebuilt:
            return
        source, out = benchmark.source, str(self.program(benchmark, variant))
        if variant == AS_CXX:
            source = Path(shutil.copy(source, f"{out}.cpp"))
        is_cxx = source.suffix == ".cpp"
        host = ["-O3", "-std=gnu++17" if is_cxx else "-std=gnu11", *benchmark.flags]
        if variant == "cuda":
            command = ["nvcc", "-O3", "-std=c++17", f"-arch={self.arch}", *benchmark.flags]
            command += ["-x", "cu", str(source), "-o", out]
        elif variant.startswith("rex"):
            extra = self.also.get(variant.partition(":")[2], [])
            keep = f"--keep-dir={out}.d"
            command = [sys.executable, "-m", "rex_build", "cc", "--device", "cuda", "--arch", self.arch, keep, *extra]
            command += ["-o", out, str(source), "--", *host, f"-I{SOURCES}", "-lm"]
        else:
            clang = str(self.clang).replace("clang", "clang++") if is_cxx else str(self.clang)
            command = [clang, "-fopenmp", f"--offload-arch={self.arch}", *host, str(source), "-o", out, "-lm"]
        self.run(command, f"{benchmark.name} ({variant})")

    def run(self, command: list[str], what: str) -> None:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            self.failures.append(f"{what}: {' '.join(command)}\n{done.stderr[-2000:]}")

    def tools(self) -> None:
        self.run([str(HERE / "build-kerneltime.sh"), str(self.out / "libkerneltime.so")], "kerneltime")
        self.run(["nvcc", "-O3", f"-arch={self.arch}", str(SOURCES / "copy.cu"), "-o", str(self.out / "copy")], "copy")


def run_program(program: Path, out: Path, steps: int, libraries: list[Path]) -> dict[str, Any]:
    """What the program says of its steps, and of its kernels in a run of their own: looking at them costs time.

    ``error`` when one of the runs failed.
    """
    result = run_once(program, out, steps, libraries, profiled=False)
    if "error" in result:
        return result
    profile = run_once(program, out, steps, libraries, profiled=True)
    return profile if "error" in profile else profile | result


def run_once(program: Path, out: Path, steps: int, libraries: list[Path], *, profiled: bool) -> dict[str, Any]:
    times = out / f"{program.name}.times"
    times.unlink(missing_ok=True)
    environment = dict(os.environ, BENCH_STEPS=str(steps), KERNELTIME_STEPS=str(steps + 1), KERNELTIME_OUT=str(times))
    if profiled:
        environment["CUDA_INJECTION64_PATH"] = str(out / "libkerneltime.so")
    environment["OMP_TARGET_OFFLOAD"] = "MANDATORY"
    if libraries:
        environment["LD_LIBRARY_PATH"] = ":".join([*map(str, libraries), environment.get("LD_LIBRARY_PATH", "")])
    try:
        done = subprocess.run([program], capture_output=True, text=True, timeout=RUN_SECONDS, env=environment)
    except (subprocess.TimeoutExpired, OSError) as error:
        return {"error": str(error)}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        return {"error": f"status {done.returncode}: {(done.stderr or done.stdout)[-300:]}"}
    result: dict[str, Any] = json.loads(lines[-1])
    if not result["ok"]:
        result["error"] = "wrong result"
    if profiled:
        kernels = [json.loads(line) for line in times.read_text().splitlines()] if times.exists() else []
        result["kernels"] = kernels
        result["kernel_s"] = sum(k["step_ns"] for k in kernels) * 1e-9 or None
    return result


def best(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The run with the least kernel time, and the least region time of all; one that failed if any did."""
    failed = [r for r in runs if "error" in r]
    if failed:
        return failed[0]
    return min(runs, key=lambda r: r["kernel_s"] or r["step_s"]) | {"step_s": min(r["step_s"] for r in runs)}


def ratio(results: dict[str, dict[str, Any]], one: str, other: str, what: str = "kernel_s") -> float | None:
    a, b = (results.get(v, {}) for v in (one, other))
    if "error" in a or "error" in b or not a.get(what) or not b.get(what):
        return None
    return float(a[what] / b[what])


def us(result: dict[str, Any], what: str = "kernel_s") -> str:
    """Microseconds."""
    if not result:
        return "—"
    if "error" in result:
        return "failed"
    return f"{result[what] * 1e6:.1f}" if result.get(what) else "?"


def number(value: float | None) -> str:
    return f"{value:.2f}" if value is not None else "—"


def table(rows: dict[str, dict[str, dict[str, Any]]], variants: list[str], copy: float | None) -> str:
    """Kernel times as Markdown. ``copy`` is the measured bandwidth in bytes per second."""
    others = [v for v in variants if v not in ("cuda", "rex")]
    heads = ["benchmark", "CUDA, µs", "rex-build, µs", "rex-build / CUDA", "of copy bandwidth"]
    for other in others:
        heads += [f"{other}, µs", f"rex-build / {other}"]
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" + " ---: |" * (len(heads) - 1)]
    for name, results in rows.items():
        rex = results.get("rex", {})
        share = None
        if copy and rex.get("bytes") and rex.get("kernel_s"):
            share = rex["bytes"] / rex["kernel_s"] / copy
        cells = [name, us(results["cuda"]), us(rex), number(ratio(results, "rex", "cuda"))]
        cells.append(f"{share:.0%}" if share else "—")
        for other in others:
            cells += [us(results.get(other, {})), number(ratio(results, "rex", other))]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def region_table(rows: dict[str, dict[str, dict[str, Any]]], variants: list[str]) -> str:
    """Region times as Markdown: one repetition on the host's clock, launches and waiting included."""
    others = [v for v in variants if v != "rex"]
    heads = ["benchmark", "rex-build, µs"]
    for other in others:
        heads += [f"{'CUDA' if other == 'cuda' else other}, µs", f"rex-build / {'CUDA' if other == 'cuda' else other}"]
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" + " ---: |" * (len(heads) - 1)]
    for name, results in rows.items():
        cells = [name, us(results.get("rex", {}), "step_s")]
        for other in others:
            cells += [us(results.get(other, {}), "step_s"), number(ratio(results, "rex", other, "step_s"))]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def versions() -> dict[str, str]:
    """GPU, driver and tools."""

    def first_line(*command: str) -> str:
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except OSError:
            return "not found"
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        return lines[-1 if command[0] == "nvcc" else 0] if lines else "no answer"

    gpu = first_line("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    return {
        "GPU, driver": gpu,
        "nvcc": first_line("nvcc", "--version"),
        "gcc": first_line("gcc", "--version"),
        "rex-build": first_line(sys.executable, "-m", "rex_build", "--version"),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--arch", default="sm_90")
    for name in COLUMNS:
        parser.add_argument(f"--{name}", type=Path, help=f"folder of programs and lib/ from build-{name}.sh")
    parser.add_argument("--rex", type=Path, help="folder of programs that rex-build made elsewhere")
    parser.add_argument("--steps", type=int, default=12, help="timed repetitions per run")
    parser.add_argument("--rounds", type=int, default=3, help="runs of every variant, interleaved")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=FLAGS", help="a further rex-build column")
    parser.add_argument("--as-cxx", action="store_true", help="a further rex-build column: C files as C++")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    out = arguments.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    also = {name: flags.split() for name, _, flags in (a.partition("=") for a in arguments.also)}
    prebuilt = {name: vars(arguments)[name].absolute() for name in (*COLUMNS, "rex") if vars(arguments)[name]}
    builder = Builder(out, arguments.arch, prebuilt, also, as_cxx=arguments.as_cxx)
    chosen, variants = benchmarks(arguments.names), builder.variants()
    if "rex" not in prebuilt and importlib.util.find_spec("clang") is None:
        print("without libclang the programs in C++ are left out", file=sys.stderr)
        chosen = [b for b in chosen if b.source.suffix == ".c"]
    builder.tools()
    work = [(b, v) for b in chosen for v in variants if v != AS_CXX or b.source.suffix == ".c"]

    def build(job: tuple[Benchmark, str]) -> None:
        progress.begin(f"building {job[0].name}, {job[1]}")
        builder.build(*job)
        progress.end()

    with Progress(len(work)) as progress, ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(build, work))
    print("\n".join(builder.failures), file=sys.stderr)
    runs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with Progress(arguments.rounds * len(work)) as progress:
            for benchmark, variant in work * arguments.rounds:
                progress.begin(f"running {benchmark.name}, {variant}")
                libraries = [prebuilt[variant] / "lib"] if variant in prebuilt else []
                result = run_program(builder.program(benchmark, variant), out, arguments.steps, libraries)
                runs.setdefault((benchmark.name, variant), []).append(result)
                progress.end()
    except KeyboardInterrupt:  # the table has what ran by then
        ran = sum(map(len, runs.values()))
        print(f"stopped after {ran} of {arguments.rounds * len(work)} runs", file=sys.stderr)
        chosen = [b for b in chosen if (b.name, "cuda") in runs and (b.name, "rex") in runs]
    copy = run_program(out / "copy", out, arguments.steps, [])
    bandwidth = copy["bytes"] / copy["kernel_s"] if copy.get("kernel_s") else None
    rows = {b.name: {v: best(runs[b.name, v]) for v in variants if (b.name, v) in runs} for b in chosen}
    facts = {"versions": versions(), "copy_bytes_per_s": bandwidth, "rows": rows}
    (out / "results.json").write_text(json.dumps(facts, indent=1))
    text = f"{table(rows, variants, bandwidth)}\n\nRegions:\n\n{region_table(rows, variants)}"
    (out / "table.md").write_text(text + "\n")
    print(text)
    if bandwidth:
        print(f"copy bandwidth: {bandwidth / 1e12:.2f} TB/s")
    errors = [f"{n}, {v}: {r['error']}" for n, row in rows.items() for v, r in row.items() if "error" in r]
    print("\n".join(errors), file=sys.stderr)
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())

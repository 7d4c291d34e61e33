"""Build the kernel benchmarks in every variant, run them interleaved, check them, and write one table.

    python3 bench/kernels/measure.py --out DIR [--gcc DIR] [--steps N] [--rounds N] [NAME...]

Variants: ``cuda`` (hand-written), ``rex`` (rex-build), ``gcc`` (nvptx offload, where ``--gcc`` names a folder that
``build-gcc.sh`` made), ``clang`` (where a clang that offloads to NVPTX is found), and ``rex:NAME=FLAGS`` for
each ``--also``. Kernel times come from the GPU through ``kerneltime.c``. Only the standard library is used.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "src"
# Names of builds that a source serves beside its own.
VARIANTS = {
    "axpy_parallel_for": ("axpy", "-DPARALLEL_FOR"),
    "matvec_parallel_for": ("matvec", "-DPARALLEL_FOR"),
    "nn_parallel_for": ("nn", "-DPARALLEL_FOR"),
    "srad_v1": ("srad", "-DVERSION=1"),
    "srad_v2": ("srad", "-DVERSION=2"),
}
RUN_SECONDS = 60
COLUMNS = ("gcc", "clang")


@dataclass(frozen=True)
class Benchmark:
    """One row of the table: a source and the macro that selects its variant."""

    name: str
    source: Path
    flags: tuple[str, ...]


def benchmarks(wanted: list[str]) -> list[Benchmark]:
    """Every benchmark, or those whose name contains one of ``wanted``."""
    served = {source for source, _ in VARIANTS.values()} - {"axpy", "matvec", "nn"}
    found = [Benchmark(p.stem, p, ()) for p in SOURCES.glob("*.c") if p.stem not in served]
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

    def __init__(self, out: Path, arch: str, gcc: Path | None, also: dict[str, list[str]]) -> None:
        self.out, self.arch, self.gcc, self.also = out, arch, gcc, also
        self.clang = find_clang()
        self.failures: list[str] = []

    def variants(self) -> list[str]:
        found = ["cuda", "rex", *(f"rex:{name}" for name in self.also)]
        return found + (["gcc"] if self.gcc else []) + (["clang"] if self.clang else [])

    def program(self, benchmark: Benchmark, variant: str) -> Path:
        if variant == "gcc" and self.gcc:
            return self.gcc / benchmark.name
        return self.out / f"{benchmark.name}.{variant.replace(':', '.')}"

    def build(self, benchmark: Benchmark, variant: str) -> None:
        out, source = str(self.program(benchmark, variant)), str(benchmark.source)
        host = ["-O3", "-std=gnu11", *benchmark.flags]
        if variant == "cuda":
            command = ["nvcc", "-O3", f"-arch={self.arch}", *benchmark.flags, "-x", "cu", source, "-o", out]
        elif variant.startswith("rex"):
            extra = self.also.get(variant.partition(":")[2], [])
            keep = f"--keep-dir={out}.d"
            command = [sys.executable, "-m", "rex_build", "cc", "--device", "cuda", "--arch", self.arch, keep, *extra]
            command += ["-o", out, source, "--", *host, "-lm"]
        elif variant == "clang":
            command = [str(self.clang), "-fopenmp", f"--offload-arch={self.arch}", *host, source, "-o", out, "-lm"]
        else:
            return
        self.run(command, f"{benchmark.name} ({variant})")

    def run(self, command: list[str], what: str) -> None:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            self.failures.append(f"{what}: {' '.join(command)}\n{done.stderr[-2000:]}")

    def tools(self) -> None:
        cuda = next((p for p in (Path("/usr/local/cuda"), Path("/usr/local/cuda-13.0")) if p.exists()), Path("/usr"))
        folders = [cuda, cuda / "extras/CUPTI", cuda / "targets/x86_64-linux"]
        command = ["gcc", "-O2", "-shared", "-fPIC", str(HERE / "kerneltime.c")]
        command += ["-o", str(self.out / "libkerneltime.so")]
        command += [f"-I{f / 'include'}" for f in folders]
        for folder in (f / lib for f in folders for lib in ("lib64", "lib")):
            command += [f"-L{folder}", f"-Wl,-rpath,{folder}"]
        self.run([*command, "-lcupti"], "kerneltime")
        self.run(["nvcc", "-O3", f"-arch={self.arch}", str(SOURCES / "copy.cu"), "-o", str(self.out / "copy")], "copy")


def run_program(program: Path, out: Path, steps: int, libraries: list[Path]) -> dict[str, Any]:
    """One run: what the program said, and its kernels. ``error`` when it failed."""
    times = out / f"{program.name}.times"
    times.unlink(missing_ok=True)
    environment = dict(os.environ, BENCH_STEPS=str(steps), KERNELTIME_STEPS=str(steps + 1), KERNELTIME_OUT=str(times))
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
    kernels = [json.loads(line) for line in times.read_text().splitlines()] if times.exists() else []
    result["kernels"] = kernels
    result["kernel_s"] = sum(k["step_ns"] for k in kernels) * 1e-9 or None
    return result


def best(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The run with the least kernel time; one that failed if any did."""
    failed = [r for r in runs if "error" in r]
    return failed[0] if failed else min(runs, key=lambda r: r["kernel_s"] or r["step_s"])


def ratio(results: dict[str, dict[str, Any]], one: str, other: str) -> float | None:
    a, b = (results.get(v, {}) for v in (one, other))
    if "error" in a or "error" in b or not a.get("kernel_s") or not b.get("kernel_s"):
        return None
    return float(a["kernel_s"] / b["kernel_s"])


def table(rows: dict[str, dict[str, dict[str, Any]]], variants: list[str], copy: float | None) -> str:
    """The results as Markdown. ``copy`` is the measured bandwidth in bytes per second."""

    def us(result: dict[str, Any]) -> str:
        if "error" in result:
            return "failed"
        return f"{result['kernel_s'] * 1e6:.1f}" if result.get("kernel_s") else "?"

    def number(value: float | None) -> str:
        return f"{value:.2f}" if value is not None else "—"

    others = [v for v in variants if v not in ("cuda", "rex")]
    heads = ["benchmark", "CUDA, µs", "rex-build, µs", "rex-build / CUDA", "region, µs", "of copy bandwidth"]
    for other in others:
        heads += [f"{other}, µs", f"rex-build / {other}"]
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" + " ---: |" * (len(heads) - 1)]
    for name, results in rows.items():
        rex = results.get("rex", {})
        share = None
        if copy and rex.get("bytes") and rex.get("kernel_s"):
            share = rex["bytes"] / rex["kernel_s"] / copy
        cells = [name, us(results["cuda"]), us(rex), number(ratio(results, "rex", "cuda"))]
        cells += [f"{rex['step_s'] * 1e6:.0f}" if "step_s" in rex else "—", f"{share:.0%}" if share else "—"]
        for other in others:
            cells += [us(results.get(other, {"error": ""})), number(ratio(results, "rex", other))]
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
    parser.add_argument("--gcc", type=Path, help="folder of programs and lib/ from build-gcc.sh")
    parser.add_argument("--steps", type=int, default=12, help="timed repetitions per run")
    parser.add_argument("--rounds", type=int, default=3, help="runs of every variant, interleaved")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=FLAGS", help="a further rex-build column")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    out = arguments.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    also = {name: flags.split() for name, _, flags in (a.partition("=") for a in arguments.also)}
    builder = Builder(out, arguments.arch, arguments.gcc.absolute() if arguments.gcc else None, also)
    chosen, variants = benchmarks(arguments.names), builder.variants()
    builder.tools()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(lambda job: builder.build(*job), [(b, v) for b in chosen for v in variants]))
    print("\n".join(builder.failures), file=sys.stderr)
    runs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    libraries = {"gcc": [builder.gcc / "lib"] if builder.gcc else []}
    for _ in range(arguments.rounds):
        for benchmark in chosen:
            for variant in variants:
                result = run_program(
                    builder.program(benchmark, variant), out, arguments.steps, libraries.get(variant, [])
                )
                runs.setdefault((benchmark.name, variant), []).append(result)
    copy = run_program(out / "copy", out, arguments.steps, [])
    bandwidth = copy["bytes"] / copy["kernel_s"] if copy.get("kernel_s") else None
    rows = {b.name: {v: best(runs[b.name, v]) for v in variants} for b in chosen}
    facts = {"versions": versions(), "copy_bytes_per_s": bandwidth, "rows": rows}
    (out / "results.json").write_text(json.dumps(facts, indent=1))
    text = table(rows, variants, bandwidth)
    (out / "table.md").write_text(text + "\n")
    print(text)
    if bandwidth:
        print(f"copy bandwidth: {bandwidth / 1e12:.2f} TB/s")
    errors = [f"{n}, {v}: {r['error']}" for n, row in rows.items() for v, r in row.items() if "error" in r]
    print("\n".join(errors), file=sys.stderr)
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())

"""What a GPU can hold at once, against NVIDIA's own calculator."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from rex_build.profile.card import Card, Shape, occupancy
from rex_build.tools.runtimes import find_nvcc, toolkit_folder

NVCC = find_nvcc()
TOOLKIT = toolkit_folder(NVCC) if NVCC else None
CALCULATOR = """
#include <cuda_occupancy.h>
#include <cstdio>
int main()
{
    cudaOccDeviceProp card = {};
    int shared, reserved, threads, registers, memory;
    while (std::scanf("%d %d %d %d %d %d %d %d %d", &card.computeMajor, &card.computeMinor,
                      &card.maxThreadsPerMultiprocessor, &shared, &reserved, &threads, &registers, &memory,
                      &card.numSms) == 9) {
        cudaOccFuncAttributes kernel = {};
        cudaOccDeviceState state = {};
        cudaOccResult result = {};
        card.maxThreadsPerBlock = 1024;
        card.regsPerBlock = card.regsPerMultiprocessor = 65536;
        card.warpSize = 32;
        card.sharedMemPerBlock = 49152;
        card.sharedMemPerMultiprocessor = shared;
        card.sharedMemPerBlockOptin = shared - reserved;
        card.reservedSharedMemPerBlock = reserved;
        kernel.maxThreadsPerBlock = 1024;
        kernel.numRegs = registers;
        kernel.sharedSizeBytes = 0;
        kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        kernel.maxDynamicSharedSizeBytes = shared - reserved;
        state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
        if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &card, &kernel, &state, threads, memory))
            return 1;
        std::printf("%d\\n", result.activeBlocksPerMultiprocessor);
    }
}
"""
# Compute capability, and threads, shared memory, reserved memory and teams of a multiprocessor.
CARDS = {(8, 0): (2048, 167936, 1024, 32), (8, 6): (1536, 102400, 1024, 16), (9, 0): (2048, 233472, 1024, 32)}


@pytest.mark.skipif(
    TOOLKIT is None or not (TOOLKIT / "include/cuda_occupancy.h").exists(), reason="no occupancy calculator here"
)
def test_as_many_teams_fit_as_nvidia_says(tmp_path: Path) -> None:
    chosen = random.Random(4)
    shapes = [
        (kind, chosen.randrange(1, 33) * 32 - chosen.choice((0, 0, 5)), chosen.randrange(8, 65), memory)
        for kind in CARDS
        for memory in (0, 0, 0, 100, 5000, 20000, 40000)
        for _ in range(20)
    ]
    (tmp_path / "calculator.cpp").write_text(CALCULATOR)
    program = tmp_path / "calculator"
    subprocess.run(
        ["g++", "-w", f"-I{TOOLKIT}/include", tmp_path / "calculator.cpp", "-o", program], check=True, cwd=tmp_path
    )
    rows = [
        f"{kind[0]} {kind[1]} {CARDS[kind][0]} {CARDS[kind][1]} {CARDS[kind][2]} {threads} {registers} {memory} 1\n"
        for kind, threads, registers, memory in shapes
    ]
    said = subprocess.run([program], input="".join(rows), check=True, capture_output=True, text=True).stdout.split()
    ours = []
    for kind, threads, registers, memory in shapes:
        most, shared, reserved, blocks = CARDS[kind]
        of = Card("", 1, 0, 0, most, 65536, shared, reserved, blocks)
        found = occupancy(of, Shape(1000, threads, registers, memory))
        assert found is not None
        ours.append(round(found.part * most / 32) // -(-threads // 32))
    assert ours == list(map(int, said))


def test_few_teams_leave_a_card_empty() -> None:
    of = Card("", 100, 0, 0, 2048, 65536, 233472, 1024, 32)
    few = occupancy(of, Shape(50, 1024, 16, 0))
    assert few is not None
    assert (few.part, few.why) == (0.25, "there are only 50 teams")
    assert occupancy(Card("", 100, 0, 0, 0, 0, 0, 0, 0), Shape(50, 1024, 16, 0)) is None

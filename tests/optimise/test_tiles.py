"""Tiles: every iteration of a space gets exactly one thread, as the host lays them out and as the kernel reads that."""

from __future__ import annotations

import subprocess
from pathlib import Path

from rex_build.paths import include_dir

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rex_kmp.h"

static unsigned high(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }

/* What one device thread finds; the kernel's side is rex_place_in_tiles. */
static void place(rex_uint64 code, unsigned thread, int columns, int *row, int *column)
{
    const unsigned shift = code >> 32 & 0xff, size_shift = code >> 40 & 0xff, width_shift = (unsigned)(code >> 48);
    const unsigned inside = thread & ((1u << size_shift) - 1), tile = thread >> size_shift;
    const unsigned tile_row = (high(tile, (unsigned)code) + tile) >> shift, width = 1u << width_shift;
    const unsigned across = ((unsigned)columns + width - 1) >> width_shift;
    *row = (int)((tile_row << (size_shift - width_shift)) + (inside >> width_shift));
    *column = (int)(((tile - tile_row * across) << width_shift) + (inside & (width - 1)));
}

int main(void)
{
    static unsigned char seen[1 << 20];
    const int sizes[] = {1, 2, 3, 7, 8, 9, 31, 32, 33, 63, 100, 129, 255, 1000};
    const int blocks_of[] = {1, 32, 64, 96, 100, 128, 256, 1024};
    enum { N = sizeof sizes / sizeof *sizes, M = sizeof blocks_of / sizeof *blocks_of };
    for (int a = 0; a < N; ++a)
        for (int b = 0; b < N; ++b)
            for (int t = 0; t < M; ++t) {
                const int rows = sizes[a], columns = sizes[b], threads = blocks_of[t];
                rex_uint64 code;
                int blocks = -1;
                if (!rex_tile(rows, columns, 64, threads, 0, &blocks, &code))
                    return printf("refused %d x %d by %d\n", rows, columns, threads);
                memset(seen, 0, (size_t)rows * columns);
                for (int block = 0; block < blocks; ++block)
                    for (int thread = 0; thread < threads; ++thread) {
                        int row, column;
                        place(code, (unsigned)(block * threads + thread), columns, &row, &column);
                        if (row < rows && column < columns && seen[row * columns + column]++)
                            return printf("twice: %d x %d by %d\n", rows, columns, threads);
                    }
                if (memchr(seen, 0, (size_t)rows * columns))
                    return printf("missed: %d x %d by %d\n", rows, columns, threads);
            }
    /* Large spaces: the division is exact up to the last block. */
    const rex_int64 large[] = {1, 33, 65537, 1000003, 0x3fffffff, 0x7fff0000};
    for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b) {
            rex_uint64 code;
            int blocks = -1;
            if (!rex_tile(large[a], large[b], 32, 256, 0, &blocks, &code))
                continue;
            const unsigned shift = code >> 32 & 0xff, tile_shift = code >> 40 & 0xff;
            const unsigned width_shift = (unsigned)(code >> 48);
            const unsigned across = (unsigned)((large[b] + (1 << width_shift) - 1) >> width_shift);
            const unsigned long long most = 256ull * blocks >> tile_shift;
            for (unsigned long long i = 0; i < 100000; ++i) {
                const unsigned block = (unsigned)((i % 2 ? most - 1 - i / 2 : i / 2 * 21473ull) % most);
                if ((high(block, (unsigned)code) + block) >> shift != block / across)
                    return printf("%u / %u\n", block, across);
            }
        }
    int blocks = 5;
    rex_uint64 code = 6;
    if (rex_tile(0, 9, 32, 256, 0, &blocks, &code) || rex_tile(1ll << 40, 9, 32, 256, 0, &blocks, &code) ||
        rex_tile(1 << 30, 1 << 30, 32, 256, 0, &blocks, &code) ||
        rex_tile(1000, 1000, 32, 256, 7, &blocks, &code) || blocks != 5 || code != 6)
        return puts("taken");
    puts("ok");
}
"""


def test_every_iteration_has_one_thread(tmp_path: Path) -> None:
    source, program = tmp_path / "tiles.c", tmp_path / "tiles"
    source.write_text(PROGRAM)
    command = ["gcc", "-O2", "-Wall", "-Werror", f"-I{include_dir()}", str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    assert subprocess.run([program], capture_output=True, text=True).stdout == "ok\n"

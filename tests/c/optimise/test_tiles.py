"""Tiles: every iteration of a space gets exactly one thread, as the host lays them out and as the kernel reads that."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from explained import transformations

from rex_build.base.paths import include_dir
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rex_kmp.h"

static unsigned high(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }

/* What one device thread finds; the kernel's side is rex_place_in_tiles. */
static void place(rex_uint64 code, unsigned x, unsigned y, int columns, int *row, int *column)
{
    if (code == REX_IN_TILES) {
        *row = (int)y, *column = (int)x;
        return;
    }
    *row = (int)((high(x, (unsigned)code) + x) >> (code >> 32));
    *column = (int)(x - (unsigned)*row * (unsigned)columns);
}

int main(void)
{
    static unsigned char seen[1 << 20];
    const int sizes[] = {1, 2, 3, 7, 8, 9, 31, 32, 33, 57, 63, 64, 100, 129, 255, 256, 976, 1000};
    const int blocks_of[] = {2, 32, 64, 96, 100, 128, 256, 1024};
    enum { N = sizeof sizes / sizeof *sizes, M = sizeof blocks_of / sizeof *blocks_of };
    int in_tiles = 0, narrow = 0, of_eight = 0, fewer = 0;
    for (int test = 0; test < 4 * N * N * M; ++test) {
        const int rows = sizes[test / 4 % N], columns = sizes[test / 4 / N % N], given = blocks_of[test / 4 / N / N];
        struct rex_second_dimension second = {0, 0};
        rex_uint64 code;
        int blocks = -1, threads = given;
        rex_two_dimensional = test % 2;
        if (!(test & 2 ? rex_narrow_tile : rex_tile)(rows, columns, 0, &blocks, &threads, &second, &code))
            return printf("refused %d x %d by %d\n", rows, columns, given);
        if ((code == REX_IN_TILES) != (second.rex_blocks > 0) || (second.rex_blocks > 0) != (second.rex_threads > 0))
            return printf("halves of a shape: %d x %d by %d\n", rows, columns, given);
        if (code == REX_IN_TILES && !rex_two_dimensional)
            return printf("in tiles where the runtime has none: %d x %d by %d\n", rows, columns, given);
        const unsigned wide = (unsigned)blocks * threads, rows_of_threads = second.rex_blocks * second.rex_threads;
        const unsigned high = rows_of_threads ? rows_of_threads : 1;
        in_tiles += code == REX_IN_TILES;
        narrow += code == REX_IN_TILES && threads == 32;
        of_eight += code == REX_IN_TILES && threads == 8 && test & 2;
        const int unit = test & 2 ? 8 : 32, high_threads = second.rex_threads ? (int)second.rex_threads : 1;
        if (threads * high_threads != given || (threads != given && threads % unit))
            return printf("blocks of %d by %u\n", threads, second.rex_threads);
        if (code == REX_IN_TILES && ((int)wide - columns > columns / 8 || (int)high - rows > rows / 8))
            return printf("idle threads: %d x %d by %d\n", rows, columns, given);
        memset(seen, 0, (size_t)rows * columns);
        for (unsigned y = 0; y < high; ++y)
            for (unsigned x = 0; x < wide; ++x) {
                int row, column;
                place(code, x, y, columns, &row, &column);
                if (row < rows && column < columns && seen[row * columns + column]++)
                    return printf("twice: %d x %d by %d\n", rows, columns, given);
            }
        if (memchr(seen, 0, (size_t)rows * columns))
            return printf("missed: %d x %d by %d\n", rows, columns, given);
    }
    if (!narrow || !of_eight || narrow + of_eight >= in_tiles)
        return printf("%d in tiles, %d narrow, %d of 8 columns\n", in_tiles, narrow, of_eight);
    /* Threads that run every such row of a grid with fewer rows of tiles: the kernel's side is rex_tile_share. */
    int summed[2] = {0};
    for (int test = 0; test < 24 * N * N; ++test) {
        const int way = test / 6 % 4, most = test / 3 % 2 * 40 * (way > 0); /* batches, sums, narrow, row by row */
        const int rows = sizes[test / 24 % N], columns = sizes[test / 24 / N], of[] = {1, 5000, 1 << 20};
        const int resident = of[test % 3];
        struct rex_second_dimension second = {0, 0};
        rex_uint64 code;
        int blocks = -1, threads = way ? 260 : 256;
        rex_two_dimensional = way < 3;
        if (way ? !rex_tile_sums(way == 2, rows, columns, most, resident, &blocks, &threads, &second, &code)
                : !rex_tile_batches(rows, columns, 0, resident, &blocks, &threads, &second, &code))
            return printf("refused %d x %d\n", rows, columns);
        if (way) {
            const int height = code == REX_IN_TILES ? (int)second.rex_blocks : 1;
            const int block = threads * (int)(second.rex_threads + !second.rex_threads);
            const int is_more = height > 1 && blocks * height * block > resident;
            summed[code == REX_IN_TILES] += 1;
            if (block != 256 || (most && blocks * height > most) || is_more)
                return printf("%d x %d teams of %d\n", blocks, height, block);
        }
        const unsigned wide = (unsigned)blocks * threads, high = second.rex_blocks * second.rex_threads;
        const int in_tiles = code == REX_IN_TILES, step = in_tiles ? (int)high : way ? (int)wide : 0;
        fewer += in_tiles && step < rows;
        memset(seen, 0, (size_t)rows * columns);
        for (unsigned y = 0; y < (high ? high : 1); ++y)
            for (unsigned x = 0; x < wide; ++x) {
                int row, column;
                unsigned number = x;
                place(code, x, y, columns, &row, &column);
                for (row = column < columns ? row : rows; row < rows;) { /* the kernel's side is rex_next_of_sum */
                    if (seen[row * columns + column]++)
                        return printf("twice: %d x %d\n", rows, columns);
                    if (step == 0)
                        break;
                    if (in_tiles)
                        row += step;
                    else
                        place(code, number += (unsigned)step, 0, columns, &row, &column);
                }
            }
        if (memchr(seen, 0, (size_t)rows * columns))
            return printf("missed: %d x %d\n", rows, columns);
    }
    if (!fewer || !summed[0] || !summed[1])
        return puts("no grid had fewer rows");
    /* Large spaces: the division is exact up to the last thread, and no dimension exceeds CUDA's limits. */
    const rex_int64 large[] = {1, 33, 65537, 1000003, 0x3fffffff, 0x7fff0000};
    for (int test = 0; test < 72; ++test) {
        const rex_int64 rows = large[test / 2 % 6], columns = large[test / 12];
        struct rex_second_dimension second = {0, 0};
        rex_uint64 code;
        int blocks = -1, threads = 256;
        rex_two_dimensional = test % 2;
        if (!rex_tile(rows, columns, 0, &blocks, &threads, &second, &code))
            continue;
        if (code == REX_IN_TILES) {
            if (second.rex_blocks > 65535 || (rex_int64)second.rex_blocks * second.rex_threads < rows ||
                (rex_int64)blocks * threads < columns || (rex_int64)blocks * threads > 0x7fffffff)
                return printf("%lld x %lld: %d x %u\n", (long long)rows, (long long)columns, blocks, second.rex_blocks);
            continue;
        }
        const unsigned most = (unsigned)blocks * 256u;
        if (rows * columns > most || most > 0x7fffffff)
            return printf("%lld x %lld: %u threads\n", (long long)rows, (long long)columns, most);
        for (unsigned i = 0; i < 100000; ++i) {
            const unsigned thread = (unsigned)((i % 2 ? most - 1 - i / 2 : i / 2 * 21473ull) % most);
            int row, column;
            place(code, thread, 0, (int)columns, &row, &column);
            if ((unsigned)row != thread / columns || (unsigned)column != thread % columns)
                return printf("%u / %lld\n", thread, (long long)columns);
        }
    }
    int blocks = 5, threads = 256;
    struct rex_second_dimension second = {0, 0};
    rex_uint64 code = 6;
    for (rex_two_dimensional = 0; rex_two_dimensional < 2; ++rex_two_dimensional)
        if (rex_tile(0, 9, 0, &blocks, &threads, &second, &code) ||
            rex_tile(1ll << 40, 9, 0, &blocks, &threads, &second, &code) ||
            rex_tile(1 << 30, 1 << 20, 0, &blocks, &threads, &second, &code) ||
            rex_tile(1000, 1000, 7, &blocks, &threads, &second, &code) || blocks != 5 || threads != 256 || code != 6)
            return puts("taken");
    threads = 1;
    if (rex_tile(8, 64, 0, &blocks, &threads, &second, &code) || blocks != 5)
        return puts("one thread: in order");
    puts("ok");
}
"""


def test_every_iteration_has_one_thread(tmp_path: Path) -> None:
    source, program = tmp_path / "tiles.c", tmp_path / "tiles"
    source.write_text(PROGRAM)
    command = ["gcc", "-O2", "-Wall", "-Werror", f"-I{include_dir()}", str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    assert subprocess.run([program], capture_output=True, text=True).stdout == "ok\n"


_ALL = "int n, int m, const float *in, float *out, double (*rows)[512], const char *small, char *bytes, int *at"
_NARROW = "tiles of 8 columns"


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize(
    ("body", "narrow"),
    [
        ("out[j * n + i] = in[i * m + j];", True),
        ("const int to = j * n + i, from = i * m + j; if (from != to) out[to] = in[from];", True),
        ("if (j > i) rows[j][i] = rows[i][j];", True),
        ("out[j * 8 + i] = in[i * 40 + j];", True),
        ("out[i * m + j] = in[i * m + j] + in[j];", False),  # one order
        ("out[i * m + j] = in[i];", False),  # the same element for all columns
        ("out[i * m + j] = in[at[i * m + j] + i];", False),  # nobody knows
        ("out[j * 4 + i] = in[i * 40 + j];", False),  # not far
        ("bytes[j * n + i] = small[i * m + j];", False),  # 8 of them are too few
        ("float s = 0; for (int k = 0; k < m; ++k) s += in[k * m + j]; out[j * n + i] = s;", False),  # work, not moves
        ("out[j * n + i] = in[j * n + i] + in[i];", None),  # the other order
        ("rows[j][i] *= out[j * 40 + i - 1];", None),
    ],
)
def test_tiles_of_transpositions(tmp_path: Path, body: str, narrow: bool | None, suffix: str) -> None:
    """A warp has 4 rows of 8 columns where neighbouring elements lie along both, in loops that only move data. Where
    they lie along the rows alone (None), these become the columns."""
    source = tmp_path / f"unit{suffix}"
    for clauses in ("collapse(2)", ""):
        loops = f"for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) {{ {body} }}"
        pragma = f"#pragma omp target teams distribute parallel for {clauses}"
        source.write_text(f"void f({_ALL})\n{{\n{pragma}\n{loops}\n}}\n")
        request = LowerRequest(source=source, out_dir=tmp_path)
        said, text = transformations(request), lower_text(request).host
        if clauses:
            assert (_NARROW in said["tile"]) == (narrow is True)
            assert ("rex_narrow_tile(" in text) == (narrow is True)
            assert ("the first loop's iterations are the columns" in said["tile"]) == (narrow is None)
        elif not said["collapse"].startswith("no") and narrow is not None:
            assert (_NARROW in said["collapse"]) == narrow
            assert ("rex_collapse_narrow_tiles(" in text) == narrow


_SUM = "s += out[i * m + j] = in[i * m + j];"


@pytest.mark.parametrize(
    ("clauses", "body", "function"),
    [
        ("reduction(+: s)", _SUM, "rex_tile_sums(0,"),
        ("reduction(+: s) num_teams(n)", _SUM, "rex_tile_sums(0,"),
        ("num_teams(n * m / 256) thread_limit(256)", _SUM, "rex_tile("),
        ("reduction(max: s)", "s = s > in[j * n + i] ? s : in[i * m + j];", "rex_tile_sums(1,"),
        ("reduction(+: s, t[0:4])", _SUM, None),  # arrays are added up by whole warps of one dimension
        ("reduction(+: s) schedule(static, 4)", _SUM, None),
        ("reduction(+: s)", "s += in[j] * omp_get_team_num();", None),
    ],
)
def test_tiles_with_reductions_and_given_teams(tmp_path: Path, clauses: str, body: str, function: str | None) -> None:
    source = tmp_path / "unit.c"
    pragma = f"#pragma omp target teams distribute parallel for collapse(2) {clauses}"
    loops = f"for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) {{ {body} }}"
    head = f"int omp_get_team_num(void);\nvoid f({_ALL}, float s, float *t)"
    source.write_text(f"{head}\n{{\n{pragma}\n{loops}\n}}\n")
    request = LowerRequest(source=source, out_dir=tmp_path)
    texts = lower_text(request)
    assert transformations(request)["tile"].startswith("no") == (function is None)
    if function is not None:
        assert f" {function}" in " ".join(texts.host.split()).replace("( ", "(")
    assert ("rex_reduce_tiles(" in texts.device) == ("_sums" in (function or ""))


@pytest.mark.parametrize("clauses", ["collapse(2)", "collapse(2) reduction(+: s)", ""])
def test_all_threads_of_tiles_share_the_other_loop(tmp_path: Path, clauses: str) -> None:
    """A kernel for pointers that the host has looked at runs the general loop for others, in the same grid."""
    source = tmp_path / "unit.c"
    loops = "for (int i = 0; i < 100; ++i) for (int j = 0; j < 300; ++j)"
    body = "f->to[i * 300 + j + 1] = f->from[i * 300 + j] + 1;"
    if clauses:
        body = "for (int k = 0; k < 4; ++k) f->to[i * 300 + j] += f->from[i * 300 + j] * f->w[k]; s += f->to[j];"
    source.write_text(
        "struct field { double *from, *to, *w; };\nvoid f(struct field *f, double s)\n{\n"
        f"#pragma omp target teams distribute parallel for {clauses}\n{loops} {{ {body} }}\n}}\n"
    )
    lowered = lower_text(LowerRequest(source=source, out_dir=tmp_path))
    tiled = [text for text in lowered.device.split('extern "C"') if "REX_TILE_ROWS(" in text or "REX_SUM_ROWS(" in text]
    assert tiled
    for kernel in tiled:
        _, known, other = kernel.partition("    if (f->")
        assert known
        assert "_dev_thread_num = rex_threads_of_tiles();" in other
        assert "rex_reduce_grid" not in kernel

"""rex_kmp.h: the layouts of libomptarget's interface, in every dialect a user's file may be written in."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

INCLUDE = Path(__file__).parents[2] / "rex_build" / "include"

# struct, field, offset in bytes
OFFSETS = (
    ("__tgt_offload_entry", "addr", 0),
    ("__tgt_offload_entry", "name", 8),
    ("__tgt_offload_entry", "size", 16),
    ("__tgt_offload_entry", "flags", 24),
    ("__tgt_offload_entry", "data", 28),
    ("__tgt_device_image", "ImageStart", 0),
    ("__tgt_device_image", "ImageEnd", 8),
    ("__tgt_device_image", "EntriesBegin", 16),
    ("__tgt_device_image", "EntriesEnd", 24),
    ("__tgt_bin_desc", "NumDeviceImages", 0),
    ("__tgt_bin_desc", "DeviceImages", 8),
    ("__tgt_bin_desc", "HostEntriesBegin", 16),
    ("__tgt_bin_desc", "HostEntriesEnd", 24),
    ("__tgt_kernel_arguments", "Version", 0),
    ("__tgt_kernel_arguments", "NumArgs", 4),
    ("__tgt_kernel_arguments", "ArgBasePtrs", 8),
    ("__tgt_kernel_arguments", "ArgPtrs", 16),
    ("__tgt_kernel_arguments", "ArgSizes", 24),
    ("__tgt_kernel_arguments", "ArgTypes", 32),
    ("__tgt_kernel_arguments", "ArgNames", 40),
    ("__tgt_kernel_arguments", "ArgMappers", 48),
    ("__tgt_kernel_arguments", "Tripcount", 56),
    ("__tgt_kernel_arguments", "Flags", 64),
    ("__tgt_kernel_arguments", "NumTeams", 72),
    ("__tgt_kernel_arguments", "ThreadLimit", 84),
    ("__tgt_kernel_arguments", "DynCGroupMem", 96),
)
SIZES = (
    ("__tgt_offload_entry", 32),
    ("__tgt_device_image", 32),
    ("__tgt_bin_desc", 32),
    ("__tgt_kernel_arguments", 104),
)

# The user's own file may already use the names that <stdint.h> and <string.h> declare.
BESIDE_USER_NAMES = """
typedef long long int64_t;
static int memcpy_calls, size_t;
int main(void)
{
    float value = 1.5f;
    void *packed = rex_pack_literal_arg_bytes(&value, sizeof value);
    return packed == (void *)0x3fc00000 && REX_MAP_MEMBER_OF(1) == 0x1000000000000 ? memcpy_calls + size_t : 1;
}
"""


def compile_c(source: str, language: str, standard: str, output: Path) -> None:
    """Compiles with every warning an error; ``#include "rex_kmp.h"`` comes first."""
    done = subprocess.run(
        [
            *("gcc", "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Wsystem-headers"),
            *("-Werror", "-O1"),
            *(f"-I{INCLUDE}", "-", "-pthread", "-o", str(output)),
        ],
        input=f'#include "rex_kmp.h"\n{source}',
        text=True,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr


DIALECTS = (("c", "c99"), ("c", "c11"), ("c", "gnu11"), ("c", "c17"), ("c++", "c++17"), ("c++", "c++20"))


@pytest.mark.parametrize(("language", "standard"), DIALECTS)
def test_compiles_beside_user_names(language: str, standard: str, tmp_path: Path) -> None:
    program = tmp_path / "program"
    compile_c(BESIDE_USER_NAMES, language, standard, program)
    assert subprocess.run([program]).returncode == 0


@pytest.mark.parametrize(("language", "standard"), [("c", "c11"), ("c++", "c++17")])
def test_layout(language: str, standard: str, tmp_path: Path) -> None:
    checks = [f"sizeof(struct {struct}) == {size}" for struct, size in SIZES]
    checks += [f"__builtin_offsetof(struct {struct}, {field}) == {offset}" for struct, field, offset in OFFSETS]
    source = "\n".join(f"REX_ABI_ASSERT({check});" for check in checks) + "\nint main(void) { return 0; }\n"
    compile_c(source, language, standard, tmp_path / "program")


@pytest.mark.parametrize(
    ("trip_count", "most", "blocks", "most_blocks", "threads", "covering"),
    [
        ("0", 256, 264, 1000, 32, 1),
        ("-7", 256, 264, 1000, 32, 1),
        ("1", 256, 264, 1000, 32, 1),
        ("33", 256, 264, 1000, 64, 1),
        ("256", 256, 264, 1000, 64, 1),
        ("257", 256, 264, 1000, 64, 2),
        ("257", 256, 0, 1000, 256, 2),
        ("100", 256, 0, 1000, 128, 1),
        (str(264 * 128), 256, 264, 1000, 128, 132),
        ("36", 48, 264, 1000, 48, 1),
        ("0", 48, 264, 1000, 32, 1),
        ("40", 100, 264, 1000, 64, 1),
        (str(264 * 256), 256, 264, 100, 256, 100),
        ("0x7fffffffffffffff", 128, 264, 2147483647, 128, 2147483647),
    ],
)
def test_launch_shapes(
    trip_count: str, most: int, blocks: int, most_blocks: int, threads: int, covering: int, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    test = f"rex_threads({trip_count}, {most}, 64, {blocks}) == {threads}"
    test += f" && rex_blocks({trip_count}, {most}, {most_blocks}) == {covering}"
    compile_c(f"int main(void) {{ return !({test}); }}", "c", "c11", program)
    assert subprocess.run([program]).returncode == 0


def test_no_block_has_more_threads_than_it_may(tmp_path: Path) -> None:
    loops = "for (int most = 1; most <= 1024; ++most) for (int trips = -1; trips < 1200; trips += 1 + trips / 64)"
    made = "rex_threads(trips, most, least, 264)"
    test = f"{made} > most || {made} < (most < 32 ? most : 16) || ({made} > 32 && {made} < most && {made} % 32)"
    body = f"for (int least = 32; least <= 64; least += 32) {loops} if ({test}) return 1; return 0;"
    compile_c(f"int main(void) {{ {body} }}", "c", "c11", tmp_path / "program")
    assert subprocess.run([tmp_path / "program"]).returncode == 0


# What is between the carrying and the call of the runtime: carry() returns whether the row is counted.
POINTERS = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
enum { MANY = 200000, THREADS = 32 };
static void *rows[MANY];
static char present[MANY];
int omp_get_default_device(void) { return 0; }
void *omp_get_mapped_ptr(const void *p, int device)
{
    return present[(void **)p - rows] ? (char *)p + 1 + device : NULL;
}
void __tgt_target_data_end_mapper(const struct rex_location *loc, rex_int64 device, rex_int32 arg_num,
                                  void **args_base, void **args, const rex_int64 *arg_sizes,
                                  const rex_int64 *arg_types, void *const *arg_names,
                                  void **arg_mappers)
{
    (void)loc, (void)device, (void)arg_num, (void)args_base, (void)args;
    (void)arg_sizes, (void)arg_types, (void)arg_names, (void)arg_mappers;
    abort(); /* no row reaches over several */
}
static int carry(int k, int change)
{
    void *ptr[1];
    const rex_int64 size[1] = {sizeof rows[0]};
    rex_int64 type[1] = {0};
    ptr[0] = &rows[k];
    rex_carry(0, 0, change, 1, ptr, size, type);
    return type[0] == 0;
}
"""
MANY = """
int main(void)
{
    int k, wrong = 0;
    for (k = 0; k < MANY; ++k) {
        const int at = (int)(k * 7LL % MANY);
        wrong += !carry(at, 1);
        present[at] = 1;
        wrong += !carry(at, 1);
    }
    for (k = 0; k < MANY; ++k) {
        wrong += !carry(k, -1) + !carry(k, -1);
        wrong += carry(k, 1); /* the entry is gone, and what is there is there for another reason */
        present[k] = 0;
    }
    printf("%d %d\\n", wrong, rex_carrier_tree != NULL);
    return 0;
}
"""
AT_ONCE = """
static void *work(void *first)
{
    int k, wrong = 0;
    for (k = (int)((void **)first - rows); k < MANY; k += THREADS) {
        wrong += !carry(k, 1);
        present[k] = 1;
    }
    for (k = (int)((void **)first - rows); k < MANY; k += THREADS) {
        wrong += !carry(k, -1);
        present[k] = 0;
    }
    return wrong ? first : NULL;
}
int main(void)
{
    pthread_t threads[THREADS];
    void *failed;
    int i, wrong = 0;
    for (i = 0; i < THREADS; ++i)
        pthread_create(&threads[i], NULL, work, &rows[i]);
    for (i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], &failed);
        wrong += failed != NULL;
    }
    printf("%d %d\\n", wrong, rex_carrier_tree != NULL);
    return 0;
}
"""


@pytest.mark.parametrize("program", [MANY, AT_ONCE], ids=["many", "at_once"])
def test_pointers_mapped_for_sections(program: str, tmp_path: Path) -> None:
    """200,000 of them, each mapped alone: no quadratic time, and no waiting for threads that have no processor."""
    compile_c(POINTERS + program, "c", "gnu11", tmp_path / "program")
    done = subprocess.run([tmp_path / "program"], capture_output=True, text=True, timeout=30)
    assert done.stdout == "0 0\n", done.stdout + done.stderr


# Some addresses below 40 are on the device, in pieces {begin, end, shift}. Some have one shift, and two touch.
PIECES = """
#include <stdio.h>
static const int pieces[][3] = {{4, 8, 100}, {9, 12, 100}, {12, 16, 100}, {17, 20, 300}, {22, 26, -40}, {30, 33, 300}};
enum { COUNT = sizeof pieces / sizeof pieces[0] };
static int piece_of(long address)
{
    int k;
    for (k = 0; k < COUNT; ++k)
        if (address >= pieces[k][0] && address < pieces[k][1])
            return k;
    return -1;
}
int omp_get_default_device(void) { return 0; }
void *omp_get_mapped_ptr(const void *p, int device)
{
    const int k = piece_of((long)p);
    (void)device;
    return k < 0 ? NULL : (char *)p + pieces[k][2];
}
static int elsewhere(long a, long a_size, long b, long b_size)
{
    return rex_elsewhere((void *)a, a_size, rex_shift(0, a), (void *)b, b_size, rex_shift(0, b), 0);
}
int main(void)
{
    long a, b;
    int wrong = 0;
    for (a = 1; a < 40; ++a)
        for (b = 1; b < 40; ++b) {
            const int p = piece_of(a), q = piece_of(b), differ = elsewhere(a, 0, b, 0);
            wrong += differ && (p < 0 || q < 0 || p == q);
            wrong += !differ && p >= 0 && q >= 0 && pieces[p][2] != pieces[q][2];
            wrong += elsewhere(a, 0, b, 1) && (p < 0 || p == q); /* b may get a piece of its own */
        }
    wrong += !elsewhere(4, 0, 9, 0) + !elsewhere(9, 0, 4, 0); /* one shift, and something between them */
    wrong += !elsewhere(17, 0, 30, 0) + !elsewhere(5, 0, 18, 0) + !elsewhere(5, 0, 35, 1);
    printf("%d\\n", wrong);
    return 0;
}
"""


def test_different_pieces_of_device_memory(tmp_path: Path) -> None:
    """Whatever the pieces and the two addresses are, only addresses in different pieces are said to be in such."""
    compile_c(PIECES, "c", "gnu11", tmp_path / "program")
    done = subprocess.run([tmp_path / "program"], capture_output=True, text=True)
    assert done.stdout == "0\n", done.stdout + done.stderr

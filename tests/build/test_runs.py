"""Runs the launches of a run between a runtime and a driver that print what they are asked for."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from build_tool import ROOT

from rex_build.profile.measured import LAUNCH, WAIT, Total, read_profile
from rex_build.profile.run import recorder
from rex_build.render.registration import Image, Unit
from rex_build.render.registration_text import render_registration
from rex_build.tools.runtimes import find_runtimes

pytestmark = pytest.mark.compile

IDENTITY = "0123456789abcdef"

# Replaces libomptarget and the program. `data` is on the device from its second element on, at `device`.
RUNTIME = """
#include "rex_kmp.h"
#include <stdio.h>
#include <string.h>
static char first_id, second_id;
struct __tgt_offload_entry __rex_offload_entries_0123456789abcdef[] = {
    {&first_id, (char *)"first", 0, 0, 0}, {&second_id, (char *)"second", 0, 0, 0}};
static char data[64], device[64];
int omp_get_default_device(void) { return 0; }
int omp_get_num_devices(void) { return 1; }
int omp_get_max_teams(void) { return 0; }
int omp_get_teams_thread_limit(void) { return 0; }
int omp_target_is_present(const void *pointer, int number) { return (void)pointer, number & 0; }
int omp_target_disassociate_ptr(const void *pointer, int number) { return (void)pointer, number & 0; }
void __tgt_init_all_rtls(void) {}
void __tgt_register_lib(struct __tgt_bin_desc *desc) { (void)desc; }
void __tgt_unregister_lib(struct __tgt_bin_desc *desc) { (void)desc; }
void *omp_get_mapped_ptr(const void *pointer, int number)
{
    const char *const at = (const char *)pointer;
    return number == 0 && at >= data + 8 && at < data + 64 ? device + (at - data) : 0;
}
static void show(const char *what, rex_int32 count, void **base, void **ptr, const rex_int64 *sizes,
                 const rex_int64 *types)
{
    int i;
    printf("%s", what);
    for (i = 0; i < count; ++i)
        printf(" +%d[%d]:%x", (int)((char *)ptr[i] - data), (int)sizes[i], (int)types[i]);
    printf("\\n");
    for (i = 0; i < count; ++i)
        if (types[i] & REX_MAP_RETURN_PARAM)
            base[i] = device + ((char *)base[i] - data);
}
void __tgt_target_data_begin_mapper(const struct rex_location *loc, rex_int64 number, rex_int32 count, void **base,
                                    void **ptr, const rex_int64 *sizes, const rex_int64 *types, void *const *names,
                                    void **mappers)
{
    (void)loc, (void)number, (void)names, (void)mappers;
    show("begin", count, base, ptr, sizes, types);
}
void __tgt_target_data_end_mapper(const struct rex_location *loc, rex_int64 number, rex_int32 count, void **base,
                                  void **ptr, const rex_int64 *sizes, const rex_int64 *types, void *const *names,
                                  void **mappers)
{
    (void)loc, (void)number, (void)names, (void)mappers;
    show("end", count, base, ptr, sizes, types);
}
int __tgt_target_kernel(const struct rex_location *loc, rex_int64 number, rex_int32 teams, rex_int32 threads, void *id,
                        struct __tgt_kernel_arguments *args)
{
    (void)loc, (void)number, (void)teams, (void)threads, (void)args;
    printf("runtime launches %s\\n", id == &first_id ? "first" : "second");
    return 0;
}
typedef int launcher(const struct rex_location *, void *, struct __tgt_kernel_arguments *, rex_uint64);
static launcher *launched = rex_launched_in_order;
static void launch(void *id, int from, rex_int64 size, rex_int64 type, long value)
{
    static const struct rex_location location = REX_LOCATION("a.c", "f", 3, 9);
    void *base[] = {data, (void *)value}, *ptr[] = {data + from, (void *)value};
    const rex_int64 sizes[] = {size, 8};
    const rex_int64 types[] = {type | REX_MAP_TARGET_PARAM, REX_MAP_TARGET_PARAM | REX_MAP_LITERAL};
    struct __tgt_kernel_arguments arguments = {
        REX_KERNEL_ARGS_VERSION, 2, base, ptr, sizes, types, 0, 0, 0, REX_KERNEL_FLAG_STRICT, {4, 0, 0}, {32, 2, 0}, 0};
    if (!launched(&location, id, &arguments, 0))
        __tgt_target_kernel(&location, -1, 4, 32, id, &arguments);
    launched = rex_launched_in_order;
}
static int small = 41;
static char read_only = 7;
/* Present data, and two variables that are not on the device. */
static void launch_small(rex_int64 type, rex_uint64 own_rows)
{
    static const struct rex_location location = REX_LOCATION("a.c", "f", 9, 9);
    void *base[] = {data, &small, &read_only}, *ptr[] = {data + 8, &small, &read_only};
    const rex_int64 sizes[] = {16, sizeof small, 1};
    const rex_int64 types[] = {
        REX_MAP_TO | REX_MAP_TARGET_PARAM, type | REX_MAP_TARGET_PARAM, REX_MAP_TO | REX_MAP_TARGET_PARAM};
    struct __tgt_kernel_arguments arguments = {
        REX_KERNEL_ARGS_VERSION, 3, base, ptr, sizes, types, 0, 0, 0, REX_KERNEL_FLAG_STRICT, {4, 0, 0}, {32, 2, 0}, 0};
    if (!rex_launched_in_order(&location, &second_id, &arguments, own_rows))
        __tgt_target_kernel(&location, -1, 4, 32, &second_id, &arguments);
    printf("the host has %d\\n", small);
}
const char *expected_device(void) { return device; }
int main(int argc, char **argv)
{
    int i;
    for (i = 1; i < argc; ++i)
        switch (argv[i][0]) {
        case '1': launch(&first_id, 8, 16, REX_MAP_TO, 5); break;
        case 'c': launched = rex_launched_in_callers_run, launch(&first_id, 8, 16, REX_MAP_TO, 5); break;
        case '{': rex_begin_run(); break;
        case '}': rex_end_run(); break;
        case '2': launch(&second_id, 8, 16, REX_MAP_TOFROM, 6); break;
        case '3': launch(&first_id, 24, 40, REX_MAP_FROM, 7); break;
        case 's': launch_small(REX_MAP_TOFROM, 6); break;
        case 't': launch_small(REX_MAP_TO, 6); break;
        case 'o': launch_small(REX_MAP_TOFROM, 4); break; /* others may reach the first one */
        case 'a': launch_small(REX_MAP_TOFROM | REX_MAP_ALWAYS, 6); break;
        case 'p': launch(&first_id, 0, 16, REX_MAP_TO, 8); break; /* a part of it is not there */
        default: rex_wait_for_launches();
        }
    return 0;
}
"""

DRIVER = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* CUPTI, as recorder.c knows it. The first kernel takes 100 ns, the second one 300 ns. */
struct call { int32_t site; const void *unused[5]; uint32_t context; uint64_t *data; uint32_t correlation; };
struct kernel { int32_t kind, unused[3]; uint64_t begin, end, more[6]; int32_t ints[3]; uint32_t correlation; };
static void (*on_call)(void *, int, uint32_t, const struct call *);
static void (*on_request)(uint8_t **, size_t *, size_t *), (*on_buffer)(void *, uint32_t, uint8_t *, size_t, size_t);
static struct kernel kernels[16];
static unsigned launches;
int cuptiSubscribe(void **id, void *function, void *data) { *id = data; *(void **)&on_call = function; return 0; }
int cuptiActivityRegisterCallbacks(void *request, void *buffer)
{
    *(void **)&on_request = request;
    *(void **)&on_buffer = buffer;
    return 0;
}
int cuptiActivityEnable(int kind) { return kind != 1 && kind != 10; }
int cuptiEnableCallback(uint32_t on, void *id, int domain, uint32_t function)
{
    return !on || id || domain != 1 || !function;
}
int cuptiGetTimestamp(uint64_t *now) { *now = 1000; return 0; }
int cuptiActivityGetNextRecord(uint8_t *buffer, size_t size, void **record)
{
    uint8_t *const next = *record ? (uint8_t *)*record + sizeof(struct kernel) : buffer;
    *record = next;
    return next >= buffer + size;
}
int cuptiActivityFlushAll(uint32_t flag)
{
    uint8_t *buffer;
    size_t size, most;
    on_request(&buffer, &size, &most);
    memcpy(buffer, kernels, launches * sizeof kernels[0]);
    on_buffer(0, flag, buffer, size, launches * sizeof kernels[0]);
    launches = 0;
    return 0;
}
static void record_kernel(int is_second)
{
    const struct call call = {.correlation = launches + 1};
    if (!on_call)
        return;
    on_call(0, 1, 307, &call);
    kernels[launches++] =
        (struct kernel){.kind = 10, .begin = 2000, .end = is_second ? 2300 : 2100, .correlation = call.correlation};
}
const char *expected_device(void) __attribute__((weak));
static char context, modules, functions[2], streams;
static void *current;
int cuInit(unsigned int flags) { return flags != 0; }
int cuDeviceGetCount(int *count) { *count = 0; return 0; }
int cuDeviceGetAttribute(int *value, int which, int device) { *value = which + device; return 1; }
int cuDevicePrimaryCtxRetain(void **found, int device) { *found = &context; return device; }
int cuDevicePrimaryCtxRelease_v2(int device) { return device; }
int cuCtxGetCurrent(void **found) { *found = current; return 0; }
int cuCtxPushCurrent_v2(void *to) { current = to; return 0; }
int cuCtxPopCurrent_v2(void **from) { *from = current; current = 0; return 0; }
int cuGetErrorString(int error, const char **text) { *text = error == 700 ? "illegal access" : "other"; return 0; }
int cuModuleLoadData(void **module, const void *image)
{
    (void)image;
    printf("load\\n");
    *module = &modules;
    return 0;
}
int cuModuleUnload(void *module) { (void)module; printf("unload\\n"); return current != &context; }
int cuModuleGetFunction(void **function, void *module, const char *name)
{
    (void)module;
    *function = &functions[name[0] == 's'];
    return 0;
}
int cuPointerGetAttributes(unsigned int count, int *which, void **values, unsigned long pointer)
{
    unsigned int i;
    (void)pointer;
    for (i = 0; i < count; ++i)
        if (which[i] == 1)
            *(void **)values[i] = &context;
        else
            *(unsigned int *)values[i] = which[i] == 2 ? 2 : which[i] == 8 && getenv("MANAGED") != 0;
    return 0;
}
int cuStreamCreate(void **stream, unsigned int flags) { printf("stream %u\\n", flags); *stream = &streams; return 0; }
int cuStreamSynchronize(void *stream)
{
    usleep(getenv("PROFILED") ? 20000 : 0);
    printf("wait%s\\n", stream == &streams ? "" : " for another");
    return getenv("FAULT") ? 700 : 0;
}
static char pinned[4096], there[4096];
int cuMemAllocHost_v2(void **memory, unsigned long size) { *memory = pinned; return size > sizeof pinned; }
int cuMemAlloc_v2(unsigned long *memory, unsigned long size)
{
    *memory = (unsigned long)there;
    return size > sizeof there;
}
int cuMemcpyHtoDAsync_v2(unsigned long to, const void *from, unsigned long size, void *stream)
{
    printf("%lu bytes to +%ld\\n", size, (long)((char *)to - there));
    memcpy((void *)to, from, size);
    return stream != &streams;
}
int cuMemcpyDtoHAsync_v2(void *to, unsigned long from, unsigned long size, void *stream)
{
    printf("%lu bytes from +%ld\\n", size, (long)((char *)from - there));
    memcpy(to, (void *)from, size);
    return stream != &streams;
}
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **parameters, void **extra)
{
    char *const second = *(char **)parameters[2];
    record_kernel(function != functions);
    if (second >= there && second < there + sizeof there) { /* this kernel adds one variable to the other */
        *(int *)second += *(*(char **)parameters[3]);
        printf("launch with +%ld\\n", (long)(second - there));
        return 0;
    }
    printf("launch %d %ux%ux%u %ux%ux%u +%ld %ld\\n", (int)((char *)function - functions), gx, gy, gz, bx, by, bz,
           (long)(*(char **)parameters[1] - expected_device()), *(long *)parameters[2]);
    return shared || extra || stream != &streams || current != &context;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with ``main``, behind libraries that are preloaded."""
    folder = tmp_path_factory.mktemp("program")
    image = folder / "image"
    image.write_bytes(b"image")
    images = (Image(image, "sm_90", hashlib.sha256(b"image").hexdigest(), frozenset(("first", "second"))),)
    units = [Unit(folder / "rose.c", "source.c", IDENTITY, ("first", "second"), images)]
    (folder / "register.c").write_text(render_registration(units))
    (folder / "runtime.c").write_text(RUNTIME)
    (folder / "driver.c").write_text(DRIVER)
    libomp = find_runtimes()[0].omp
    flags = ["-Wall", "-Wextra", "-Wcast-qual", "-Werror", "-O2", f"-I{ROOT / 'rex_build' / 'include'}"]
    shared = ["gcc", "-shared", "-fPIC"]
    program = [*flags, f"-Wl,-rpath,{libomp.parent}", "register.c", "runtime.c", str(libomp), "-o", "libprogram.so"]
    subprocess.run([*shared, "driver.c", "-o", "libcuda.so.1"], cwd=folder, check=True)
    subprocess.run([*shared, *program], cwd=folder, check=True)
    subprocess.run(["gcc", "-no-pie", "libprogram.so", "-Wl,-rpath,$ORIGIN", "-o", "program"], cwd=folder, check=True)
    return folder / "program"


def events(program: Path, *steps: str, status: int = 0, **environment: str) -> list[str]:
    """What the runtime and the driver are asked for in a program that does the steps."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "LIBOMPTARGET_", "CUDA_"))}
    variables |= {"LD_LIBRARY_PATH": str(program.parent), **environment}
    done = subprocess.run(["stdbuf", "-oL", program, *steps], capture_output=True, text=True, env=variables)
    assert done.returncode == status
    return [*done.stdout.splitlines(), *done.stderr.splitlines()]


FIRST, SECOND = "launch 0 4x1x1 32x2x1 +0 5", "launch 1 4x1x1 32x2x1 +0 6"
BEGIN = "begin +8[16]:41"


def test_launches_follow_each_other_and_are_waited_for_once(program: Path) -> None:
    assert events(program, "1", "2", "1", "wait", "wait", "1", "wait") == [
        BEGIN, "load", "stream 1", FIRST, SECOND, FIRST, "wait", "end +8[16]:3",
        BEGIN, FIRST, "wait", "end +8[16]:1", "unload",
    ]  # fmt: skip


def test_a_run_with_calls_has_what_they_launch(program: Path) -> None:
    """A run of the called function does not wait. Without such a run, its own region is left to the runtime."""
    assert events(program, "c", "{", "c", "2", "wait", "{", "c", "}", "c", "}", "c", "wait") == [
        "runtime launches first", BEGIN, "load", "stream 1", FIRST, SECOND, FIRST, FIRST, "wait", "end +8[16]:3",
        "runtime launches first", "unload",
    ]  # fmt: skip
    assert events(program, "{", "c", "p", "c", "}")[3:] == [
        FIRST, "wait", "end +8[16]:1", "runtime launches first", BEGIN, FIRST, "wait", "end +8[16]:1", "unload",
    ]  # fmt: skip


def test_data_is_held_once(program: Path) -> None:
    found = events(program, "1", "3", "2", "3", "wait")
    assert [e for e in found if e.startswith(("begin", "end"))] == [BEGIN, "begin +24[40]:42", "end +8[16]:3 +24[40]:2"]
    assert sum(e.startswith("launch") for e in found) == 4


def test_data_that_is_not_there_is_left_to_the_runtime_after_a_wait(program: Path) -> None:
    found = events(program, "1", "p", "2", "wait")
    assert found[3:] == [FIRST, "wait", "end +8[16]:1", "runtime launches first", "begin +8[16]:43", SECOND, "wait",
                         "end +8[16]:3", "unload"]  # fmt: skip


TRANSFER = "32 bytes %s +%d"


def test_small_variables_take_one_transfer_each_way(program: Path) -> None:
    """The region is waited for, since one comes back, but what the run holds stays held."""
    assert events(program, "1", "s", "s", "1", "wait")[3:] == [
        FIRST,
        TRANSFER % ("to", 0), "launch with +0", TRANSFER % ("from", 0), "wait", "the host has 48",
        TRANSFER % ("to", 0), "launch with +0", TRANSFER % ("from", 0), "wait", "the host has 55",
        FIRST, "wait", "end +8[16]:1", "unload",
    ]  # fmt: skip


def test_small_variables_that_stay_are_not_waited_for(program: Path) -> None:
    """Each launch has memory of its own for them, until there is none left."""
    found = events(program, *["t"] * 130, "wait")
    assert found[3:7] == [TRANSFER % ("to", 0), "launch with +0", "the host has 41", TRANSFER % ("to", 32)]
    assert [i for i, event in enumerate(found) if event == "wait"] == [3 + 3 * 128, 3 + 3 * 130 + 1]
    assert TRANSFER % ("to", 4064) in found


@pytest.mark.parametrize("step", ["a", "o"])
def test_other_small_variables_are_left_to_the_runtime(program: Path, step: str) -> None:
    """Those with modifiers, and those that other threads may map at the same time."""
    assert "runtime launches second" in events(program, "1", step, "wait")


@pytest.mark.parametrize(
    "variable", ["MANAGED", "LIBOMPTARGET_INFO", "OMP_TOOL_LIBRARIES", "CUDA_LAUNCH_BLOCKING", "REX_PROFILE_DIR"]
)
def test_what_is_watched_is_left_to_the_runtime(program: Path, variable: str) -> None:
    assert events(program, "1", "2", "wait", **{variable: "1"}) == [
        "runtime launches first",
        "runtime launches second",
    ]


def test_a_failure_names_the_region(program: Path) -> None:
    found = events(program, "1", "wait", status=-6, FAULT="1")
    assert found[-3:] == ["rex-build: CUDA error: illegal access", "rex-build: it came up in this region:",
                          "  a.c:3, in 'f'"]  # fmt: skip


def test_a_profile_has_the_launches_of_a_run_and_divides_the_wait(program: Path, tmp_path: Path) -> None:
    """Regions are not waited for one by one because of the profile. The wait is divided by the kernels' times."""
    folder = tmp_path / "profile"
    folder.mkdir()
    variables = {"LD_PRELOAD": str(recorder(folder)), "REX_PROFILE_DIR": str(folder), "PROFILED": "1"}
    variables["REX_PROFILE_CUPTI"] = str(program.with_name("libcuda.so.1"))
    found = events(program, "1", "t", "1", "wait", "p", **variables)
    assert [found.count(event) for event in (FIRST, "launch with +0", "wait", "runtime launches first")] == [2, 1, 1, 1]
    profile = read_profile(folder.glob("*.json"))
    assert profile is not None
    assert profile.has_gpu_times
    first, second = (next(line for line in profile.lines if line.place.line == number) for number in (3, 9))
    assert not [line for line in profile.lines if "data" in line.what]
    assert (first.calls, second.calls) == (3, 1)
    assert (first.gpu[LAUNCH], second.gpu[LAUNCH]) == (Total(2, 0, 200), Total(1, 0, 300))
    waits = first.operations[WAIT].time, second.operations[WAIT].time
    assert sum(waits) >= 20_000_000
    assert abs(waits[0] / waits[1] - 2 / 3) < 1e-3
    assert first.time >= waits[0]
    assert second.time >= waits[1]
    assert (second.teams, second.threads) == ((4, 4), (64, 64))

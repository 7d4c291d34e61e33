"""Runs the registration unit between a runtime and a driver that print what they are asked for."""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from build_tool import ROOT

from rex_build.base.names import ready_kernel
from rex_build.render.registration import Image, Unit
from rex_build.render.registration_text import render_registration
from rex_build.tools.runtimes import find_runtimes

pytestmark = pytest.mark.compile

FIRST, SECOND = "0123456789abcdef", "fedcba9876543210"

# Replaces libomptarget and the program, and prints the tables that it gets and the launches.
RUNTIME = """
#include "rex_kmp.h"
#include <stdio.h>
static char first_id, second_id;
struct __tgt_offload_entry __rex_offload_entries_0123456789abcdef[] = {{&first_id, (char *)"first", 0, 0, 0}};
struct __tgt_offload_entry __rex_offload_entries_fedcba9876543210[] = {
    {&second_id, (char *)"second", 0, 0, 0}, {REX_STATIC, (char *)"own", 0, 0, 0}};
int function(void)
{
    static int own;
    static struct __tgt_offload_entry entry REX_STATICS("fedcba9876543210") = {&own, (char *)"own", sizeof own, 0, 0};
    return own;
}
static struct __tgt_bin_desc *units[2];
static int registered;
int omp_get_default_device(void) { return DEFAULT_DEVICE; }
int omp_get_num_devices(void) { return 1; }
int omp_get_max_teams(void) { return 0; }
int omp_get_teams_thread_limit(void) { return 0; }
void *omp_get_mapped_ptr(const void *pointer, int device) { return device ? 0 : (void *)(unsigned long)pointer; }
void __tgt_target_data_end_mapper(const struct rex_location *loc, rex_int64 device, rex_int32 arg_num,
                                  void **args_base, void **args, const rex_int64 *arg_sizes,
                                  const rex_int64 *arg_types, void *const *arg_names,
                                  void **arg_mappers)
{
    (void)loc, (void)args_base, (void)args, (void)arg_sizes, (void)arg_types, (void)arg_names, (void)arg_mappers;
    printf("data end %d of %d\\n", arg_num, (int)device);
}
int omp_target_is_present(const void *pointer, int device) { return (void)pointer, (void)device, 0; }
int omp_target_disassociate_ptr(const void *pointer, int device) { return (void)pointer, (void)device, 0; }
void __tgt_init_all_rtls(void) {}
void __tgt_register_lib(struct __tgt_bin_desc *desc)
{
    struct __tgt_offload_entry *e;
    printf("register");
    for (e = desc->HostEntriesBegin; e < desc->HostEntriesEnd; ++e)
        e->size ? printf(" %s:%d", e->name, (int)e->size) : printf(" %s", e->name);
    printf("\\n");
    units[registered++] = desc;
}
void __tgt_unregister_lib(struct __tgt_bin_desc *desc) { (void)desc; }
void __tgt_target_data_begin_mapper(const struct rex_location *loc, rex_int64 device, rex_int32 arg_num,
                                    void **args_base, void **args, const rex_int64 *arg_sizes,
                                    const rex_int64 *arg_types, void *const *arg_names,
                                    void **arg_mappers)
{
    (void)loc, (void)args_base, (void)args, (void)arg_sizes, (void)arg_types, (void)arg_names, (void)arg_mappers;
    printf("data %d of %d\\n", arg_num, (int)device);
}
int __tgt_target_kernel(const struct rex_location *loc, rex_int64 device, rex_int32 teams, rex_int32 threads, void *id,
                        struct __tgt_kernel_arguments *args)
{
    struct __tgt_offload_entry *e;
    int i;
    for (i = 0; i < registered; ++i)
        for (e = units[i]->HostEntriesBegin; e < units[i]->HostEntriesEnd; ++e)
            if (e->addr == id)
                printf("launch %s %d %d %d %d\\n", e->name, (int)device, teams, threads, args->NumArgs);
    args->NumArgs = 99; /* as the runtime does */
    return loc != 0;
}
int main(void)
{
    rex_offload_init();
    rex_offload_init();
    return 0;
}
"""

# A driver with three GPUs: of compute capability 8.0 and 9.0, and one whose context cannot be opened.
DRIVER = """
#include <stdio.h>
static char open[3];
int cuInit(unsigned int flags) { return flags != 0; }
int cuDeviceGetCount(int *count) { *count = 3; return 0; }
int cuDeviceGetAttribute(int *value, int which, int device)
{
    *value = which == 75 ? (device == 0 ? 8 : 9) : 0;
    return which != 75 && which != 76;
}
int cuDevicePrimaryCtxRetain(void **context, int device)
{
    open[device] = device != 2;
    *context = &open[device];
    printf("retain %d\\n", device);
    return device == 2;
}
int cuDevicePrimaryCtxRelease_v2(int device) { printf("release %d\\n", device); return 0; }
int cuDevicePrimaryCtxGetState(int device, unsigned int *flags, int *active)
{
    *flags = 0;
    *active = open[device];
    return 0;
}
int cuDeviceTotalMem_v2(unsigned long *bytes, int device) { *bytes = (unsigned long)(device + 1) << 33; return 0; }
int cuCtxPushCurrent_v2(void *context) { printf("push %d\\n", (int)((char *)context - open)); return 0; }
int cuCtxPopCurrent_v2(void **context) { *context = 0; printf("pop\\n"); return 0; }
int cuCtxGetLimit(unsigned long *bytes, int limit) { *bytes = limit == 0 ? 1024 : 8 << 20; return 0; }
int cuCtxSetLimit(int limit, unsigned long bytes) { printf("limit %d %lu\\n", limit, bytes); return 0; }
"""


def unit(folder: Path, identity: str, archs: tuple[str, ...], defined: frozenset[str]) -> Unit:
    images = []
    for arch in archs:
        path = folder / f"{identity}.{arch}"
        path.write_bytes(b"image")
        images.append(Image(path, arch, hashlib.sha256(b"image").hexdigest(), defined))
    return Unit(folder / "rose.c", "source.c", identity, ("first" if identity == FIRST else "second",), tuple(images))


def events(folder: Path, units: list[Unit], merged: bool = False, default: int = 0, **environment: str) -> list[str]:
    """The calls of the runtime and the driver at the start of the program."""
    (folder / "register.c").write_text(render_registration(units, merged=merged))
    (folder / "runtime.c").write_text(RUNTIME)
    (folder / "driver.c").write_text(DRIVER)
    flags = ["-Wall", "-Wextra", "-Wcast-qual", "-Werror", f"-I{ROOT / 'rex_build' / 'include'}"]
    driver = ["gcc", "-shared", "-fPIC", "driver.c", "-o", "libcuda.so.1"]
    libomp = find_runtimes()[0].omp
    options = [*flags, f"-DDEFAULT_DEVICE={default}", f"-Wl,-rpath,{libomp.parent}"]
    program = ["gcc", *options, "register.c", "runtime.c", str(libomp), "-o", "program"]
    for command in (driver, program):
        subprocess.run(command, cwd=folder, check=True)
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "LIBOMPTARGET_"))}
    variables |= {"LD_LIBRARY_PATH": str(folder), **environment}
    done = subprocess.run([folder / "program"], capture_output=True, text=True, env=variables, check=True)
    return done.stdout.splitlines()


@pytest.fixture
def gpu_unit(tmp_path: Path) -> Unit:
    return unit(tmp_path, FIRST, ("sm_90",), frozenset(("first",)))


def test_contexts_are_held_while_the_images_are_registered(tmp_path: Path, gpu_unit: Unit) -> None:
    """Contexts are held only for GPUs that have an image, and only until the runtime has opened them itself."""
    assert events(tmp_path, [gpu_unit])[:4] == ["retain 1", "retain 2", "register first", "release 1"]


@pytest.mark.parametrize(
    ("archs", "retained"),
    [(("sm_90a",), ["1", "2"]), (("sm_80",), ["0"]), (("sm_86",), []), (("sm_80", "sm_90"), ["0", "1", "2"])],
)
def test_contexts_of_the_gpus_that_have_an_image(tmp_path: Path, archs: tuple[str, ...], retained: list[str]) -> None:
    found = events(tmp_path, [unit(tmp_path, FIRST, archs, frozenset(("first",)))])
    assert [event.split()[1] for event in found if event.startswith("retain")] == retained


@pytest.mark.parametrize("variable", ["OMP_WAIT_POLICY=PASSIVE", "OMP_TARGET_OFFLOAD=disabled"])
def test_contexts_are_left_to_the_runtime(tmp_path: Path, gpu_unit: Unit, variable: str) -> None:
    name, _, value = variable.partition("=")
    assert events(tmp_path, [gpu_unit], **{name: value})[0] == "register first"


STACK, HEAP = "limit 0 8192", f"limit 2 {(2 << 33) // 64}"


@pytest.mark.parametrize(
    ("recursive", "allocates", "user", "expected"),
    [
        (False, False, {}, []),
        (True, False, {}, [STACK]),
        (False, True, {}, [HEAP]),
        (True, True, {}, [STACK, HEAP]),
        (True, True, {"LIBOMPTARGET_STACK_SIZE": "2048"}, [HEAP]),
        (True, True, {"LIBOMPTARGET_HEAP_SIZE": "16777216"}, [STACK]),
    ],
)
def test_limits_are_raised_for_what_has_no_known_size(
    tmp_path: Path, gpu_unit: Unit, recursive: bool, allocates: bool, user: dict[str, str], expected: list[str]
) -> None:
    """Limits are raised if the runtime holds a context and the user has not set them.

    Other programs ask for nothing.
    """
    images = tuple(replace(image, allocates=allocates) for image in gpu_unit.images)
    other = unit(tmp_path, SECOND, ("sm_90",), frozenset(("second", "own")))
    found = events(tmp_path, [other, replace(gpu_unit, images=images, recursive=recursive)], **user)
    raised = ["retain 1", "push 1", *expected, "pop", "release 1"] if recursive or allocates else []
    assert found[5 : 5 + len(raised)] == raised
    assert [event for event in found if event.startswith("limit")] == expected


def test_no_gpu_image_no_driver(tmp_path: Path) -> None:
    only = unit(tmp_path, FIRST, ("cpu",), frozenset(("first",)))
    images = tuple(replace(image, allocates=True) for image in only.images)
    assert "libcuda" not in render_registration([replace(only, images=images, recursive=True)])


def test_without_an_empty_kernel_the_device_is_opened(tmp_path: Path, gpu_unit: Unit) -> None:
    """Images that were made in another way have no empty kernel."""
    assert events(tmp_path, [gpu_unit])[4:] == ["data 0 of 0"]


@pytest.mark.parametrize("merged", [False, True])
def test_an_empty_kernel_takes_the_first_launches(tmp_path: Path, merged: bool) -> None:
    defined = frozenset(("first", "second", ready_kernel(FIRST), ready_kernel(SECOND)))
    units = [unit(tmp_path, identity, ("sm_90",), defined) for identity in (FIRST, SECOND)]
    found = [event for event in events(tmp_path, units, merged) if event.startswith(("register", "launch", "data"))]
    ready = ready_kernel(FIRST)
    tables = [f"register first second {ready}"] if merged else [f"register first {ready}", "register second"]
    assert found == [*tables, *[f"launch {ready} 0 1 16 12"] * 3], "once, although rex_offload_init() is called twice"


@pytest.mark.parametrize("merged", [False, True])
def test_entries_of_static_variables_come_from_their_functions(tmp_path: Path, merged: bool) -> None:
    defined = frozenset(("first", "second", "own"))
    first, second = (unit(tmp_path, identity, ("sm_90",), defined) for identity in (FIRST, SECOND))
    second = replace(second, entries=("second", "own"), statics=("own",))
    found = [event for event in events(tmp_path, [first, second], merged) if event.startswith("register")]
    assert found == (["register first second own:4"] if merged else ["register first", "register second own:4"])


def test_no_device_no_launch(tmp_path: Path) -> None:
    only = unit(tmp_path, FIRST, ("sm_90",), frozenset(("first", ready_kernel(FIRST))))
    assert not [event for event in events(tmp_path, [only], default=1) if event.startswith(("launch", "data"))]

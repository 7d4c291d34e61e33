"""The rows of the offload arrays for every map form, as libomptarget receives them.

Each case is a function of one C unit. Its host file is linked with a runtime that records the rows of every call
instead of running anything, and after the construct the function itself says what the rows should have been, in C.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rex_build.base.paths import include_dir

pytestmark = pytest.mark.compile

_PRELUDE = """
struct S { int a; double d; int arr[4]; int *p; };
struct N { int x; struct S in; struct S *ps; };
extern int buffer[64];
void row(const void *base, const void *pointer, long size, long type);
void literal(const void *bytes, long size, long type);
void hold(const void *address, long size);
void begin(const char *name);
void end(void);
int gi = 4, ga[10], *gp = buffer;
#pragma omp declare target
int dt = 5;
#pragma omp end declare target
struct V { int n; int *p; };
#pragma omp declare mapper(struct V v) map(to: v.n) map(tofrom: v.p[0:v.n])
"""
_LOCALS = """
    int i = 3, n = 8, lb = 2, len = 3; double d = 2.5; char c = 'c'; _Bool flag = 1; long long ll = 7; float f = 1.5f;
    const int ci = 9; enum E { RED } e = RED; long double ld = 1;
    int a[10] = {0}; double m[4][6] = {{0}}; int *p = buffer, *ap[4] = {buffer, buffer, buffer, buffer}, **pp = ap;
    int (*pa)[10] = (int (*)[10])buffer;
    struct S s = {.p = buffer}, *q = &s, sa[4] = {s, s, s, s}; struct N o = {.in = {.p = buffer}, .ps = &s};
    struct V v = {3, buffer}, vs[2] = {{1, buffer}, {2, buffer + 8}};
"""

MO1, MO2 = 1 << 48, 2 << 48

# (what stands after "#pragma omp", the statement, the rows: (base, pointer, size, type) or a literal (variable, type))
Row = tuple[str, str, str, int] | tuple[str, int]
_CASES: dict[str, tuple[str, str, list[Row]]] = {
    # Scalars.
    **{
        f"implicit {name}": ("target", f"int t = {name} != 0;", [(name, 0x320)])
        for name in ("i", "d", "c", "flag", "ll", "f", "e", "gi")
    },
    "implicit const": ("target", "int t = ci;", [("ci", 0x320)]),
    "firstprivate scalar": ("target firstprivate(i)", "int t = i;", [("i", 0x120)]),
    "to": ("target map(to: i)", "int t = i;", [("&i", "&i", "4", 0x21)]),
    "from": ("target map(from: i)", "i = 1;", [("&i", "&i", "4", 0x22)]),
    "tofrom": ("target map(tofrom: i)", "i++;", [("&i", "&i", "4", 0x23)]),
    "no map type": ("target map(i)", "i++;", [("&i", "&i", "4", 0x23)]),
    "alloc": ("target map(alloc: i)", "i = 1;", [("&i", "&i", "4", 0x20)]),
    "always": ("target map(always, to: i)", "int t = i;", [("&i", "&i", "4", 0x25)]),
    "private scalar": ("target private(i)", "i = 1;", []),
    "mapped and not used": ("target map(to: i)", "int t = 1;", [("&i", "&i", "4", 0x1)]),
    "defaultmap tofrom scalar": ("target defaultmap(tofrom: scalar)", "i++;", [("&i", "&i", "4", 0x223)]),
    "reduction": (
        "target teams distribute parallel for reduction(+: d)",
        "for (int k = 0; k < 4; k++) d += k;",
        [("&d", "&d", "8", 0x223)],
    ),
    "reduction and map": (
        "target teams distribute parallel for reduction(+: d) map(tofrom: d)",
        "for (int k = 0; k < 4; k++) d += k;",
        [("&d", "&d", "8", 0x23)],
    ),
    "lastprivate": (
        "target teams distribute parallel for lastprivate(i)",
        "for (int k = 0; k < 4; k++) i = k;",
        [("&i", "&i", "4", 0x223)],
    ),
    # Arrays and pointers.
    "implicit array": ("target", "a[1] = 1;", [("a", "a", "40", 0x223)]),
    "implicit struct": ("target", "s.a = 1;", [("&s", "&s", "40", 0x223)]),
    "implicit global array": ("target", "ga[1] = 1;", [("ga", "ga", "40", 0x223)]),
    "array to": ("target map(to: a)", "int t = a[1];", [("a", "a", "40", 0x21)]),
    "whole section": ("target map(to: a[0:10])", "int t = a[1];", [("a", "a", "40", 0x21)]),
    "empty bounds": ("target map(to: a[:])", "int t = a[1];", [("a", "a", "40", 0x21)]),
    "section": ("target map(tofrom: a[2:3])", "a[2] = 1;", [("a", "a + 2", "12", 0x23)]),
    "section with runtime bounds": ("target map(tofrom: a[lb:len])", "a[2] = 1;", [("a", "a + 2", "12", 0x23)]),
    "section to the end": ("target map(tofrom: a[2:])", "a[2] = 1;", [("a", "a + 2", "32", 0x23)]),
    "element": ("target map(tofrom: a[3])", "a[3] = 1;", [("a", "a + 3", "4", 0x23)]),
    "defaultmap to aggregate": ("target defaultmap(to: aggregate)", "int t = a[1];", [("a", "a", "40", 0x221)]),
    "rows": ("target map(tofrom: m[1:2][0:6])", "m[1][1] = 1;", [("m", "&m[1][0]", "96", 0x23)]),
    "rows with empty bounds": ("target map(tofrom: m[1:2][:])", "m[1][1] = 1;", [("m", "&m[1][0]", "96", 0x23)]),
    "part of a row": ("target map(tofrom: m[1][2:3])", "m[1][2] = 1;", [("m", "&m[1][2]", "24", 0x23)]),
    "pointer to array": ("target map(tofrom: pa[0:n][0:10])", "pa[1][1] = 1;", [("pa", "pa", "n * 40", 0x23)]),
    "implicit pointer": ("target", "int t = p[0];", [("p", "p", "0", 0x220)]),
    "pointer section": ("target map(to: p[0:n])", "int t = p[0];", [("p", "p", "n * 4", 0x21)]),
    "pointer section, lower bound": ("target map(to: p[lb:len])", "int t = p[2];", [("p", "p + 2", "12", 0x21)]),
    "what a pointer points to": ("target map(tofrom: *p)", "*p = 1;", [("p", "p", "4", 0x23)]),
    "pointer element": ("target map(tofrom: p[3])", "p[3] = 1;", [("p", "p + 3", "4", 0x23)]),
    "pointer itself": ("target map(to: p)", "int t = p != 0;", [("&p", "&p", "8", 0x21)]),
    "firstprivate pointer": ("target firstprivate(p)", "int t = p != 0;", [("p", "p", "8", 0x120)]),
    "is_device_ptr": ("target is_device_ptr(p)", "int t = p[0];", [("p", "p", "8", 0x120)]),
    "pointers of an array": ("target map(tofrom: ap[1:2])", "int t = ap[1] != 0;", [("ap", "ap + 1", "16", 0x23)]),
    "array of a pointer": (
        "target map(tofrom: ap[1][0:8])",
        "ap[1][0] = 1;",
        [("ap", "ap + 1", "8", 0x20), ("ap + 1", "ap[1]", "32", MO1 | 0x13)],
    ),
    "global pointer": ("target map(tofrom: gp[0:n])", "gp[0] = 1;", [("gp", "gp", "n * 4", 0x23)]),
    "declare target variable": ("target", "dt++;", []),
    # Struct members.
    "member": ("target map(tofrom: s.a)", "s.a = 1;", [("&s", "&s.a", "4", 0x23)]),
    "two members": (
        "target map(to: s.a) map(from: s.d)",
        "s.d = s.a;",
        [("&s", "&s.a", "16", 0x20), ("&s", "&s.a", "4", MO1 | 0x1), ("&s", "&s.d", "8", MO1 | 0x2)],
    ),
    "pointer member": (
        "target map(tofrom: s.p[0:n])",
        "s.p[0] = 1;",
        [("&s", "&s.p", "8", 0x20), ("&s.p", "s.p", "n * 4", MO1 | 0x13)],
    ),
    "member and pointer member": (
        "target map(to: s.a) map(tofrom: s.p[0:n])",
        "s.p[0] = s.a;",
        [("&s", "&s.a", "40", 0x20), ("&s", "&s.a", "4", MO1 | 0x1), ("&s.p", "s.p", "n * 4", MO1 | 0x13)],
    ),
    "struct and pointer member": (
        "target map(tofrom: s) map(tofrom: s.p[0:n])",
        "s.p[0] = s.a;",
        [("&s", "&s", "40", 0x20), ("&s", "&s", "40", MO1 | 0x3), ("&s.p", "s.p", "n * 4", MO1 | 0x13)],
    ),
    "implicit struct pointer": ("target", "int t = q->a;", [("q", "q", "0", 0x220)]),
    "struct pointer section": ("target map(tofrom: q[0:1])", "q->a = 1;", [("q", "q", "40", 0x23)]),
    "arrow member": ("target map(tofrom: q->a)", "q->a = 1;", [("q", "&q->a", "4", 0x23)]),
    "two arrow members": (
        "target map(to: q->a) map(from: q->d)",
        "q->d = q->a;",
        [("q", "&q->a", "16", 0x20), ("q", "&q->a", "4", MO1 | 0x1), ("q", "&q->d", "8", MO1 | 0x2)],
    ),
    "arrow pointer member": (
        "target map(tofrom: q->p[0:n])",
        "q->p[0] = 1;",
        [("q", "&q->p", "8", 0x20), ("&q->p", "q->p", "n * 4", MO1 | 0x13)],
    ),
    "struct pointer and arrow pointer member": (
        "target map(to: q[0:1]) map(tofrom: q->p[0:n])",
        "q->p[0] = q->a;",
        [("q", "q", "40", 0x20), ("q", "q", "40", MO1 | 0x1), ("&q->p", "q->p", "n * 4", MO1 | 0x13)],
    ),
    "nested member": ("target map(tofrom: o.in.a)", "o.in.a = 1;", [("&o", "&o.in.a", "4", 0x23)]),
    "through two pointers": (
        "target map(tofrom: o.ps->p[0:n])",
        "o.ps->p[0] = 1;",
        [
            ("&o", "&o.ps", "8", 0x20),
            ("&o.ps", "&o.ps->p", "8", MO1 | 0x10),
            ("&o.ps->p", "o.ps->p", "n * 4", MO2 | 0x13),
        ],
    ),
    "struct array": ("target map(tofrom: sa[1:2])", "sa[1].a = 1;", [("sa", "&sa[1]", "80", 0x23)]),
    # Data constructs: no target parameters.
    "target data": (
        "target data map(tofrom: a) map(to: p[0:n])",
        "int t = 1;",
        [("a", "a", "40", 0x3), ("p", "p", "n * 4", 0x1)] * 2,
    ),
    "use_device_ptr": (
        "target data map(tofrom: p[0:n]) use_device_ptr(p)",
        "int t = p != 0;",
        [("p", "p", "n * 4", 0x43)] * 2,
    ),
    "target data, pointer member": (
        "target data map(tofrom: s.p[0:n])",
        "int t = 1;",
        [("&s", "&s.p", "8", 0x0), ("&s.p", "s.p", "n * 4", MO1 | 0x13)] * 2,
    ),
    "enter data": (
        "target enter data map(to: p[lb:len]) map(alloc: a)",
        "",
        [("p", "p + 2", "12", 0x1), ("a", "a", "40", 0x0)],
    ),
    "enter data, pointer member": (
        "target enter data map(to: s.p[0:n])",
        "",
        [("&s", "&s.p", "8", 0x0), ("&s.p", "s.p", "n * 4", MO1 | 0x11)],
    ),
    "exit data": (
        "target exit data map(from: p[lb:len]) map(release: a)",
        "",
        [("p", "p + 2", "12", 0x2), ("a", "a", "40", 0x0)],
    ),
    "exit data delete": ("target exit data map(delete: a)", "", [("a", "a", "40", 0x8)]),
    "exit data always": ("target exit data map(always, from: p[0:n])", "", [("p", "p", "n * 4", 0x6)]),
    "exit data, pointer member": (
        "target exit data map(from: s.p[0:n])",
        "",
        [("&s", "&s.p", "8", 0x0), ("&s.p", "s.p", "n * 4", MO1 | 0x12)],
    ),
    "update": ("target update to(a) from(p[lb:len])", "", [("a", "a", "40", 0x1), ("p", "p + 2", "12", 0x2)]),
    "update pointer member": ("target update to(s.p[0:n])", "", [("s.p", "s.p", "n * 4", 0x1)]),
    # Modifiers, device addresses.
    "present": ("target map(present, to: i)", "int t = i;", [("&i", "&i", "4", 0x1021)]),
    "all modifiers": ("target map(always, close, present, tofrom: i)", "i++;", [("&i", "&i", "4", 0x1427)]),
    "defaultmap present": ("target defaultmap(present: aggregate)", "a[1]++;", [("a", "a", "40", 0x1223)]),
    "has_device_addr scalar": ("target has_device_addr(i)", "i++;", [("&i", "&i", "8", 0x120)]),
    "has_device_addr array": ("target has_device_addr(a)", "a[1]++;", [("a", "a", "8", 0x120)]),
    "has_device_addr section": ("target has_device_addr(p[0:5])", "p[1]++;", [("p", "p", "8", 0x120)]),
    "target data present": (
        "target data map(present, to: i)",
        "int t = 1;",
        [("&i", "&i", "4", 0x1001), ("&i", "&i", "4", 0x1)],
    ),
    "use_device_addr": ("target data map(tofrom: a) use_device_addr(a)", "int t = 1;", [("a", "a", "40", 0x43)] * 2),
    "use_device_addr alone": ("target data use_device_addr(i)", "int t = 1;", [("&i", "&i", "0", 0x40)] * 2),
    "update present": ("target update to(present: a)", "", [("a", "a", "40", 0x1001)]),
    # Mappers and iterators.
    "mapper": (
        "target map(tofrom: v)",
        "v.p[0] = v.n;",
        [("&v", "&v", "16", 0x20), ("&v", "&v.n", "4", MO1 | 0x1), ("&v.p", "v.p", "12", MO1 | 0x13)],
    ),
    "mapper, to": (
        "target data map(to: v)",
        "int t = 1;",
        [("&v", "&v", "16", 0x0), ("&v", "&v.n", "4", MO1 | 0x1), ("&v.p", "v.p", "12", MO1 | 0x11)] * 2,
    ),
    "mapper, several elements": (
        "target enter data map(to: vs)",
        "",
        [
            ("vs", "vs", "32", 0x0),
            ("vs", "&vs[0].n", "4", MO1 | 0x1),
            ("&vs[0].p", "vs[0].p", "4", MO1 | 0x11),
            ("vs", "&vs[1].n", "4", MO1 | 0x1),
            ("&vs[1].p", "vs[1].p", "8", MO1 | 0x11),
        ],
    ),
    "mapper, update": (
        "target update from(v)",
        "",
        [("v.p", "v.p", "12", 0x2)],
    ),
    "iterator": (
        "target map(iterator(k = 0:2), tofrom: ap[k][0:4])",
        "ap[1][0] = 1;",
        [("ap", "ap", "16", 0x20), ("ap", "ap[0]", "16", MO1 | 0x13), ("ap + 1", "ap[1]", "16", MO1 | 0x13)],
    ),
    "iterator, update": (
        "target update to(iterator(k = 3:0:-1): ap[k][k:1])",
        "",
        [(f"ap[{k}] + {k}", f"ap[{k}] + {k}", "4", 0x1) for k in (3, 2, 1)],
    ),
    # One row per contiguous run.
    "update stride": ("target update to(a[0:3:2])", "", [("a", f"a + {i}", "4", 0x1) for i in (0, 2, 4)]),
    "update parts of rows": ("target update to(m[1:2][2:3])", "", [("m", f"&m[{i}][2]", "24", 0x1) for i in (1, 2)]),
    "update column": ("target update from(m[0:4][3])", "", [("m", f"&m[{i}][3]", "8", 0x2) for i in range(4)]),
    "update shaped pointer": (
        "target update to(([4][8])p[1:2][0:3])",
        "",
        [("p + 8", "p + 8", "12", 0x1), ("p + 16", "p + 16", "12", 0x1)],
    ),
    "update rows": ("target update to(m[1:2][0:6])", "", [("m", "&m[1]", "96", 0x1)]),
    # Pointers that are on the device already: sections are attached to them, and they are not counted.
    "section of a pointer": ("target enter data map(to: p[lb:len])", "", [("&p", "p + 2", "12", MO1 | 0x11)]),
    "second section": (
        "target data map(to: i) map(tofrom: p[0:n]) use_device_ptr(p)",
        "int t = 1;",
        [
            *(("&i", "&i", "4", 0x1), ("&p", "p", "n * 4", MO2 | 0x53)),
            *(("&i", "&i", "4", 0x1), ("p", "p", "n * 4", MO2 | 0x53)),
        ],
    ),
    "section in a region": ("target map(to: p[0:n])", "int t = p[0];", [("&p", "p", "n * 4", MO1 | 0x31)]),
    "section that is there": ("target enter data map(to: p[0:n])", "", [("p", "p", "n * 4", 0x1)]),
    "section that ends": ("target exit data map(from: p[0:n])", "", [("p", "p", "n * 4", 0x2)]),
    "section of another pointer": ("target enter data map(to: gp[0:n])", "", [("gp", "gp", "n * 4", 0x1)]),
    "member of a structure": (
        "target enter data map(to: s.p[0:n])",
        "",
        [("&s", "&s.p", "8", MO1), ("&s.p", "s.p", "n * 4", MO1 | 0x11)],
    ),
    "member of a structure that ends": (
        "target exit data map(from: s.p[0:n])",
        "",
        [("&s", "&s.p", "8", MO1), ("&s.p", "s.p", "n * 4", MO1 | 0x12)],
    ),
    "structure and member": (
        "target enter data map(to: s, s.p[0:n])",
        "",
        [("&s", "&s", "40", 0x0), ("&s", "&s", "40", MO1 | 0x1), ("&s.p", "s.p", "n * 4", MO1 | 0x11)],
    ),
    "iterator over members": (
        "target enter data map(iterator(k = 0:2), to: sa[k].p[0:n])",
        "",
        [("sa", "&sa[0].p", "48", MO1), *((f"&sa[{k}].p", f"sa[{k}].p", "n * 4", MO1 | 0x11) for k in range(2))],
    ),
    "member of a structure in a region": (
        "target map(tofrom: s.p[0:n])",
        "s.p[0] = 1;",
        [("&s", "&s.p", "8", 0x20), ("&s.p", "s.p", "n * 4", MO1 | 0x13)],
    ),
    # Where pointers may be attached, `always` is an update of what is there.
    "always, new structure": ("target map(always, to: s)", "int t = s.a;", [("&s", "&s", "40", 0x25)]),
    "always, structure": (
        "target map(always, tofrom: s)",
        "s.a = 1;",
        [("&s", "&s", "40", 0x1), ("&s", "&s", "40", 0x26)],
    ),
    "always, structures": (
        "target enter data map(iterator(k = 0:2), always, to: sa[k])",
        "",
        [
            *((f"&sa[{k}]", f"&sa[{k}]", "40", 0x1) for k in range(2)),
            *(("sa", f"&sa[{k}]", "40", 0x4) for k in range(2)),
        ],
    ),
    "always, no pointers": ("target enter data map(always, to: a)", "", [("a", "a", "40", 0x5)]),
}
_STORED = "\n#pragma omp target enter data map(to: p)\n    "
_HELD = {  # what a case finds on the device, and a directive that has put it there
    **dict.fromkeys(("section of a pointer", "second section", "section in a region"), f"{_STORED}hold(&p, sizeof p);"),
    "section that is there": f"{_STORED}hold(&p, sizeof p); hold(buffer, sizeof buffer);",
    "section that ends": f"{_STORED}hold(&p, sizeof p); hold(buffer, sizeof buffer);",
    "section of another pointer": "hold(&p, sizeof p); hold(&gp, sizeof gp);",
    **{name: "hold(&s, sizeof s); hold(sa, sizeof sa);" for name in _CASES if "member" in name and "structure" in name},
    **dict.fromkeys(("always, structure", "always, structures"), "hold(&s, sizeof s); hold(sa, sizeof sa);"),
    "always, no pointers": "hold(a, sizeof a);",
    "iterator over members": "hold(sa, sizeof sa);",
}
_RUNTIME = r"""
#include <stdio.h>
#include <string.h>
#include "rex_kmp.h"
int buffer[64];
struct row { const void *base, *pointer; long size, type; } rows[64];
static int count;
static void record(int n, void **base, void **args, const rex_int64 *sizes, const rex_int64 *types)
{
    for (int i = 0; i < n; i++)
        rows[count++] = (struct row){base[i], args[i], sizes[i], types[i]};
}
int __tgt_target_kernel(const struct rex_location *loc, rex_int64 device, rex_int32 teams, rex_int32 threads, void *id,
                        struct __tgt_kernel_arguments *k)
{
    record(k->NumArgs, k->ArgBasePtrs, k->ArgPtrs, k->ArgSizes, k->ArgTypes);
    return 0;
}
#define DATA(name) \
    void name(const struct rex_location *loc, rex_int64 device, rex_int32 n, void **base, void **args, \
              const rex_int64 *sizes, const rex_int64 *types, void *const *names, void **mappers) \
    { record(n, base, args, sizes, types); }
DATA(__tgt_target_data_begin_mapper)
DATA(__tgt_target_data_end_mapper)
DATA(__tgt_target_data_update_mapper)
static struct { const char *start; long size; } held[4];
static int holds;
void hold(const void *address, long size)
{
    held[holds].start = address;
    held[holds++].size = size;
}
void *omp_get_mapped_ptr(const void *address, int device)
{
    for (int i = 0; i < holds; i++)
        if ((const char *)address - held[i].start >= 0 && (const char *)address - held[i].start < held[i].size)
            return (void *)address;
    return 0;
}
int omp_get_default_device(void) { return 0; }
int omp_get_initial_device(void) { return 1; }
int omp_get_num_devices(void) { return 1; }
int omp_get_max_teams(void) { return 0; }
int omp_get_teams_thread_limit(void) { return 0; }
static struct row expected[64];
static int wanted;
static const char *name;
void begin(const char *n) { name = n; count = wanted = 0; }
void row(const void *base, const void *pointer, long size, long type)
{
    expected[wanted++] = (struct row){base, pointer, size, type};
}
void literal(const void *bytes, long size, long type)
{
    void *bits = 0;
    memcpy(&bits, bytes, size);
    row(bits, bits, size, type);
}
static void print(const char *what, struct row r)
{
    printf(" %s %p %p %ld 0x%lx;", what, r.base, r.pointer, r.size, r.type);
}
void end(void)
{
    int same = count == wanted;
    holds = 0;
    for (int i = 0; same && i < count; i++)
        same = !memcmp(&rows[i], &expected[i], sizeof rows[i]);
    printf("%s:%s", name, same ? " same" : "");
    for (int i = 0; !same && i < wanted; i++) print("want", expected[i]);
    for (int i = 0; !same && i < count; i++) print("got", rows[i]);
    printf("\n");
}
#define CASE(n) void case_##n(void);
#include "cases.inc"
#undef CASE
int main(void)
{
#define CASE(n) case_##n();
#include "cases.inc"
    return 0;
}
"""


def unit() -> str:
    """The C unit with one function per case."""
    text = _PRELUDE
    for number, (name, (directive, statement, rows)) in enumerate(_CASES.items()):
        expect = ""
        for row in rows:
            if len(row) == 2:
                expect += f"    literal(&{row[0]}, sizeof {row[0]}, {row[1]:#x}L);\n"
            else:
                base, pointer, size, kind = row
                expect += f"    row({base}, {pointer}, {size}, {kind:#x}L);\n"
        body = f"    {{ {statement} }}\n" if statement and not statement.startswith("for") else f"    {statement}\n"
        text += f'void case_{number}(void)\n{{{_LOCALS}    {_HELD.get(name, "")} begin("{name}");\n'
        text += f"#pragma omp {directive}\n{body}{expect}    end();\n}}\n"
    return text


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the recording runtime says about each case."""
    folder = tmp_path_factory.mktemp("rows")
    (folder / "unit.c").write_text(unit())
    (folder / "runtime.c").write_text(_RUNTIME)
    (folder / "cases.inc").write_text("".join(f"CASE({n})\n" for n in range(len(_CASES))))

    def run(*command: str | Path) -> str:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(sys.executable, "-m", "rex_build", "lower", "unit.c", "--out-dir", ".")
    run("gcc", "-w", "-fopenmp", "-I", include_dir(), "rose_unit.c", "runtime.c", "-o", "program")
    return dict(line.split(":", 1) for line in run("./program").splitlines())


@pytest.mark.parametrize("name", _CASES)
def test_rows(outcome: dict[str, str], name: str) -> None:
    assert outcome[name] == " same"

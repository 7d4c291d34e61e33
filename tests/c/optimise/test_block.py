# ruff: noqa: E501 -- lines of C stand whole
"""Plain regions whose loops a block of threads shares out: which, and what prevents it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from explained import reasons, transformations

from rex_build.pipeline import explain, lower_text
from rex_build.request import LowerRequest

_ALL = "int n, int m, int *a, unsigned *b, long *c, double *x, short *w, unsigned char *t, int s, int k, unsigned long h, short z"
_LOOP = "for (int i = 0; i < n; ++i)"


_HEAD = (
    '#ifdef __cplusplus\nextern "C"\n#endif\nint printf(const char *, ...);\nint get(int x) { return x & 7; }\n'
    "void set(int *p) { *p = 3; }\nint take(int *to, unsigned *p) { *to += 1; return (int)*p; }\n"
)
BOTH = pytest.mark.parametrize("suffix", ["c", "cpp"])


def _request(
    tmp_path: Path, body: str, clauses: str = "", no_opt: tuple[str, ...] = (), suffix: str = "c"
) -> LowerRequest:
    source = tmp_path / f"unit.{suffix}"
    source.write_text(_HEAD + _function("f", body, clauses))
    return LowerRequest(source=source, out_dir=tmp_path, no_opt=no_opt)


def _function(name: str, body: str, clauses: str = "") -> str:
    return f"void {name}({_ALL})\n{{\n#pragma omp target {clauses}\n{{ {body} }}\n}}\n"


def _said(request: LowerRequest) -> str:
    return transformations(request)["block"]


@BOTH
@pytest.mark.parametrize(
    ("body", "calls"),
    [
        (f"{_LOOP} a[i] = i;", ["loop"]),
        (f"{_LOOP} s += a[i]; a[0] = s;", ["loop add int"]),
        (f"{_LOOP} {{ s += a[i]; t[i] = s; }}", ["scan add int"]),
        (f"{_LOOP} {{ c[i] = s; s += a[i]; }}", ["scan add int"]),
        (f"{_LOOP} {{ s += a[i]; a[i] = s; }}", ["scan add int"]),  # it reads the element before it writes it
        (f"{_LOOP} {{ if (a[i] > s) s = a[i]; h ^= b[i]; k *= 3; }} a[0] = s + k + h;", ["loop max int, bxor unsigned long, mul int"]),
        (f"{_LOOP} {{ int v = get(a[i]); if (v & 1) {{ v += 2; s += v; }} c[i] = s * v; }}", ["scan add int"]),
        (f"{_LOOP} {{ int v = 0; for (int j = 0; j < m; ++j) v += a[j]; s += v; b[i] = s; }}", ["scan add int"]),
        (f"{_LOOP} s += a[i]; {_LOOP} x[i] = x[i] * s;", ["loop add int", "loop"]),
        (f"for (int r = 0; r < m; ++r) {{ {_LOOP} a[i] += r; s += a[3]; }} c[0] = s;", ["loop"]),
        (f"while (s < 5) {{ {_LOOP} b[i] += s; ++s; }}", ["loop"]),
        (f"if (a[0]) {{ {_LOOP} c[i] = 1; }} else c[0] = 5;", ["loop"]),
        ("for (k = n; k > 2; k -= 3) a[k] = k; c[0] = k;", ["loop"]),
        (f"{_LOOP} {{ struct P {{ int v; }} p = {{a[i]}}; if (p.v > 3) s += p.v; else b[i] = s; }}", ["scan add int"]),
    ],
)  # fmt: skip
def test_applied(tmp_path: Path, body: str, calls: list[str], suffix: str) -> None:
    request = _request(tmp_path, body, suffix=suffix)
    assert _said(request).startswith("a block of 1024 threads shares the loops over")
    lowered = lower_text(request)
    general, _, direct = lowered.device.partition("__direct__(")
    assert "rex_block_" not in general
    assert re.findall(r"rex_block_(\w+)\(", direct) == [call.split()[0] for call in calls]
    carried = re.findall(r"rex_carried<rex_(\w+), ([\w ]+)>", direct)
    assert [f"{op} {kind}" for op, kind in carried] == [
        one for call in calls for one in call.partition(" ")[2].split(", ") if one
    ]
    assert "if (__rex_direct) _threads_per_block_ = 1024;" in lowered.host


_REFUSED = (
    (f"{_LOOP} a[i] = a[i + 1];", "'a[i + 1]' and 'a[i]' may be the same element in different iterations of 'i'"),
    (f"{_LOOP} a[i * m] = i;", "only the run knows whether iterations of a loop are independent"),
    (f"{_LOOP} a[s] = s++;", "'s' takes a value from one iteration to another, and not by a sum, or an operation like it"),
    (f"{_LOOP} s = s * 3 + a[i]; a[0] = s;", "'s' takes a value from one iteration to another, and not by a sum, or an operation like it"),
    (f"double y = 0; {_LOOP} y += x[i]; x[0] = y;", "'y' takes a value from one iteration to another, and is no plain integer of 4 or 8 bytes"),
    (f"{_LOOP} z += a[i]; a[0] = z;", "'z' takes a value from one iteration to another, and is no plain integer of 4 or 8 bytes"),
    (f"{_LOOP} s += x[i]; a[0] = s;", "'s' takes a value from one iteration to another, and not by a sum, or an operation like it"),
    (f"{_LOOP} a[i] = s += b[i];", "'s' takes a value from one iteration to another, and not by a sum, or an operation like it"),
    (f"{_LOOP} if (b[i] > s) s = b[i]; a[0] = s;", "'s' takes a value from one iteration to another, and not by a sum, or an operation like it"),
    (f"{_LOOP} {{ s += a[i]; k += s; }} a[0] = k;", "what is added depends on 's'"),
    (f"{_LOOP} {{ if (s > 5) k++; s += a[i]; }} a[0] = k;", "what is added depends on 's'"),
    (f"{_LOOP} {{ int v = s; s += a[i]; k += v; }} a[0] = k;", "what is added depends on 's'"),
    (f"{_LOOP} {{ a[i] = 2; s += a[i]; b[i] = s; }}", "what is added is read from 'a' after the iteration writes it"),
    (f"{_LOOP} {{ int v; set(&v); s += v; b[i] = s; }}", "what is added depends on 'v', whose address is taken"),
    (f"{_LOOP} {{ int v = 0, *p = &v; *p = a[i]; s += v; b[i] = s; }}", "what is added depends on 'v', whose address is taken"),
    (f"{_LOOP} {{ if (a[i]) continue; b[i] = 3; }}", "jumps"),
    (f"{_LOOP} k = a[i]; b[0] = k;", "the last iteration leaves 'k' behind"),
    (f"int y[4]; {_LOOP} y[i & 3] = a[i]; a[0] = y[1];", "'y' is more than a plain variable"),
    ("for (int i = 0; i < 8; ++i) a[i] = i;", "the loop over 'i' has few iterations"),
    (f'{_LOOP} a[i] = 5; printf("x");', "'printf' may have side effects"),
    (f"{_LOOP} a[i] = 5; a[k++] = 3;", "a statement changes memory and 'k'"),
    (f"if (take(a, b)) {_LOOP} c[i] = 1;", "a condition writes memory"),
    (f"int *p = &k; {_LOOP} *p += a[i]; a[0] = k;", "the address of 'k' is taken"),
    ("for (int i = s; i < n; ++i) s += a[i]; a[0] = s;", "the bounds of the loop over 'i' depend on 's'"),
    ("while (a[0] > 0) a[0]--;", "a loop does not count its iterations beforehand"),
    ("a[0] = 3;", "the region has no loops"),
    (f"{_LOOP} {{\n#pragma omp atomic\n a[0] += 1; }}", "the body has constructs of its own"),
)  # fmt: skip


@BOTH
def test_refused(tmp_path: Path, suffix: str) -> None:
    request = LowerRequest(tmp_path / f"unit.{suffix}", tmp_path)
    functions = [_function(f"f{number}", body) for number, (body, _) in enumerate(_REFUSED)]
    request.source.write_text(_HEAD + "".join(functions))
    for (body, why), region in zip(_REFUSED, explain(request)["regions"], strict=True):
        assert why in reasons(region)["block"], body
    assert "rex_block_" not in lower_text(request).device


def test_left_out(tmp_path: Path) -> None:
    body = f"{_LOOP} {{ s += a[i]; t[i] = s; }}"
    for name in ("noalias", "block"):
        assert "rex_block_" not in lower_text(_request(tmp_path, body, no_opt=(name,))).device
    assert "rex_block_" not in lower_text(_request(tmp_path, body, "teams")).device
    assert _said(_request(tmp_path, body, "parallel")) == "no, only for what one thread runs"

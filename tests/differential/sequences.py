# ruff: noqa: E501, ISC002 -- lines of the generated C stand whole
"""C programs whose functions are random sequences of regions, data constructs, loops, calls and host statements.

Four threads run each function at the same time, each on arrays of its own, and look at each other's after barriers.
Which way control takes depends on ``k`` alone, which all threads have. Before the host reads an array that is on the
device, ``target update`` brings it; so the programs print the same where there is no device.
"""

from __future__ import annotations

import random

ARRAYS = "abc"  # on the device while the function runs; d is there in parts of it only

_HEAD = """\
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
typedef unsigned long word;
enum { N = 700, THREADS = 4 };
static word data[THREADS][4][N], results[THREADS];
static volatile int gate = 1;
static word counted;
static __attribute__((noinline)) word look(const word *x, int n)
{
    word sum = 0;
#pragma omp target update from(x[0:n])
    for (int i = 0; i < n; ++i)
        sum = sum * 31 + x[i];
    return sum;
}
static void mixed(int n, word k, word *x, word *y)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n]) map(to: y[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = x[i] * 3 + y[n - 1 - i] + k;
}
word added_up(int n, word k, const word *x)
{
    word sum = k;
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += x[i] ^ (word)i;
    return sum * 3;
}
static void turned(int n, word k, word *x, word *y)
{
    mixed(n, k, x, y);
    for (word s = 0; s < k % 3 + 1; ++s) {
        const word sum = added_up(n, s, x);
        mixed(n, k > 4 ? sum : added_up(n, sum, y), y, x);
        word *z = x;
        x = y, y = z;
    }
}
"""

_TAIL = """
typedef word sequence(int, word, int, word *, word *, word *, word *, word *, word *, word *);
static sequence *const sequences[] = {%s};

static void work(sequence *run, int n, word k, int t, int threads)
{
    word(*mine)[N] = data[t], (*other)[N] = data[(t + 1) %% threads];
    word *a = mine[0], *b = mine[1], *c = mine[2];
#pragma omp target enter data map(to: a[0:n], b[0:n], c[0:n])
#pragma omp barrier
    results[t] = run(n, k, t, a, b, c, mine[3], other[0], other[1], other[2]);
#pragma omp barrier
#pragma omp target exit data map(from: a[0:n], b[0:n], c[0:n])
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 3;
    for (int round = 0; round < rounds; ++round)
        for (unsigned s = 0; s < sizeof sequences / sizeof *sequences; ++s) {
            const int n = 1 + (int)((s * 7 + 97u * (unsigned)round) %% N), threads = round %% 3 == 2 ? 1 : THREADS;
            word all = 0;
            for (int t = 0; t < THREADS; ++t)
                for (int x = 0; x < 4; ++x)
                    for (int i = 0; i < N; ++i)
                        data[t][x][i] = (word)(t * 1000 + x * 100 + i + round);
#pragma omp parallel num_threads(threads)
            work(sequences[s], n, (word)round, omp_get_thread_num(), threads);
            for (int t = 0; t < threads; ++t)
                for (int x = 0; x < 4; ++x)
                    for (int i = 0; i < N; ++i)
                        all = all * 31 + data[t][x][i];
            for (int t = 0; t < threads; ++t)
                all = all * 31 + results[t];
            printf("%%u %%d %%lx\\n", s, round, all);
        }
    printf("%%lx\\n", counted);
    return 0;
}
"""


class Sequences:
    """Builds one program with ``count`` functions."""

    def __init__(self, seed: str, count: int = 6) -> None:
        self.random = random.Random(seed)
        self.count = count

    def text(self) -> str:
        functions = "".join(self._function(number) for number in range(self.count))
        names = ", ".join(f"sequence_{number}" for number in range(self.count))
        return _HEAD + functions + _TAIL % names

    def _function(self, number: int) -> str:
        body = self._sequence(1, 0, returns=True, loops=False)
        return (
            f"static word sequence_{number}(int n, word k, int t, word *a, word *b, word *c, word *d, word *oa, word *ob,"
            f" word *oc)\n{{\n    word h = 0, *swapped;\n{body}    return h + k;\n}}\n"
        )

    def _sequence(self, depth: int, open_data: int, returns: bool, loops: bool) -> str:
        statements = [self._statement(depth, open_data, returns, loops) for _ in range(self.random.randint(2, 5))]
        return "".join(statements)

    def _block(self, depth: int, open_data: int, returns: bool, loops: bool) -> str:
        return "{\n" + self._sequence(depth + 1, open_data, returns, loops) + "    " * depth + "}\n"

    def _statement(self, depth: int, open_data: int, returns: bool, loops: bool) -> str:
        pad, draw = "    " * depth, self.random
        x, y = draw.sample([*ARRAYS, "d"] if draw.random() < 0.25 else list(ARRAYS), 2)
        kind = draw.randrange(100)
        if kind < 42:
            return self._region(pad, x, y)
        if kind < 52 and depth < 4:
            times = draw.randint(1, 4)
            head = draw.choice([f"for (int s = 0; s < {times}; ++s) ", f"for (word s = k % 3; s < {times + 1}; s++) "])
            return pad + head + self._block(depth, open_data, returns, True)
        if kind < 57 and depth < 4:
            name = f"left_{depth}_{draw.randrange(1000)}"
            inner = self._sequence(depth + 1, open_data, returns, True)
            return f"{pad}int {name} = {draw.randint(1, 3)};\n{pad}do {{\n{inner}{pad}}} while (--{name} > 0);\n"
        if kind < 63 and depth < 4:
            other = f"{pad}else " + self._block(depth, open_data, returns, loops) if draw.random() < 0.4 else ""
            return f"{pad}if (k & {draw.choice([1, 2, 4])}) " + self._block(depth, open_data, returns, loops) + other
        if kind < 67 and depth < 4:
            inner = self._block(depth, open_data + 1, False, False)
            return f"#pragma omp target data map(tofrom: d[0:n])\n{pad}{inner}"
        if kind < 70 and depth < 4:
            inner = self._sequence(depth, open_data + 1, False, False)
            enter, leave = "target enter data map(to: d[0:n])", "target exit data map(from: d[0:n])"
            return f"#pragma omp {enter}\n{inner}#pragma omp {leave}\n"
        return self._host(pad, x, open_data, returns, loops)

    def _region(self, pad: str, x: str, y: str) -> str:
        draw = self.random
        loop, head = f"{pad}for (int i = 0; i < n; ++i)\n{pad}    ", "#pragma omp target teams distribute parallel for"
        maps = f"map(tofrom: {x}[0:n]) map(to: {y}[0:n])"
        kind = draw.randrange(28)
        if kind >= 26:
            return f"{pad}h = h * 31 + added_up(n, k, {x}) % (added_up(n, h, {y}) | 1);\n"
        if kind >= 24:
            return f"{pad}mixed(n, added_up(n, k, {y}), {x}, {y});\n"
        if kind >= 20:
            return f"{pad}{draw.choice(['mixed', 'mixed', 'turned'])}(n, k + {draw.randint(1, 9)}, {x}, {y});\n"
        body = draw.choice([
            f"{x}[i] = {x}[i] * {draw.randint(2, 9)} + {y}[n - 1 - i] + k;",
            f"{x}[i] ^= {y}[i] + (word)i * {draw.randint(1, 99)};",
            f"{x}[i] += i > 0 ? {y}[i - 1] : {y}[n - 1];",
        ])  # fmt: skip
        if kind < 14:
            return f"{head} {maps}\n{loop}{body}\n"
        if kind == 14:
            return f"{pad}{{\n    {pad}word sum = 0;\n{head} map(to: {y}[0:n]) reduction(+: sum)\n{loop}sum += {y}[i];\n" \
                   f"    {pad}h = h * 31 + sum;\n{pad}}}\n"  # fmt: skip
        if kind == 15:
            return f"{pad}{{\n    {pad}word last = h;\n{head} map(to: {y}[0:n]) map(tofrom: last)\n{loop}if (i == n - 1)\n" \
                   f"{pad}    last += {y}[i];\n    {pad}h = h * 31 + last;\n{pad}}}\n"  # fmt: skip
        if kind == 16:
            return f"{head} {maps} num_teams(3) thread_limit(64)\n{loop}{body}\n"
        if kind == 17:
            return f"{head} {maps} nowait depend(inout: {x}[0])\n{loop}{body}\n#pragma omp taskwait\n"
        if kind == 18:
            return f"{head} collapse(2) {maps}\n{pad}for (int j = 0; j < 1; ++j)\n{loop}{body}\n"
        return f"#pragma omp target parallel for {maps}\n{loop}{body}\n"

    def _host(self, pad: str, x: str, open_data: int, returns: bool, loops: bool) -> str:
        draw = self.random
        on_device = x in ARRAYS or open_data > 0
        update = f"#pragma omp target update from({x}[0:n])\n" if on_device else ""
        back = f"#pragma omp target update to({x}[0:n])\n" if on_device else ""
        y, z = draw.sample(ARRAYS, 2)
        kind = draw.randrange(14)
        if kind <= 2:
            swaps = "".join(f" swapped = {p}{y}, {p}{y} = {p}{z}, {p}{z} = swapped;" for p in ("", "o"))
            return f"{pad}{{{swaps} }}\n"
        if kind <= 4:
            return f"{pad}k = k * 5 + 1 + (k >> 7);\n{pad}h = h * 31 + (k & 255);\n"
        if kind == 5:
            return f"{update}{pad}h = h * 31 + {x}[k % (word)n];\n"
        if kind == 6:
            return f"{update}{pad}{x}[k % (word)n] += h;\n{back}"
        if kind == 7:
            return f"{pad}h += look({draw.choice(ARRAYS)}, n);\n"
        if kind == 8:
            return f"{pad}h += (word)gate;\n"
        if kind == 9:
            return f"#pragma omp atomic update\n{pad}counted += k & 15;\n"
        if kind == 10:
            seen = draw.choice(ARRAYS)
            return f"#pragma omp barrier\n{pad}h = h * 31 + look(o{seen}, n);\n#pragma omp barrier\n"
        if kind == 11 and returns:
            return f"{pad}if (k % 11 == 3)\n{pad}    return h;\n"
        if kind == 12 and loops:
            return f"{pad}if (k % {draw.randint(3, 6)} == 0)\n{pad}    {draw.choice(['break', 'continue'])};\n"
        return f"{pad}const word held_{draw.randrange(10**6)} __attribute__((unused)) = h + k;\n"

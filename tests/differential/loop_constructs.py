# ruff: noqa: E501 -- lines of the generated C stand whole
"""Loops of random programs: types near their limits, nests that are no rectangles, reductions, what optimisers look at."""

from __future__ import annotations

from vocabulary import LOOPS, SIZE, Vocabulary, fill, not_for_gcc

# (name, bits, is it signed)
INTEGERS = (
    ("signed char", 8, True), ("unsigned char", 8, False), ("short", 16, True), ("unsigned short", 16, False),
    ("int", 32, True), ("unsigned", 32, False), ("long", 64, True), ("unsigned long", 64, False),
    ("long long", 64, True), ("unsigned long long", 64, False),
)  # fmt: skip


def limits(bits: int, signed: bool) -> tuple[int, int]:
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)


def literal(value: int) -> str:
    if value < -(2**63) + 1:
        return "(-9223372036854775807LL - 1)"
    return f"{value}ULL" if value > 2**63 - 1 else f"{value}LL" if abs(value) > 2**31 - 1 else str(value)


class LoopConstructs(Vocabulary):
    def _loop_at_a_limit(self) -> tuple[str, str, str]:
        """(declarations, the head, the number of the iteration) of a loop over a few values at the edge of its type.

        Its start, bound and step have other types.
        """
        name, bits, signed = INTEGERS[self.number(0, len(INTEGERS) - 1)]
        low, high = limits(bits, signed)
        step, count = self.number(1, 9), self.number(0, 12)
        way = step * count
        edge = self.one_of(("top", "bottom", "zero"))
        up = self.boolean()
        # The variable steps past the bound, and must not leave its type there.
        first = {"top": high - step if not up else high - way - step, "bottom": low + step if up else low + way + step}.get(
            edge, 0 if up else way + step
        )
        last = first + way if up else first - way
        closed = self.boolean() and count > 0
        bound = last - step if up else last + step  # the last iteration's value
        if not closed:
            bound = last - self.number(0, step - 1) if up else last + self.number(0, step - 1)
            bound = bound if count else first
        relation = ("<" if up else ">") + "=" * closed

        def given(what: str, value: int) -> tuple[str, str]:
            """(declaration, text) of a value, as a constant or a variable of any type that has it and is no other kind."""
            if self.boolean() and not (what == "to" and value in limits(bits, signed)):  # gcc refuses 'i < 0u'
                return "", literal(value)
            fits = [n for n, b, s in INTEGERS if s == signed and limits(b, s)[0] <= value <= limits(b, s)[1]]
            return f"        {self.one_of(fits)} {what} = {literal(value)};\n", what

        (declared_first, start), (declared_last, end), (declared_step, by) = given("from", first), given("to", bound), given("by", step)
        distance = f"(unsigned long long)i - (unsigned long long){start}" if up else f"(unsigned long long){start} - (unsigned long long)i"
        head = f"for ({name} i = {start}; i {relation} {end}; i {'+' if up else '-'}= {by})"
        return declared_first + declared_last + declared_step, head, f"({distance}) / {step}"

    def limits_of_types(self) -> str:
        """A loop at the edge of its variable's type on the device."""
        types, head, index = self._loop_at_a_limit()
        array, scalar = self._array(), self._scalar()
        inner = self.one_of(("plain", "plain", "collapsed", "region", "teams", "reduced"))
        value = self._few("(unsigned)i", "(unsigned)k")
        heads = {
            "plain": f"#pragma omp {self.one_of(LOOPS)} map(tofrom: $a)\n        {head}",
            "collapsed": f"#pragma omp {self.one_of(LOOPS[:3])} collapse(2) map(tofrom: $a)\n        {head}\n            for (int j = 0; j < 3; ++j)",
            "region": f"#pragma omp target map(tofrom: $a)\n        {{\n#pragma omp parallel for\n        {head}",
            "teams": f"#pragma omp target teams distribute map(tofrom: $a)\n        for (int j = 0; j < 3; ++j) {{\n#pragma omp parallel for\n        {head}",
            "reduced": f"#pragma omp {self.one_of(LOOPS[:3])} map(tofrom: $a) reduction(+: sum)\n        {head}",
        }
        k = f"(int)({index})" + (" * 3 + j" if inner in ("collapsed", "teams") else "")
        text = f"    {{\n$types        unsigned sum = 0;\n{heads[inner]} {{\n            int k = {k};\n            $a[k] += $value;\n"
        text += "            sum += (unsigned)i;\n" if inner == "reduced" else ""
        text += "        }\n" + ("        }\n" if inner in ("region", "teams") else "") + "        $s += sum;\n    }\n"
        return fill(text, types=types, a=array, s=scalar, value=value)

    def _loop_over_pointers(self) -> tuple[str, str, str]:
        """As ``_loop_at_a_limit``, with a pointer as the variable."""
        low, step = self.number(0, 20), self.number(1, 5)
        high = self.number(low, 60)
        kind = self.one_of(("unsigned char", "short", "unsigned", "long"))
        first, last = (low, high) if self.boolean() else (high, low)
        types = f"        static {kind} cells[64];\n        {kind} *from = cells + {first}, *to = cells + {last};\n"
        if first == low:
            return types, f"for ({kind} *i = from; i < to; i += {step})", f"(i - from) / {step}"
        return types, f"for ({kind} *i = from; i > to; i -= {step})", f"(from - i) / {step}"

    def host_loop(self) -> str:
        """A loop that the host's threads share, in every way that the OpenMP runtime deals one out."""
        self.declare("static void on_device(unsigned *x) /* what makes the program use LLVM's runtime */\n{\n#pragma omp target map(tofrom: x[0:1])\n    *x += 1;\n}\n")
        types, head, index = self._loop_over_pointers() if self.number(0, 3) == 0 else self._loop_at_a_limit()
        chunk = self.one_of(("", f", {self.number(1, 7)}"))
        schedule = self.one_of((f"static{chunk}", f"dynamic{chunk}", f"guided{chunk}", "runtime", "auto", f"monotonic: dynamic{chunk}", f"nonmonotonic: guided{chunk}"))
        inner = self.one_of(("plain", "plain", "collapsed", "ordered", "region", "reduced", "last", "tasks", "tasks"))
        threads = self.number(1, 5)
        clauses = f"num_threads({threads}) schedule({schedule})"
        grain = self.one_of(("", f" grainsize({self.number(1, 6)})", f" num_tasks({self.number(1, 6)})"))
        heads = {
            "plain": f"#pragma omp parallel for {clauses}\n        {head} {{",
            "collapsed": f"#pragma omp parallel for {clauses} collapse(2)\n        {head}\n            for (int j = 0; j < 3; ++j) {{",
            "ordered": f"#pragma omp parallel for num_threads({threads}) schedule({schedule.removeprefix('nonmonotonic: ')}) ordered\n        {head} {{",
            "region": f"#pragma omp parallel num_threads({threads})\n        {{\n#pragma omp for schedule({schedule}) nowait\n        {head} {{",
            "reduced": f"#pragma omp parallel for {clauses} reduction(+: sum)\n        {head} {{",
            "last": f"#pragma omp parallel for {clauses} lastprivate(kept)\n        {head} {{",
            # gcc 12's taskloop runs no iteration where a small unsigned type counts down.
            "tasks": not_for_gcc(f"#pragma omp parallel num_threads({threads})\n#pragma omp single\n#pragma omp taskloop{grain} shared(seen)") + f"        {head} {{",
        }
        body = {
            "ordered": "\n#pragma omp ordered\n            order = order * 31u + (unsigned)k;",
            "reduced": "            sum += (unsigned)k * 3u;",
            "last": "            kept = (unsigned)k + 5u;",
        }
        k = f"(int)({index})" + (" * 3 + j" if inner == "collapsed" else "")
        return fill(
            f"""
    {{
$types        unsigned sum = 0, order = 0, kept = 1, seen[200] = {{0}};
{heads[inner]}
            int k = {k};
            seen[k] += (unsigned)k * 7u + 1u;
{body.get(inner, "")}
        }}
{"        }" if inner == "region" else ""}
        for (int k = 0; k < 200; ++k)
            $s = (unsigned)$s * 33u + seen[k];
        $s += sum + order + (seen[0] ? kept : 1u); /* without iterations, kept is not defined */
    }}
""",
            types=types,
            s=self._scalar(),
        )

    def triangle(self) -> str:
        """Collapsed loops whose inner bounds depend on outer variables, in either direction."""
        self.declare("static unsigned grid[12][12];\n")
        outer = self.one_of(("int i = 0; i < 12; ++i", "int i = 11; i >= 0; --i", "int i = 1; i < 12; i += 3", "int i = 10; i > 1; i -= 2"))
        inner = self.one_of(("int j = i; j < 12; ++j", "int j = 0; j <= i; ++j", "int j = i; j >= 0; --j", "int j = 11; j > i; --j",
                             "int j = 0; j < 12; j += 5", "int j = 2 * i - 11; j < i + 1; ++j"))  # fmt: skip
        return fill(
            """
#pragma omp $loop collapse(2) map(tofrom: grid)
    for ($outer)
        for ($inner)
            if (j >= 0 && j < 12)
                grid[i][j] += $value;
    for (int i = 0; i < 144; ++i)
        $s = $s * 31u + grid[i / 12][i % 12];
""",
            loop=self.one_of(LOOPS[:3]),
            outer=outer,
            inner=inner,
            value=self.expression(self.readable("(unsigned)i", "(unsigned)j", "grid[i][j]")),
            s=self._scalar(),
        )

    def several_reductions(self) -> str:
        """Reductions of scalars, an array and a section of one in one loop."""
        low = self.number(0, 4)
        operators = ("+", "^", "|", "&", "*")
        one, two = self.one_of(operators), self.one_of(operators)
        collapse = self.boolean()
        clauses = [f"reduction({one}: sum)", f"reduction({two}: part[{low}:4])", "reduction(+: whole)", "reduction(max: most)", "reduction(&&: all)"]
        chosen = [c for c in clauses if self.number(0, 3)] or clauses
        used = [c for c in clauses if c in chosen]
        value = self._few("(unsigned)i", "(unsigned)j")
        lines = {
            clauses[0]: f"sum {one}= $value;",
            clauses[1]: f"part[{low} + (i + j) % 4] {two}= $value | 1u;",
            clauses[2]: "whole[i % 3][j % 2] += $value;",
            clauses[3]: "most = most < ($value) ? ($value) : most;",
            clauses[4]: "all = all && ($value) != 5u;",
        }
        body = "".join(f"            {lines[c]}\n" for c in used)
        return fill(
            f"""
    {{
        unsigned sum = 1, part[8] = {{1, 2, 3, 4, 5, 6, 7, 8}}, whole[3][2] = {{{{0}}}}, most = 3, all = 1;
#pragma omp $loop {' '.join(used)}{' collapse(2)' if collapse else ''}
        for (int i = 0; i < $rows; ++i)
            for (int j = 0; j < 5; ++j) {{
{body}            }}
        for (int i = 0; i < 8; ++i)
            $s = $s * 31u + sum + part[i] * 3u + whole[i % 3][i % 2] + most + all;
    }}
""",
            loop=self.one_of(LOOPS[:2]),  # gcc 12 loses elements of sections with simd
            rows=self.number(0, 20),
            value=value,
            s=self._scalar(),
        )

    def last_values(self) -> str:
        """lastprivate of a scalar, an array and loop variables, of one loop or of two."""
        two = self.boolean()
        return fill(
            """
    {
        unsigned last = 9, few[3] = {1, 2, 3};
        int i = 77, j = 88;
#pragma omp $loop lastprivate($listed)$collapse map(tofrom: $listed)
        for (i = $first; i < $end; i += $by)
            for ($j = 0; j < 4; ++j) {
                last = $value;
                few[0] = last + 1u;
                few[1] = (unsigned)i;
                few[2] = (unsigned)j;
            }
        $s += last + few[0] * 3u + few[1] * 7u + few[2]$after;
    }
""",
            loop=self.one_of(("target parallel for", "target teams distribute parallel for")),
            listed="last, few, i" if two else "last, few",
            collapse=" collapse(2)" if two else "",
            j="j" if two else "int j",
            first=self.number(0, 5),
            end=self.number(6, 30),
            by=self.number(1, 4),
            value=self._few("(unsigned)i", "(unsigned)j"),
            after=" + (unsigned)i" if two else "",
            s=self._scalar(),
        )

    def overlapping(self) -> str:
        """A kernel in a function of its own, whose pointers lead to the same, interleaved or separate memory."""
        array = self._array()
        kind, name = self._type(array), f"meet{self.fresh()}"
        write = self.one_of(("y[2 * i] = {0};", "if (i % 3) y[2 * i] = {0};", "y[2 * i] += {0};"))
        work = self.one_of(
            (
                "for (int k = 0; k < 3; ++k)\n            y[2 * i] += (unsigned)x[2 * i] ^ {1};",
                "for (int k = b[i]; k < b[i + 1]; ++k)\n            y[2 * i] += (unsigned)x[2 * i] + {1};",
                "for (unsigned k = 0; k < (unsigned)x[2 * i] % 5u && k < (unsigned)y[2 * i] % 7u; ++k)\n            y[2 * i] += {1};",
                "for (int k = 0; k < 3; ++k) {{\n            if ((unsigned)x[2 * i] % 2u == 0u)\n                continue;\n            y[2 * i] -= {1};\n        }}",
            )
        )
        tail = self.one_of(("", "if ((unsigned)y[2 * i] % 5u == 1u)\n            continue;\n        ", "y[2 * i] ^= (unsigned)x[2 * i];\n        "))
        values = [self._few("(unsigned)i", "(unsigned)n"), self._few("(unsigned)k", "(unsigned)i")]
        self.declare(
            fill(
                f"""
static void {name}(int n, $kind *y, const $kind *x, const int *b)
{{
#pragma omp {self.one_of(LOOPS[:2])} map(tofrom: y[0:2 * n]) map(to: x[0:2 * n], b[0:n + 1])
    for (int i = 0; i < n; ++i) {{
        {write.format(*values)}
        {work.format(*values)}
        {tail}y[2 * i] += (unsigned)b[i];
    }}
}}

""",
                kind=kind,
            )
        )
        n = self.number(1, 9)
        apart = self.one_of(("0", "1", "3", "-1", "-3", str(2 * n), str(2 * n + 1), str(-2 * n)))
        low = max(0, -int(apart)) + self.number(0, 5)
        return (
            f"    {{\n        int b[12] = {{0, 1, 1, 4, 6, 6, 7, 9, 10, 12, 12, 15}};\n#pragma omp target data map(tofrom: {array}) map(to: b)\n"
            f"        {name}({n}, {array} + {low}, {array} + {low} + ({apart}), b);\n    }}\n"
        )

    def pointer_loop(self) -> str:
        """A pointer as the loop variable, in either direction."""
        array = self._array()
        low = self.number(4, 20)
        high, step = self.number(low, SIZE), self.number(1, 4)
        kind = self._type(array)
        head = f"for ({kind} *p = {array} + {low}; p < {array} + {high}; p += {step})"
        if self.boolean():
            head = f"for ({kind} *p = &{array}[{high}] - 1; p >= {array} + {low}; p -= {step})"
        value = self._few("(unsigned)*p", f"(unsigned)(p - {array})")
        return f"#pragma omp {self.one_of(LOOPS)} map(tofrom: {array})\n    {head} {{\n        *p ^= {value};\n    }}\n"

    def jumps(self) -> str:
        """Iterations with jumps backward and forward, cases that fall through, loops that end early."""
        array = self._array()
        return fill(
            """
#pragma omp $loop map(tofrom: $a)
    for (int i = $low; i < $size; i += $by) {
        unsigned t = $start, k = 0;
    again$number:
        if (t % 3u && k < 5u) {
            t = t / 2u + k++;
            if (t == 7u)
                goto out$number;
            goto again$number;
        }
        switch (t % 5u) {
        case 0:
            t += $one;
        case 1:
            if (k > 2u)
                break;
            for (unsigned m = 0; m < k; ++m)
                t ^= $two;
        default:
            do {
                t -= t / 3u;
                if (t % 11u == 4u)
                    continue;
                t -= 3u;
            } while (t < 4000000000u && t > 100u && ++k < 9u);
        case 3:
            k = k ? (t++, k + t) : t--;
        }
        if (t % 4u == 1u)
            continue;
    out$number:
        $a[i] = t + k * 7u;
    }
""",
            loop=self.one_of(LOOPS[:3]),
            number=self.fresh(),
            a=array,
            low=self.number(0, 4),
            by=self.number(1, 3),
            start=self._own(array),
            one=self._few("t", "k"),
            two=self._few("t", "m"),
        )

    LOOP_CONSTRUCTS = (limits_of_types, triangle, several_reductions, last_values, overlapping, pointer_loop, jumps, host_loop)

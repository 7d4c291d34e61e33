# ruff: noqa: E501 -- lines of the generated C stand whole
"""What the threads of random programs do together: teams, worksharing, synchronisation, tasks; and storage in bits."""

from __future__ import annotations

from thread_parts import ATOMICS, BETWEEN, CELL_READS, CELL_WRITES, CELLS, DISTRIBUTED, SHARED_WORK, TEAM_WORK
from vocabulary import LOOPS, SIZE, Vocabulary, fill, not_for_gcc


class ThreadConstructs(Vocabulary):
    def _schedule(self) -> str:
        return self.one_of(("", " schedule(static)", " schedule(static, 2)", " schedule(dynamic)", " schedule(guided, 3)", " schedule(runtime)"))

    def team(self) -> str:
        """One parallel region with worksharing and synchronisation of all kinds, whose order of effects never shows."""
        self.declare("#include <omp.h>\n")
        array = self._array()
        parts = "".join(
            "        {\n"
            + fill(
                self.one_of(SHARED_WORK),
                a=array,
                schedule=self._schedule(),
                few=self._few("shared", "list[0]", "list[3]"),
                each=self._few("(unsigned)i", "shared", f"(unsigned){array}[i]", "list[i % 4]"),
                index=self._few("(unsigned)i"),
            )
            + "        }\n"
            for _ in range(self.number(2, 5))
        )
        return fill(
            """
    {
        unsigned shared = 3, list[4] = {1, 2, 3, 4}, sum = 5, last = 6;
#pragma omp $target map(tofrom: $a, shared, list, sum, last)
#pragma omp parallel$threads
        {
$parts        }
        $s += shared + list[0] + list[1] * 3u + list[2] * 5u + list[3] * 7u + sum + last;
    }
""",
            target=self.one_of(("target", "target teams num_teams(1)")),
            a=array,
            threads=f" num_threads({self.number(1, 9)})" if self.boolean() else "",
            parts=parts,
            s=self._scalar(),
        )

    def league(self) -> str:
        """Teams, each with its own array: sequential parts, parallel loops and reductions before what is distributed."""
        array = self._array()
        parts = [
            fill(
                self.one_of(TEAM_WORK if i < count else DISTRIBUTED),
                a=array,
                schedule=self._schedule(),
                few=self._few("t", "own[3]"),
                each=self._few("(unsigned)i", "t", "own[i]" if i < count else f"(unsigned){array}[i]"),
                index=self._few("(unsigned)i"),
            )
            for count in [self.number(1, 4)]
            for i in range(count + 1)
        ]
        return fill(
            """
#pragma omp target teams num_teams($teams) map(tofrom: $a)
    {
        unsigned own[8], t = $start;
        for (unsigned k = 0; k < 8; ++k)
            own[k] = t * 3u + $first;
$parts    }
""",
            teams=self.number(1, 4),
            a=array,
            start=f"{self.number(0, 9)}u",
            first=self._few("k", "t"),
            parts="".join(parts),
        )

    def rows(self) -> str:
        """Distributed rows with several parallel loops each, which hand results to one another through local variables."""
        array = self._array()
        return fill(
            """
#pragma omp target teams distribute map(tofrom: $a)$teams
    for (int r = 0; r < $size / 8; ++r) {
        unsigned row[8], sum = 0, most = 0, pick = $pick;
#pragma omp parallel for
        for (int i = 0; i < 8; ++i)
            row[i] = $first;
#pragma omp parallel for reduction(+: sum) reduction(max: most)
        for (int i = 7; i >= 0; --i) {
            sum += row[i];
            most = most < row[i] ? row[i] : most;
        }
        $between
#pragma omp parallel for$schedule
        for (int i = 0; i < 8; ++i)
            $a[r * 8 + i] = row[7 - i] + $second;
        $a[r * 8] += row[pick % 8u];
    }
""",
            a=array,
            teams=f" num_teams({self.number(1, 4)})" if self.boolean() else "",
            pick=self._few("(unsigned)r"),
            first=self._few("(unsigned)i", "(unsigned)r", f"(unsigned){array}[r * 8 + i]"),
            between=self.one_of(BETWEEN),
            schedule=self._schedule(),
            second=self._few("sum", "most", "pick", "row[i]"),
        )

    def atomics(self) -> str:
        """Atomic operations of every form, on types of several sizes; what they capture is summed up."""
        chosen = [f for f in ATOMICS if self.number(0, 2) == 0] or [ATOMICS[0]]
        lines = "".join(f"            {fill(form, index=self._few('(unsigned)i'))}\n" for form in chosen)
        return fill(
            """
    {
        $kind x[16] = {1, 2, 3, 4, 127, 0, 60, 7, 90};
        unsigned sum = 0;
#pragma omp $loop map(tofrom: x)$reduction
        for (int i = 0; i < 50; ++i) {
            $kind got, c = (i * 7 + 3) % 100;
$lines        }
        for (int i = 0; i < 16; ++i)
            $s = $s * 31u + (unsigned)x[i];
        $s += sum;
    }
""",
            kind=self.one_of(("unsigned", "unsigned long long", "int", "unsigned char", "unsigned short")),
            loop=self.one_of(LOOPS[:3]),
            reduction=" reduction(+: sum)" if "sum" in lines else "",
            lines=lines,
            s=self._scalar(),
        )

    def scanned(self) -> str:
        """Prefix sums; the reference computes them in order without a directive."""
        array = self._array()
        loop = self.one_of(("target parallel for", "target parallel for simd", "target simd"))
        kind = self.one_of(("inclusive", "exclusive"))
        lines = [f"            sum += {self._few(f'(unsigned){array}[i]', '(unsigned)i')};\n", "            out[i] = sum;\n"]
        first, last = lines if kind == "inclusive" else reversed(lines)
        return fill(
            """
    {
        unsigned sum = 3, out[$size];
$head        for (int i = 0; i < $size; ++i) {
$first$scan$last        }
        for (int i = 0; i < $size; ++i)
            $s = $s * 31u + out[i];
        $s += sum;
    }
""",
            head=not_for_gcc(f"#pragma omp {loop} reduction(inscan, +: sum) map(from: out) map(to: {array})"),
            first=first,
            scan=not_for_gcc(f"#pragma omp scan {kind}(sum)"),
            last=last,
            s=self._scalar(),
        )

    def tasks(self) -> str:
        """Tasks in a region, with copies of what changes meanwhile, and loops of tasks."""
        return fill(
            """
    {
        unsigned sum = 1, t = 2;
#pragma omp target map(tofrom: $a, sum) firstprivate(t)
#pragma omp parallel num_threads($threads)
#pragma omp $one
        {
            for (int r = 0; r < 6; ++r) {
                t = t * 3u + r;
#pragma omp task firstprivate(t)
                {
                    t += $value;
                    for (int i = r * 8; i < r * 8 + 8; ++i)
                        $a[i] += t;
#pragma omp atomic
                    sum += t;
                }
            }
#pragma omp taskwait
#pragma omp taskloop grainsize(3) shared(sum)
            for (int i = 0; i < $size; ++i) {
#pragma omp atomic
                sum += (unsigned)$a[i] + $other;
            }
        }
        $s += sum;
    }
""",
            a=self._array(),
            threads=self.number(1, 6),
            one=self.one_of(("single", "masked")),
            value=self._few("(unsigned)r", "t"),
            other=self._few("(unsigned)i"),
            s=self._scalar(),
        )

    def bits(self) -> str:
        """Bit-fields of several types, unions and truth values in an array of structures."""
        self.declare(CELLS)
        lines = "".join(f"        {fill(self.one_of(CELL_WRITES), v=self._few(*CELL_READS))}\n" for _ in range(self.number(2, 5)))
        first, last = self.one_of(("struct cell c = cells[i];|cells[i] = c;", "struct cell *p = &cells[i];|")).split("|")
        if not last:
            lines = lines.replace("c.", "p->")
        return fill(
            """
#pragma omp $loop map(tofrom: cells)
    for (int i = 0; i < 12; ++i) {
        $first
$lines        $last
    }
    for (int i = 0; i < 12; ++i)
        $s = $s * 31u + cells[i].low + cells[i].high * 3u + (unsigned)cells[i].few + cells[i].yes + (unsigned)cells[i].colour
            + cells[i].u.whole + (unsigned)cells[i].wide + (unsigned)cells[i].small;
""",
            loop=self.one_of(LOOPS),
            first=first,
            lines=lines,
            last=last,
            s=self._scalar(),
        )

    def floating(self) -> str:
        """Floating numbers that are small integers, so that sums are exact in any order, complex ones among them."""
        return fill(
            """
    {
        $kind x[$size], sum = 0, most = -1;
        _Complex $kind z = 1;
        for (int i = 0; i < $size; ++i)
            x[i] = i % 7 - 2;
#pragma omp $loop map(tofrom: x) reduction(+: sum, z) reduction(max: most)
        for (int i = 0; i < $size; ++i) {
            $kind t = ($kind)(($value) % 100u);
            x[i] = x[i] * 2 + t;
            for (int k = 0; k < (int)x[i] % 4; ++k)
                x[i] += k;
            sum += x[i];
            z += t;
            most = x[i] > most ? x[i] : most;
        }
        $s += (unsigned)(int)sum + (unsigned)(int)most * 3u + (unsigned)(int)x[$pick] + (unsigned)(int)__real__ z;
    }
""",
            kind=self.one_of(("double", "float")),
            loop=self.one_of(LOOPS[:3]),
            value=self._few("(unsigned)i"),
            pick=self.number(0, SIZE - 1),
            s=self._scalar(),
        )

    def called(self) -> str:
        """Functions with parallel regions, called where a team has one thread and from inside such regions."""
        n = self.fresh()
        self.declare(
            fill(
                """
static unsigned sum$n(int n, const unsigned *x, unsigned t)
{
    unsigned s = t, few[4] = {0, 1, 2, 3};
    if (n < $least)
        return t;
#pragma omp parallel for reduction(+: s) $threads
    for (int i = 0; i < n; ++i)
        s += x[i] * ($value) + few[i % 4];
#pragma omp parallel for
    for (int i = 0; i < 4; ++i)
        few[i] += s;
    return few[t % 4u];
}
static void add$n(unsigned *x, int n, unsigned t)
{
    unsigned own = sum$n(n / 2, x, t);
#pragma omp parallel
    {
#pragma omp single
        t += own;
#pragma omp for
        for (int i = 0; i < n; ++i)
            x[i] += t;
    }
}
""",
                n=n,
                least=self.number(0, 20),
                threads=self.one_of(("", "num_threads(5)", "schedule(dynamic, 3)")),
                value=self._few("(unsigned)i", "t"),
            )
        )
        inside = ("sum$n(12, y, (unsigned)r)", "sum$n(r, rows[r], 3u) + y[r % $size]")
        head = self.one_of(("target teams distribute", "target teams distribute parallel for", "target"))
        return fill(
            """
    {
        unsigned rows[9][$size], y[$size], out[9];
        for (int i = 0; i < $size; ++i)
            y[i] = i * 3u + 1u;
#pragma omp $head map(from: rows, out) map(to: y)
        for (int r = 0; r < 9; ++r) {
            unsigned own[$size];
            for (int i = 0; i < $size; ++i)
                own[i] = rows[r][i] = $value;
            add$n(rows[r], $size, (unsigned)r);
            add$n(own, $size, 2u);
            out[r] = own[r] + $call;
        }
        for (int r = 0; r < 9; ++r)
            for (int i = 0; i < $size; ++i)
                $s = $s * 31u + rows[r][i] + out[r];
    }
""",
            head=head,
            n=n,
            value=self._few("(unsigned)i", "(unsigned)r"),
            call=fill(self.one_of(inside), n=n),
            s=self._scalar(),
        )

    def exchanged(self) -> str:
        """Threads that read variables of each other through pointers."""
        where = self.one_of(("", "#pragma omp target parallel num_threads($threads) map(tofrom: out) map(alloc: at)\n"))
        self.declare("#include <omp.h>\n")
        declared = self.one_of(("unsigned own = $value;", "unsigned many[3] = {0, $value, 5}, *to = many + 1;", "struct { unsigned value, *self; } r = {$value, &r.value};"))
        to = "&own" if "own" in declared else "to" if "to" in declared else "r.self"
        inner = "#pragma omp parallel num_threads($threads)\n" if not where else ""
        return fill(
            """
    {
        unsigned out[$threads], *at[$threads];
        for (int i = 0; i < $threads; ++i)
            out[i] = 0;
$head        {
            for (int round = 0; round < $rounds; ++round) {
                int me = omp_get_thread_num(), next = (me + 1) % omp_get_num_threads();
                $declared
                at[me] = $to;
#pragma omp barrier
                unsigned seen = *at[next];
#pragma omp barrier
#pragma omp atomic
                *at[next] += seen;
#pragma omp barrier
                out[me] += *at[me] + seen * (unsigned)(me == 0);
#pragma omp barrier
            }
        }
        $s += out[0];
    }
""",
            head=fill(where or "#pragma omp target map(tofrom: out) map(alloc: at)\n" + inner, threads=1 if self.boolean() else 4),
            threads=4,
            rounds=self.number(1, 3),
            declared=fill(declared, value=self._few("(unsigned)round", "7u")),
            to=to,
            s=self._scalar(),
        )

    THREAD_CONSTRUCTS = (team, league, rows, atomics, scanned, tasks, bits, floating, called, exchanged)

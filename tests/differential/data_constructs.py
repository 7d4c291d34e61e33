# ruff: noqa: E501 -- lines of the generated C stand whole
"""Data environments of random programs: nested regions, pointers, mappers, updates, dependences, resident data, copies."""

from __future__ import annotations

from vocabulary import LOOPS, OPERATORS, SIZE, Vocabulary, fill, not_for_gcc


class DataConstructs(Vocabulary):
    def nested_data(self) -> str:
        """Data regions within each other, the inner ones through a pointer into the middle of what is mapped."""
        array = self._array()
        low, length = self.number(0, 9), self.number(12, 38)
        at = self.number(low, low + length - 6)
        middle = self.number(3, low + length - at)
        part = self.number(0, middle - 1)
        end = self.number(part + 1, middle)
        kind = self.one_of(("to", "tofrom", "alloc", "from"))
        begin, finish = self.one_of(
            (
                f"#pragma omp target data map({kind}: q[{part}:{end - part}])\n        {{|        }}",
                f"#pragma omp target enter data map(to: q[{part}:{end - part}])\n        {{|        }}\n#pragma omp target exit data map({self.one_of(('from', 'release'))}: q[{part}:{end - part}])",
            )
        ).split("|")
        value = self.expression(self.readable("(unsigned)q[i]", "(unsigned)i", without=(array,)))
        return fill(
            """
    {
        $kind *q = $a + $at;
#pragma omp target data map(tofrom: $a[$low:$length])
        {
#pragma omp $loop map(tofrom: q[0:$middle])
        for (int i = 0; i < $middle; ++i)
            q[i] += $value;
        $begin
#pragma omp $other map($how: q[$part:$count])
            for (int i = $part; i < $end; ++i)
                q[i] ^= $value;
#pragma omp target update from(q[$part:1])
            q[$part] += 3;
#pragma omp target update to(q[$part:1])
        $finish
#pragma omp target map(q[$part:$count])
        q[$part] *= 5;
        }
    }
""",
            kind=self._type(array),
            a=array,
            at=at,
            low=low,
            length=length,
            middle=middle,
            part=part,
            end=end,
            count=end - part,
            begin=begin,
            finish=finish,
            loop=self.one_of(LOOPS),
            other=self.one_of(LOOPS),
            how=self.one_of(("tofrom", "alloc", "to")),
            value=value,
        )

    def pointer_members(self) -> str:
        """A structure with pointers to parts of an array, mapped with what they lead to."""
        array = self._array()
        low, length = self.number(0, 9), self.number(2, 12)
        wrap = self.boolean()
        maps = "map(to: v) map(tofrom: v.p[0:v.n]) map(to: v.q[1:2])"
        inner, outer = ("", maps) if wrap else (maps, "")
        kind = self._type(array)
        return fill(
            """
    {
        struct {
            int n;
            $kind *p;
            unsigned few[3], *q;
        } v = {$length, $a + $low, {1, 2, 3}, 0};
        unsigned sum = 0, more[4] = {5, 6, 7, 8};
        v.q = more;
$begin#pragma omp $loop $inner
        for (int i = 0; i < $length; ++i)
            v.p[i] += $value;
#pragma omp target $inner map(tofrom: sum)
        {
            $kind *end = v.p + v.n;
            while (end-- != v.p)
                sum += (unsigned)*end;
        }
$end        $s += sum;
    }
""",
            kind=kind,
            a=array,
            low=low,
            length=length,
            inner=inner,
            begin=f"#pragma omp target data {outer}\n        {{\n" if outer else "",
            end="        }\n" if outer else "",
            loop=self.one_of(LOOPS),
            value=self.expression(["(unsigned)v.p[i]", "(unsigned)i", "v.few[i % 3]", "v.q[1]", "v.q[1 + i % 2]"]),
            s=self._scalar(),
        )

    def mapped_by_type(self) -> str:
        """A structure whose mapper maps what it points to, alone or in an array."""
        self.declare(
            "struct vector {\n    int n;\n    unsigned *p, tail[2];\n};\n"
            + not_for_gcc("#pragma omp declare mapper(struct vector v) map(v, v.p[0:v.n])")
        )
        many = self.boolean()
        first, second = self.number(1, 8), self.number(1, 8)
        update = not_for_gcc("#pragma omp target update from(all[0])")
        return fill(
            """
    {
        unsigned data[20] = {$values};
        struct vector all[2] = {{$first, data + 1, {1, 2}}, {$second, data + 10, {3, 4}}};
#pragma omp target data map(tofrom: $mapped)
        {
#pragma omp $loop map(tofrom: $mapped)
            for (int i = 0; i < all[$one].n; ++i)
                all[$one].p[i] += $value;
#pragma omp target map(tofrom: $mapped)
            all[0].tail[1] += all[$one].p[0];
$update        }
        for (int i = 0; i < 20; ++i)
            $s = $s * 31u + data[i] + all[i % 2].tail[i / 2 % 2];
    }
""",
            values=", ".join(str(self.number(0, 99)) for _ in range(5)),
            first=first,
            second=second,
            mapped="all" if many else "all[0]",
            one=self.number(0, 1) if many else 0,
            loop=self.one_of(LOOPS[:3]),
            value=self._few("(unsigned)i", "all[0].tail[0]"),
            update="" if many else update,
            s=self._scalar(),
        )

    def device_pointers(self) -> str:
        """Device addresses, taken from a data region and handed to regions that map nothing."""
        array = self._array()
        low, length = self.number(0, 20), self.number(1, 20)
        pointer = fill(
            """
    {
        $kind *q = $a + $low;
#pragma omp target data map(tofrom: q[0:$length]) use_device_ptr(q)
        {
#pragma omp $loop is_device_ptr(q)
        for (int i = 0; i < $length; ++i)
            q[i] = $value;
#pragma omp target is_device_ptr(q) map(tofrom: $s)
        $s += (unsigned)q[$length / 2];
        }
    }
""",
            kind=self._type(array),
            a=array,
            low=low,
            length=length,
            loop=self.one_of(LOOPS),
            value=self.expression(self.readable("(unsigned)q[i]", "(unsigned)i", without=(array,))),
            s=self._scalar(),
        )
        address = fill(
            """
#pragma omp target data map(tofrom: $a) use_device_addr($a)
    {
#pragma omp $loop has_device_addr($a)
    for (int i = 0; i < $size; i += 2)
        $a[i] -= $value;
    }
""",
            a=array,
            loop=self.one_of(LOOPS[:3]),
            value=self._own(array),
        )
        return pointer if self.boolean() else address

    def strided_update(self) -> str:
        """Every few elements brought back and forth, while the others differ on host and device."""
        array = self._array()
        stride, low = self.number(1, 5), self.number(0, 5)
        count = self.number(1, (SIZE - low - 1) // stride + 1)
        section = f"{array}[{low}:{count}:{stride}]"
        return fill(
            """
#pragma omp target data map(tofrom: $a)
    {
#pragma omp $loop
    for (int i = 0; i < $size; ++i)
        $a[i] += $value;
$from    for (int i = $low; i < $low + $count * $stride; i += $stride)
        $a[i] ^= i * 3;
$to#pragma omp $loop
    for (int i = 0; i < $size; ++i)
        $a[i] -= $value;
    }
""",
            a=array,
            loop=self.one_of(LOOPS),
            value=self._own(array),
            low=low,
            count=count,
            stride=stride,
            **{"from": not_for_gcc(f"#pragma omp target update from({section})"), "to": not_for_gcc(f"#pragma omp target update to({section})")},
        )

    def dependences(self) -> str:
        """Deferred regions, updates and host tasks, each after those that write what it reads or read what it writes."""
        text = f"    {{\n#pragma omp target data map(tofrom: {', '.join(f'a{i}' for i in range(len(self.arrays)))})\n    {{\n"
        for _ in range(self.number(3, 6)):
            array, other = self._array(), self._array()
            order = f"depend(inout: {array})" + (f" depend(in: {other})" if other != array else "")
            value = self._few(f"(unsigned){other}[i]", f"(unsigned){array}[i]", "(unsigned)i")
            loop = f"    for (int i = 0; i < {SIZE}; ++i)\n        {array}[i] = {value};\n"
            kind = self.number(0, 3)
            if kind == 0:
                text += f"#pragma omp target update from({array}) {order} nowait\n#pragma omp task {order} shared({array})\n"
                text += f"    for (int i = 0; i < {SIZE}; ++i)\n        {array}[i] += 5;\n#pragma omp target update to({array}) {order} nowait\n"
            else:
                text += f"#pragma omp {self.one_of(LOOPS)} {order} nowait\n{loop}"
        return text + "#pragma omp taskwait\n    }\n    }\n"

    def deferred(self) -> str:
        """Regions and updates that may run when the function which met them has returned, or its pointers and bounds have
        other values; those of one row of ``lanes`` in order."""
        self.declare(
            fill(
                """
#ifdef REFERENCE /* gcc 12's libgomp may hang where threads share deferred regions without a device */
#define LATER
#else
#define LATER nowait
#endif
static unsigned lanes[3][$size], *lane, bound;
static void later(unsigned *p, unsigned from, unsigned n, unsigned by)
{
#pragma omp target teams distribute parallel for LATER depend(inout: p[0]) map(tofrom: p[from:n])
    for (unsigned i = from; i < from + n; ++i)
        p[i] = p[i] * 3u + by;
}
static void later_update(unsigned *p, unsigned from, unsigned n)
{
#pragma omp target update to(p[from:n]) LATER depend(inout: p[0])
#pragma omp target LATER depend(inout: p[0])
    p[from] += 5u;
#pragma omp target update from(p[from:n]) LATER depend(inout: p[0])
}
"""
            )
        )
        array = self._array()
        resident = self.number(0, 2)
        steps = []
        for _ in range(self.number(3, 7)):
            row, first = self.number(0, 2), self.number(0, 20)
            length, by = self.number(1, 27), self._few("(unsigned)i")
            own = self.one_of(("p", "lane"))
            kind = "update" if row == resident else self.one_of(("call", "inline"))
            if kind == "update":
                steps.append(f"            later_update(lanes[{row}], {first}u, {length}u);\n")
            elif kind == "call":
                steps.append(f"            later(lanes[{row}], {first}u, {length}u, {length * 7}u);\n")
            else:
                m = "m" if own == "p" else "bound"
                steps.append(
                    f"            {own} = lanes[{row}] + {first}, {m} = {length};\n"
                    f"#pragma omp {self.one_of(LOOPS)} LATER depend(inout: lanes[{row}][0]) map(tofrom: {own}[0:{m}])\n"
                    f"            for (unsigned i = 0; i < {length}u; ++i)\n                {own}[i] ^= {by};\n"
                )
        return fill(
            """
    {
        unsigned *p = lanes[0], m = 0;
        for (int i = 0; i < 3 * $size; ++i)
            lanes[i / $size][i % $size] = (unsigned)i;
#pragma omp target enter data map(to: lanes[$resident])
#pragma omp parallel num_threads($threads)
#pragma omp single
        {
#pragma omp task depend(out: lanes[0][0]) depend(out: lanes[1][0]) depend(out: lanes[2][0])
            for (volatile int k = 0; k < 1000000; ++k)
                ;
$steps            p = 0, lane = 0, m = bound = 0;
        }
#pragma omp target exit data map(release: lanes[$resident])
        for (int i = 0; i < $size; ++i)
            $a[i] += lanes[0][i] + 3u * lanes[1][i] + 7u * lanes[2][i];
    }
""",
            a=array,
            resident=str(resident),
            threads=str(self.number(2, 4)),
            steps="".join(steps),
        )

    def resident(self) -> str:
        """Data that lives on the device, shared by regions and functions, and a variable that is mapped by link."""
        self.declare(
            fill(
                """
static unsigned resident[$size], mark = 3, linked[4] = {1, 2, 3, 4};
#pragma omp declare target to(resident, mark) link(linked)
#pragma omp declare target
static unsigned look(unsigned i)
{
    static const unsigned char table[5] = {3, 1, 4, 1, 5};
    return i < 2u ? mark : resident[i % $size] + table[i % 5u] + look(i / 2u);
}
#pragma omp end declare target
"""
            )
        )
        array = self._array()
        return fill(
            """
    for (int i = 0; i < $size; ++i)
        resident[i] = i * $factor;
    mark += 2u;
#pragma omp target update to(resident, mark)
#pragma omp $loop map(tofrom: $a)
    for (int i = 0; i < $size; ++i)
        $a[i] += look($value);
#pragma omp $loop map(tofrom: linked)
    for (int i = 0; i < 4; ++i) {
        linked[i] += resident[i] + $two;
        resident[i] += linked[i];
    }
#pragma omp target
    mark ^= resident[1];
#pragma omp target update from(mark, resident[$low:3])
    $s += mark + resident[$low + 1] + linked[2];
#pragma omp target update from(resident)
    for (int i = 0; i < $size; ++i)
        $s = $s * 31u + resident[i];
""",
            factor=f"{self.number(1, 9)}u",
            loop=self.one_of(LOOPS[:3]),
            a=array,
            value=self._own(array),
            two=self._few("(unsigned)i", "linked[i]"),
            low=self.number(0, 2),
            s=self._scalar(),
        )

    def copies(self) -> str:
        """Copies of a structure, an array and an array of variable length, for a region or for its threads."""
        array = self._array()
        where = self.one_of(("target", "target parallel for", "target teams distribute parallel for", "target teams distribute"))
        loop = "" if where == "target" else "for (int i = 0; i < 9; ++i) "
        start = "int i = 4;\n            " if where == "target" else ""
        return fill(
            """
    {
        struct { unsigned a; short b; struct { unsigned char c[3]; } in; } pair = {1, -2, {{3, 4, 5}}};
        int m = $m;
        unsigned few[3] = {7, 8, 9}, v[m], rows[2][m];
        for (int i = 0; i < m; ++i)
            rows[0][i] = rows[1][i] = v[i] = i * 3u;
#pragma omp $where firstprivate(pair, few, v, rows) map(tofrom: $a)
        $loop{
            ${start}few[0] = $one;
            pair.a = few[0] + few[1];
            pair.in.c[1] = (unsigned char)$two;
            v[0] = pair.a + pair.in.c[2];
            rows[1][0] = v[0] ^ v[m - 1];
            $a[i] += rows[1][0] + rows[0][m - 1] + pair.in.c[1] + (unsigned)pair.b;
        }
        $s += few[0] + pair.a + v[0] + rows[1][0] + pair.in.c[1];
    }
""",
            where=where,
            loop=loop,
            start=start,
            m=self.number(2, 6),
            a=array,
            one=self._few("(unsigned)i", "few[1]", "few[2]"),
            two=self._few("(unsigned)i", "pair.a", "(unsigned)pair.in.c[0]"),
            s=self._scalar(),
        )

    def members(self) -> str:
        """Members of one structure, mapped each for itself."""
        self.declare(
            "static struct {\n    char before;\n    unsigned value;\n    short items[20];\n    struct {\n        unsigned deep[6], after;\n    } in;\n} parts = {1, 2, {3}, {{4}, 5}};\n"
        )
        chosen = self.one_of(("parts.value, parts.items[2:9]", "parts.items, parts.in.deep", "parts.value, parts.in", "parts.items[2:9], parts.in.deep[0:6]", "parts"))
        readable = {"value": "parts.value", "items": "(unsigned)parts.items[2 + i % 9]", "in": "parts.in.deep[i % 6]", "parts": "(unsigned)parts.before"}
        inside = [text for name, text in readable.items() if f"parts.{name}" in chosen or chosen == "parts"]
        written = "parts.items[i + 2]" if "items" in chosen or chosen == "parts" else "parts.in.deep[i]"
        value = self._few("(unsigned)i", *[t for t in inside if written.split("[", maxsplit=1)[0] not in t])
        return fill(
            """
#pragma omp $loop map(tofrom: $chosen)
    for (int i = 0; i < 6; ++i)
        $written += $value;
    $s = $s * 31u + (unsigned)parts.items[4] + parts.in.deep[3] + parts.value;
""",
            loop=self.one_of(LOOPS),
            chosen=chosen,
            written=written,
            value=value,
            s=self._scalar(),
        )

    def host_threads(self) -> str:
        """Regions on parts of an array, from several threads of the host."""
        array = self._array()
        per = self.one_of(("8", "12", "16"))
        return fill(
            """
#pragma omp parallel for num_threads(3)
    for (int r = 0; r < $size / $per; ++r) {
#pragma omp $loop map(tofrom: $a[r * $per:$per])
        for (int i = r * $per; i < (r + 1) * $per; ++i)
            $a[i] = $value;
    }
""",
            per=per,
            a=array,
            loop=self.one_of(LOOPS[:3]),
            value=self._few(f"(unsigned){array}[i]", "(unsigned)i", "(unsigned)r"),
        )

    def vectors(self) -> str:
        """GNU's vector types, computed with as wholes and by elements."""
        kind, lanes = self.one_of(("char", "short", "int", "long")), self.one_of(("2", "4", "8"))
        name = f"{kind}{lanes}"
        self.declare(f"typedef unsigned {kind} {name} __attribute__((vector_size({lanes} * sizeof({kind}))));\n")
        other = self.one_of(("w", "v[(i + 1) % 6]"))  # which nobody changes: odd elements are written

        def value(depth: int = 0) -> str:
            if depth > 2 or self.number(0, 4) == 0:
                return self.one_of(("v[i]", "t", other, f"(({name}){{t[1], {self.number(0, 200)}}})"))
            one, two = value(depth + 1), value(depth + 1)
            return self.one_of(
                (
                    f"({one} {self.one_of(OPERATORS)} {two})",
                    f"({one} {self.one_of(OPERATORS)} ({name}){{{self.number(0, 99)}}})",
                    f"({one} / ({two} | 1))",
                    f"({one} {self.one_of(('<<', '>>'))} ({two} & 7))",
                    f"(({name})({one} {self.one_of(('<', '==', '>='))} {two}))",
                    f"({one}[{self.number(0, 1)}] & 1 ? {two} : ~{one})",
                    f"__builtin_shuffle({one}, {two}, t)",
                )
            )

        return fill(
            """
    {
        $name v[6] = {{$first}, {$second}, {1, 2}}, w = {$third};
#pragma omp $loop map(tofrom: v)
        for (int i = 1; i < 6; i += 2) {
            $name t = v[i - 1] + (unsigned $kind)i;
            t[(unsigned)i % $lanes] ^= v[i][(unsigned)w[0] % $lanes];
            t $operator= $one;
            v[i] = $two;
        }
        for (int i = 0; i < 6 * $lanes; ++i)
            $s = $s * 31u + (unsigned)v[i / $lanes][i % $lanes];
    }
""",
            kind=kind,
            name=name,
            lanes=lanes,
            first=self.number(0, 99),
            second=f"{self.number(0, 99)}, {self.number(0, 99)}",
            third=f"{self.number(0, 99)}, {self.number(0, 99)}",
            loop=self.one_of(LOOPS),
            operator=self.one_of(OPERATORS),
            one=value(),
            two=value(),
            s=self._scalar(),
        )

    DATA_CONSTRUCTS = (nested_data, pointer_members, mapped_by_type, device_pointers, strided_update, dependences, deferred, resident, copies, members, host_threads, vectors)

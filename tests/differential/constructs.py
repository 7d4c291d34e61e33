# ruff: noqa: E501 -- lines of the generated C stand whole
"""Statements of random programs around target regions: data constructs, dependences, privatisation, nested teams."""

from __future__ import annotations

from vocabulary import LOOPS, SIZE, Vocabulary


class Constructs(Vocabulary):
    """The forms that most programs are made of."""

    def privatised(self) -> str:
        array, scalar = self._array(), self._scalar()
        first, last = self._own(array, "q"), self._own(array, "p", "q")
        teams = self.boolean()
        head = "#pragma omp target teams distribute parallel for" if teams else "#pragma omp target parallel for"
        return (
            f"    {{\n        unsigned p = 1, q = {self.number(0, 99)}u, r = 0;\n"
            f"{head} map(tofrom: {array}, r) private(p) firstprivate(q) lastprivate(r)\n"
            f"        for (int i = 0; i < {SIZE}; ++i) {{\n            p = {first};\n            q += {self.number(1, 5)}u * 0u;\n"
            f"            {array}[i] ^= p + q;\n            r = {last};\n        }}\n        {scalar} += r + p;\n    }}\n"
        )

    def variable_length(self) -> str:
        """A two-dimensional array of variable length, passed to a region whole or by rows."""
        scalar = self._scalar()
        rows, columns = self.number(1, 6), self.number(1, 7)
        low = self.number(0, rows - 1)
        mapped, start, end = self.one_of((f"v|0|{rows}", f"v[{low}:n - {low}]|{low}|{rows}", f"v[0:{low + 1}][0:m]|0|{low + 1}")).split("|")
        value = self.expression(self.readable("v[i][j]", "(unsigned)i", "(unsigned)j"))
        collapse = " collapse(2)" if self.boolean() else ""
        return (
            f"    {{\n        int n = {rows}, m = {columns};\n        unsigned v[n][m];\n        for (int i = 0; i < n; ++i)\n"
            f"            for (int j = 0; j < m; ++j)\n                v[i][j] = i * 7u + j;\n"
            f"#pragma omp {self.one_of(LOOPS[:3])} map(tofrom: {mapped}){collapse}\n"
            f"        for (int i = {start}; i < {end}; ++i)\n            for (int j = 0; j < m; ++j)\n                v[i][j] = {value};\n"
            f"        for (int i = 0; i < n; ++i)\n            for (int j = 0; j < m; ++j)\n                {scalar} = {scalar} * 31u + v[i][j];\n    }}\n"
        )

    def pool(self) -> str:
        """A section that begins somewhere behind a pointer that points into the middle of an array."""
        at, low = self.number(0, 20), self.number(0, 9)
        length = self.number(1, 96 - at - low)
        value = self.expression(self.readable("p[i]", "(unsigned)i"))
        return (
            f"    {{\n        unsigned short *p = pool + {at};\n#pragma omp {self.one_of(LOOPS)} map(tofrom: p[{low}:{length}])\n"
            f"        for (int i = {low}; i < {low + length}; ++i)\n            p[i] = {value};\n    }}\n"
        )

    def records(self) -> str:
        """Bit-fields and members of several sizes, in an array of structures."""
        value = self.expression(self.readable("(unsigned)rec[i].a", "(unsigned)rec[i].b", "(unsigned)rec[i].c", "(unsigned)i"))
        field = self.one_of(("a", "b", "c", "d"))
        mapped = self.one_of(("rec", "rec[0:12]"))
        return (
            f"#pragma omp {self.one_of(LOOPS)} map(tofrom: {mapped})\n    for (int i = 0; i < 12; ++i) {{\n"
            f"        rec[i].{field} = {value};\n        rec[i].c += rec[i].b;\n        rec[i].d ^= rec[i].a;\n    }}\n"
        )

    def updated(self) -> str:
        """A section mapped for several regions, part of it changed on the host in between."""
        array = self._array()
        low = self.number(0, 20)
        length = self.number(4, SIZE - low)
        part = self.number(1, length)
        begin, end = f"#pragma omp target data map(tofrom: {array}[{low}:{length}])\n    {{\n", "    }\n"
        if self.boolean():
            begin = f"#pragma omp target enter data map(to: {array}[{low}:{length}])\n    {{\n"
            end = f"    }}\n#pragma omp target exit data map(from: {array}[{low}:{length}])\n"
        loop = f"        for (int i = {low}; i < {low + length}; ++i)\n"
        regions = [f"#pragma omp {self.one_of(LOOPS)} map(tofrom: {array}[{low}:{length}])\n{loop}            {array}[i] += {self._own(array)};\n" for _ in range(2)]
        return (
            f"{begin}{regions[0]}#pragma omp target update from({array}[{low}:{part}])\n"
            f"        for (int i = {low}; i < {low + part}; ++i)\n            {array}[i] += i;\n"
            f"#pragma omp target update to({array}[{low}:{part}])\n{regions[1]}{end}"
        )

    def chained(self) -> str:
        """Deferred regions in the order of their dependences."""
        array = self._array()
        text = ""
        for _ in range(self.number(2, 4)):
            text += f"#pragma omp {self.one_of(LOOPS)} map(tofrom: {array}) depend(inout: {array}) nowait\n"
            text += f"    for (int i = 0; i < {SIZE}; ++i)\n        {array}[i] = {self._own(array)};\n"
        return text + "#pragma omp taskwait\n"

    def nested_teams(self) -> str:
        """Distributed rows, each with its own sequential part and parallel loop."""
        array = self._array()
        per = self.one_of(("4", "8", "12"))
        outer = self.expression(self.readable("(unsigned)r", without=(array,)))
        value = self.expression(self.readable(f"(unsigned){array}[i]", "(unsigned)i", "(unsigned)r", "t", without=(array,)))
        inner = self.one_of(("parallel for", "parallel for simd", "simd", "parallel for schedule(dynamic, 2)"))
        split = f"#pragma omp target teams map(tofrom: {array}) num_teams({self.number(1, 5)})\n#pragma omp distribute\n"
        head = self.one_of((f"#pragma omp target teams distribute map(tofrom: {array})\n", split))
        return (
            f"{head}    for (int r = 0; r < {SIZE // int(per)}; ++r) {{\n        unsigned t = {outer};\n"
            f"        for (unsigned k = 0; k < t % 4u; ++k)\n            t = t * 3u + k;\n#pragma omp {inner}\n"
            f"        for (int i = r * {per}; i < (r + 1) * {per}; ++i)\n            {array}[i] = {value};\n    }}\n"
        )

    CONSTRUCTS = (privatised, variable_length, pool, records, updated, chained, nested_teams)

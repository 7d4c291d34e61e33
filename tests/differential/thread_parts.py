# ruff: noqa: E501 -- lines of the generated C stand whole
"""The parts of random programs with parallel regions, teams and atomic updates: C with places for names and values."""

from __future__ import annotations

# Parts of a parallel region, each of which ends with a barrier. $few is made of what is shared, $each and $index of what
# an iteration may read as well.
SHARED_WORK = (
    """
#pragma omp for$schedule
            for (int i = 0; i < $size; ++i)
                $a[i] += $each;
""",
    """
#pragma omp for nowait
            for (int i = 0; i < 24; ++i)
                $a[i] ^= $each;
#pragma omp for nowait
            for (int i = 24; i < $size; ++i)
                $a[i] -= $each;
#pragma omp barrier
""",
    """
#pragma omp single
            {
                shared += $few;
                list[1] ^= shared;
            }
""",
    """
            unsigned mine = 1;
#pragma omp single copyprivate(mine)
            mine = $few;
#pragma omp for
            for (int i = 0; i < $size; ++i)
                $a[i] += mine;
""",
    """
#pragma omp masked
            shared = $few;
#pragma omp barrier
""",
    """
            if (omp_get_thread_num() == 0) {
#pragma omp atomic write
                list[2] = 5;
            }
#pragma omp barrier
""",
    """
#pragma omp sections
            {
#pragma omp section
                list[0] += list[0] ^ shared * 5u;
#pragma omp section
                {
                    list[2] += list[2] * 3u + shared;
                }
#pragma omp section
                list[3] ^= shared;
            }
""",
    """
#pragma omp for
            for (int i = 0; i < $size; ++i)
#pragma omp critical(one)
                {
                    shared += $index;
                    list[i % 3] += 1u;
                }
""",
    """
#pragma omp for ordered
            for (int i = 0; i < 12; ++i) {
                unsigned t = $index;
#pragma omp ordered
                shared = shared * 31u + t;
            }
""",
    """
#pragma omp for reduction(+: sum) reduction(^: list[0:4])
            for (int i = 0; i < $size; ++i) {
                sum += $index + shared;
                list[i % 4] ^= (unsigned)i;
            }
""",
    """
#pragma omp for lastprivate(last) collapse(2)
            for (int i = 0; i < 5; ++i)
                for (int j = 4; j > 0; --j)
                    last = $index + (unsigned)j;
""",
    """
#pragma omp for
            for (int i = 0; i < $size; ++i) {
                unsigned v = $index;
#pragma omp atomic
                shared += v;
            }
""",
)

# Parts of a team before what is distributed, from its array `own` and its variable `t`.
TEAM_WORK = (
    """
#pragma omp parallel for$schedule
        for (int i = 0; i < 8; ++i)
            own[i] += $each;
""",
    """
#pragma omp parallel for reduction(+: t)
        for (int i = 0; i < 20; ++i)
            t += $index + own[i % 8];
""",
    """
        if ($few % 2u) {
            unsigned u = own[2];
#pragma omp parallel for firstprivate(u)
            for (int i = 0; i < 8; ++i)
                own[i] ^= u + $each;
        } else
            own[5] = t;
""",
    """
        for (unsigned k = 0; k < $few % 4u; ++k) {
#pragma omp parallel for
            for (int i = 0; i < 8; ++i)
                own[i] += k + $each;
            t ^= own[k];
        }
""",
    """
        {
            unsigned *p = own + 2, loop[2] = {1, 2}, *q = loop;
            *p++ += t;
            p[1] ^= own[0];
            q[1] += t;
            t += loop[1];
        }
""",
    """
        t = t % 7u == 3u ? own[1] : $few;
""",
    """
#pragma omp parallel
        {
            unsigned u = t;
#pragma omp for
            for (int i = 0; i < 8; ++i)
                own[i] += u;
#pragma omp for reduction(max: t)
            for (int i = 0; i < 12; ++i) {
                unsigned v = $index;
                t = t < v ? v : t;
            }
        }
""",
    """
#pragma omp parallel for
        for (int i = 0; i < 8; ++i) {
            unsigned mine = own[i], pair[2] = {$each, 1};
#pragma omp parallel for reduction(+: mine) num_threads(2)
            for (int j = 0; j < 4; ++j) {
                mine += pair[0] * (unsigned)j;
                if (j == 3)
                    pair[1] = t;
            }
            own[i] = mine ^ pair[1];
        }
""",
    """
        while (own[0] % 5u) {
#pragma omp parallel for
            for (int i = 0; i < 8; ++i)
                own[i] += i + 1u;
        }
""",
)
DISTRIBUTED = (
    """
#pragma omp distribute parallel for
        for (int i = 0; i < $size; ++i)
            $a[i] += $each + own[i % 8];
""",
    """
#pragma omp distribute
        for (int r = 0; r < $size / 8; ++r) {
            unsigned v = $few + (unsigned)r;
#pragma omp parallel for
            for (int i = r * 8; i < r * 8 + 8; ++i)
                $a[i] ^= v + own[i % 8];
            v += t;
            $a[r * 8] += v;
        }
""",
    """
#pragma omp distribute simd
        for (int i = 0; i < $size; ++i)
            $a[i] -= $index ^ own[i % 8];
""",
)

# Between the parallel loops of a row.
BETWEEN = (
    "",
    "if (sum % 3u)\n            row[1] = most;",
    "for (unsigned k = 0; k < most % 4u; ++k)\n            row[k] += sum;",
    "pick += sum;\n        if (pick % 2u)\n            continue;",
    """switch (sum % 3u) {
        case 0:
            row[2] = 1;
        case 1:
            pick = 3;
            break;
        default:
            most ^= row[3];
        }""",
    """do {
            row[0] = row[0] / 2u;
            ++pick;
        } while (row[0] > 5u);""",
)

# Every element of x sees one kind of operation, in whose order nothing shows.
ATOMICS = (
    "#pragma omp atomic update\n            x[0] += $index;",
    "#pragma omp atomic\n            x[1] = x[1] ^ ($index);",
    "#pragma omp atomic\n            x[2]++;",
    "#pragma omp atomic update seq_cst\n            x[13 + i % 3] = ($index) + x[13 + i % 3];",
    "#pragma omp atomic\n            x[3] |= $index;",
    "#pragma omp atomic relaxed\n            x[4] &= ($index) | 3u;",
    "#pragma omp atomic capture\n            got = x[5]++;\n            sum += (unsigned)got;",
    "#pragma omp atomic capture\n            {\n                got = x[5];\n                x[5] += 1;\n            }\n            sum += (unsigned)got;",
    "#pragma omp atomic capture\n            got = --x[6];\n            sum += (unsigned)got;",
    "#pragma omp atomic compare\n            if (x[7] < c) { x[7] = c; }",
    "#pragma omp atomic compare\n            x[8] = x[8] > c ? c : x[8];",
    "#pragma omp atomic write\n            x[9] = 7;",
    "#pragma omp atomic read\n            got = x[10];\n            sum += (unsigned)got;",
    "#pragma omp atomic\n            x[11] = 3 - x[11];",
)

CELLS = """
enum colour { RED, GREEN = 5, BLUE };
static struct cell {
    unsigned low : 3, : 2, high : 20;
    signed few : 5;
    _Bool yes;
    enum colour colour;
    union {
        unsigned whole;
        unsigned char bytes[4];
        struct {
            unsigned short first, second;
        } halves;
    } u;
    union {
        signed char small;
        _Bool more : 1;
    };
    unsigned long long wide : 40;
} cells[12];
"""
CELL_READS = (
    "c.low", "c.high", "(unsigned)c.few", "(unsigned)c.yes", "(unsigned)c.colour", "c.u.whole", "(unsigned)c.u.bytes[i % 4]",
    "(unsigned)c.u.halves.second", "(unsigned)c.wide", "(unsigned)c.more", "(unsigned)i",
)  # fmt: skip
CELL_WRITES = (
    "c.low = $v;", "c.high += $v;", "c.few = (int)(($v) % 16u);", "c.yes = $v;", "c.colour = ($v) % 2u ? GREEN : BLUE;", "c.u.bytes[2] ^= $v;",
    "c.u.halves.first -= $v;", "c.wide += $v;", "c.wide <<= 3;", "c.yes |= $v;", "c.few--;", "c.u.whole += c.low++;", "c.small = 0, c.more = $v;",
)  # fmt: skip

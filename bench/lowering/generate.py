"""C units to measure lowering with: one like a file of a real application, and long ones of any number of lines."""

from __future__ import annotations

_HEADERS = "#include <math.h>\n#include <omp.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"

# What one block of a generated unit looks like: 200 lines with three target regions and host code around them.
# {k} numbers the block; the host code is what fills files in practice: declarations, loops, tests, calls.
_BLOCK_LINES = 200
_REGIONS_PER_BLOCK = 3

_BLOCK_HEAD = """
struct cell_{k} {{
    double value, flux[3];
    int neighbours[4], flags;
}};

static double weight_{k}[16];

static double limit_{k}(double x, double low, double high)
{{
    if (x < low)
        return low;
    return x > high ? high : x;
}}

/* Smooths a field, then sums what changed. */
double smooth_{k}(const double *restrict from, double *to, int rows, int columns)
{{
    double change = 0;
    int size = rows * columns;
#pragma omp target teams distribute parallel for collapse(2) map(to: from[0:size]) map(tofrom: to[0:size])
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++) {{
            int at = i * columns + j;
            double sum = from[at - 1] + from[at + 1] + from[at - columns] + from[at + columns];
            to[at] = limit_{k}(0.25 * sum + from[at], -1e6, 1e6);
        }}
#pragma omp target teams distribute parallel for reduction(+: change) map(to: from[0:size], to[0:size])
    for (int i = 0; i < size; i++)
        change += fabs(to[i] - from[i]);
    return change;
}}

void relax_{k}(struct cell_{k} *cells, int count, double dt)
{{
    double scale = dt / (count > 0 ? count : 1);
#pragma omp target teams distribute parallel for map(tofrom: cells[0:count]) num_teams(64) thread_limit(128)
    for (int c = 0; c < count; c++) {{
        double total = 0;
        for (int d = 0; d < 3; d++) {{
            total += cells[c].flux[d] * scale;
            cells[c].flux[d] = 0;
        }}
        if (cells[c].flags & 1)
            cells[c].value += total;
        else
            cells[c].value -= sqrt(fabs(total));
    }}
}}
"""

_HOST_FUNCTION = """
int step_{k}_{m}(char *out, size_t size, const double *values, int count)
{{
    double low = values[0], high = values[0], mean = 0.0;
    int length = 0;
    for (int i = 0; i < count; i++) {{
        if (values[i] < low)
            low = values[i];
        if (values[i] > high)
            high = values[i];
        mean += values[i] / count; /* as good as any */
    }}
    length += snprintf(out + length, size - (size_t)length, "step %d: %g .. %g", {m}, low, high);
    switch (count % 3) {{
    case 0:
        length += snprintf(out + length, size - (size_t)length, " (mean %g)", mean);
        break;
    case 1:
        memset(weight_{k}, 0, sizeof weight_{k});
        break;
    default:
        weight_{k}[count & 15] += pow(mean, {m} + 0.5);
    }}
    while (length > 0 && out[length - 1] == ' ')
        out[--length] = '\\0';
    return length;
}}
"""


def long_unit(lines: int) -> str:
    """A unit of exactly this many lines (a multiple of 200), three target regions in every 200."""
    if lines % _BLOCK_LINES:
        raise ValueError(f"{lines} is not a multiple of {_BLOCK_LINES}")
    text = _HEADERS
    for k in range(lines // _BLOCK_LINES):
        text += _block(k, (k + 1) * _BLOCK_LINES - text.count("\n"))
    return text


def regions_in(lines: int) -> int:
    return lines // _BLOCK_LINES * _REGIONS_PER_BLOCK


def _block(k: int, lines: int) -> str:
    text = _BLOCK_HEAD.format(k=k)
    m = 0
    while True:
        function = _HOST_FUNCTION.format(k=k, m=m)
        if text.count("\n") + function.count("\n") > lines:
            break
        text += function
        m += 1
    rest = lines - text.count("\n")
    return text + "".join(f"/* line {n} of what is left */\n" for n in range(rest))


def usual_unit() -> str:
    """A unit of 150 lines with four regions, as one file of an application has them."""
    text = _HEADERS + _BLOCK_HEAD.format(k=0) + _HOST_FUNCTION.format(k=0, m=0) + _HOST_FUNCTION.format(k=0, m=1)
    text += """
int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 256, columns = 256, count = rows * columns;
    double *from = calloc(count, sizeof *from), *to = calloc(count, sizeof *to);
    char line[256];
    for (int i = 0; i < count; i++)
        from[i] = to[i] = i % 17;
    double start = omp_get_wtime();
#pragma omp target data map(to: from[0:count]) map(tofrom: to[0:count])
    for (int n = 0; n < 10; n++)
        printf("%d %g\\n", n, smooth_0(from, to, rows, columns));
    step_0_0(line, sizeof line, to, count);
    printf("%s, %.3f s\\n", line, omp_get_wtime() - start);
    free(from);
    free(to);
    return 0;
}
"""
    return text + "".join(f"/* {n} */\n" for n in range(150 - text.count("\n")))


def unit_without_target(lines: int) -> str:
    """A unit with host OpenMP but nothing to lower."""
    text = _HEADERS + "static double weight_0[16];\n"
    m = 0
    while text.count("\n") < lines:
        text += _HOST_FUNCTION.format(k=0, m=m)
        m += 1
    return text

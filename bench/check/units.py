"""Units to measure with what warnings cost: C and C++, short and long, of different shapes."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "lowering"))

from generate import long_unit, usual_unit

_HEADERS = "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
_CXX_HEADERS = "#include <algorithm>\n#include <cmath>\n#include <cstdio>\n#include <iostream>\n#include <vector>\n"

_REGION = """
{static}double region_{k}(double *values, const double *weights, int count)
{{
    double total = 0;
#pragma omp target teams distribute parallel for reduction(+: total) \\
        map(to: weights[0:count]) map(tofrom: values[0:count])
    for (int i = 0; i < count; i++) {{
        double scaled = values[i] * weights[i] + {k};
        if (scaled > 1e6)
            scaled = 1e6;
        values[i] = scaled;
        total += scaled;
    }}
    return total;
}}
"""
_HOST = """
static double host_{k}(double *values, int count, const char *name)
{{
    double low = values[0], high = values[0], mean = 0;
    for (int i = 0; i < count; i++) {{
        if (values[i] < low)
            low = values[i];
        else if (values[i] > high)
            high = values[i];
        mean += values[i] / count;
    }}
    if (strlen(name) > {k} % 7)
        printf("%s: %g .. %g (%g)\\n", name, low, high, mean);
    values[{k} % 5] += mean * {k};
    return high - low;
}}
"""
_CXX_HOST = """
static double host_{k}(std::vector<double> &values, const std::string &name)
{{
    auto [low, high] = std::minmax_element(values.begin(), values.end());
    double mean = 0;
    for (double value : values)
        mean += value / values.size();
    if (name.size() > {k} % 7)
        std::cout << name << ": " << *low << " .. " << *high << " (" << mean << ")\\n";
    std::vector<double> sorted(values);
    std::sort(sorted.begin(), sorted.end(), [](double a, double b) {{ return a > b; }});
    values[{k} % 5] += mean * sorted[{k} % 3];
    return *high - *low;
}}
"""
_TEMPLATES = """
template <class T>
class Field {
  public:
    explicit Field(int count) : count_(count), values_(new T[count]) {
        for (int i = 0; i < count; ++i)
            values_[i] = T(i % 7);
        T *values = values_;
#pragma omp target enter data map(to: values[0:count])
    }
    ~Field() {
        T *values = values_;
#pragma omp target exit data map(delete: values[0:count_])
        delete[] values_;
    }
    T &operator[](int i) { return values_[i]; }
    void scale(T by) {
        T *values = values_;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < count_; ++i)
            values[i] *= by;
    }
    template <class Operation>
    T reduced(Operation operation) {
        T *values = values_;
        T total = 0;
#pragma omp target teams distribute parallel for reduction(+: total)
        for (int i = 0; i < count_; ++i)
            total += operation(values[i]);
        return total;
    }
    void fetch() {
        T *values = values_;
#pragma omp target update from(values[0:count_])
    }

  private:
    int count_;
    T *values_;
};

template <class T, int Degree>
T polynomial(T x) {
    T result = 1;
    for (int i = 0; i < Degree; ++i)
        result = result * x + T(i);
    return result;
}

template <class T>
double run(int count) {
    Field<T> field(count);
    field.scale(T(2));
    double total = double(field.reduced([](T x) { return polynomial<T, 3>(x); }));
    total += double(field.reduced([](T x) { return polynomial<T, 5>(x); }));
    field.fetch();
    return total + double(field[3]);
}
"""


def host_heavy(functions: int, regions: int) -> str:
    """Many functions of the host around few regions."""
    text = _HEADERS + "".join(_HOST.format(k=k) for k in range(functions))
    text += "".join(_REGION.format(k=k, static="static ") for k in range(regions))
    calls = "".join(f'    total += host_{k}(values, 100, "values");\n' for k in range(functions))
    calls += "".join(f"    total += region_{k}(values, weights, 100);\n" for k in range(regions))
    return text + _main(calls)


def _main(statements: str) -> str:
    head = "    double values[100], weights[100], total = 0;\n    for (int i = 0; i < 100; i++)\n"
    head += "        values[i] = weights[i] = i;\n"
    return f'\nint main(void)\n{{\n{head}{statements}    printf("%g\\n", total);\n    return 0;\n}}\n'


def one_function(regions: int) -> str:
    """One function with many regions, on data that stays on the device."""
    text = _HEADERS + "\nint main(void)\n{\n    enum { N = 1000 };\n    static double a[N], b[N], c[N];\n"
    text += "    double total = 0;\n    for (int i = 0; i < N; i++)\n        a[i] = b[i] = i;\n"
    text += "#pragma omp target data map(to: a, b) map(from: c)\n    {\n"
    for k in range(regions):
        text += "#pragma omp target teams distribute parallel for reduction(+: total)\n"
        text += "        for (int i = 1; i < N - 1; i++) {\n"
        text += f"            double x = a[i - 1] + {k} * b[i] + a[i + 1];\n"
        text += "            c[i] = x > 1 ? sqrt(x) : x;\n            total += c[i];\n        }\n"
        text += "#pragma omp target teams distribute parallel for\n        for (int i = 1; i < N - 1; i++)\n"
        text += f"            a[i] = c[i] * {k} + b[i];\n" if k else "            a[i] = b[i];\n"
    return text + '    }\n    printf("%g %g\\n", total, c[7]);\n    return 0;\n}\n'


def straight_line(statements: int) -> str:
    """A long function without loops, as tests and generated code have them."""
    lines = "".join(
        f"    x{k % 20} = x{(k + 1) % 20} * {k} + values[{k % 100}];\n"
        f"    values[{(k * 7) % 100}] = x{k % 20} > 0 ? x{k % 20} : -x{(k + 3) % 20};\n"
        for k in range(statements // 2)
    )
    declared = f"    double {', '.join(f'x{k} = {k}' for k in range(20))};\n"
    calls = "".join(f"    total += region_{k}(values, weights, 100) + x{k};\n" for k in range(3))
    regions = "".join(_REGION.format(k=k, static="static ") for k in range(3))
    return _HEADERS + regions + _main(declared + lines + calls)


def long_regions(regions: int) -> str:
    """Regions with much code in each, which call functions."""
    text = _HEADERS + "#pragma omp declare target\nstatic double flux(const double *u, int at, int stride)\n{\n"
    text += "    double left = u[at - stride], right = u[at + stride];\n"
    text += "    return left > right ? left - u[at] : u[at] - right;\n}\n#pragma omp end declare target\n"
    for k in range(regions):
        text += f"\nvoid sweep_{k}(int n, int m, double *restrict u, double *restrict v, const double *w)\n{{\n"
        text += "#pragma omp target teams distribute parallel for collapse(2) map(tofrom: u[0:n * m]) "
        text += "map(from: v[0:n * m]) map(to: w[0:n * m])\n"
        text += "    for (int i = 1; i < n - 1; i++)\n        for (int j = 1; j < m - 1; j++) {\n"
        text += "            int at = i * m + j;\n            double s = 0, t[4] = {0};\n"
        for step in range(12):
            text += f"            t[{step % 4}] = flux(u, at, {'m' if step % 2 else '1'}) * w[at + {step % 2}];\n"
            text += f"            if (t[{step % 4}] > {step})\n                s += t[{step % 4}] / (1 + w[at - m]);\n"
        text += "            v[at] = s;\n        }\n}\n"
    return text


def cxx(regions: int, functions: int = 2) -> str:
    """Headers of C++, regions in functions, and a main with vectors."""
    text = _CXX_HEADERS + "".join(_CXX_HOST.format(k=k) for k in range(functions))
    text += "".join(_REGION.format(k=k, static="static ") for k in range(regions))
    calls = "".join(f'    total += host_{k}(values, "values");\n' for k in range(functions))
    calls += "".join(
        f"    total += region_{k}(values.data(), weights.data(), int(values.size()));\n" for k in range(regions)
    )
    head = "    std::vector<double> values(100), weights(100, 2.0);\n    double total = 0;\n"
    return f'{text}\nint main()\n{{\n{head}{calls}    std::cout << total << "\\n";\n}}\n'


def cxx_templates(types: int) -> str:
    """Classes and functions that are templates, with regions in them."""
    kinds = ("double", "float", "int", "long", "short", "unsigned", "unsigned long", "long long")[:types]
    calls = "".join(f"    total += run<{kind}>(100);\n" for kind in kinds)
    return f"{_CXX_HEADERS}{_TEMPLATES}\nint main()\n{{\n    double total = 0;\n{calls}    std::cout << total;\n}}\n"


def units() -> dict[str, str]:
    """The texts by the names of their files."""
    return {
        "usual.c": usual_unit(),
        "long.c": long_unit(2000),
        "hosts.c": host_heavy(100, 2),
        "one_function.c": one_function(20),
        "straight.c": straight_line(1000),
        "regions.c": long_regions(12),
        "small.cpp": _REGION.format(k=0, static=""),
        "cxx_1.cpp": cxx(1),
        "cxx_14.cpp": cxx(14),
        "cxx_50.cpp": cxx(50),
        "cxx_hosts.cpp": cxx(2, 60),
        "templates.cpp": cxx_templates(2),
        "templates_8.cpp": cxx_templates(8),
    }

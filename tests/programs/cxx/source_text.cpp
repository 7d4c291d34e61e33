// Attributes, raw strings with pragmas in them, comments in odd places, line splices, alternative tokens, long directives.
#include "check.hpp"
#include <cstring>

[[maybe_unused]] static const char *text = R"x(
    #pragma once upon a time in the target
    { never compiled }
)x";

[[gnu::noinline]] static int f([[maybe_unused]] int unused, int x) { return x + 1'000; }

namespace outer {
struct One {
    int value = 1;
};
}
template <class T> struct Two {
    T first, second;
};

int main()
{
    int a[12] = {}, sum = 0; /* { */
    Two<::outer::One> ones; // no digraph, as those in the next line are
    int digraphs<:2:> = <%3, 4%>;
#pragma omp target map(tofrom : ones, digraphs)
    ones.second.value += digraphs<:1:>;
    const char *s = "#pragma omp target {";
#pragma omp target teams /* teams */ distribute \
    parallel for             \
    map(tofrom : a)          \
    reduction(+ : sum) // and that is all
    for (int i = 0; i < 12; i++) { // }
        /* } */ a[i] = f(0, i) /* ; */;
        if ((i > 3 and not(i == 5)) or i == 0)
            sum += '}' == 125 ? 1 : 0;
        [[maybe_unused]] int z = i;
        switch (i) {
        case 1:
            a[1] = 5;
            [[fallthrough]];
        case 2:
            a[i] = 6;
            break;
        }
    }
    check("second", ones.second.value, 5);
    check("a0", a[0], 1000);
    check("a2", a[2], 6);
    check("a11", a[11], 1011);
    check("sum", sum, 8);
    check("text", std::strstr(text, "target") != nullptr and s[0] == '#', true);
    return report();
}

// Host code with gcc's own builtins, which libclang does not know.
// reference: -O1
#include "check.hpp"

typedef int four __attribute__((vector_size(16)));

static int turned(four a, int at)
{
    const four order = {3, 2, 1, 0};
    return __builtin_shuffle(a, order)[at];
}

int main()
{
    const four a = {1, 2, 3, 4};
    int r = turned(a, 0), n = turned(a, 3);
#pragma omp target map(tofrom : r)
    r += n;
    check("the host's builtin and the region", r, 5);
    return report();
}

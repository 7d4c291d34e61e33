// declare reduction: initialisers that read omp_orig see its value from before the construct, whoever is done already.
// reference: -Wno-unknown-pragmas
// gcc's own teams and threads read originals that others have changed.
#include "check.hpp"

// A sum that knows whether something has been combined with it, and whether a copy was made from such a sum.
struct Sum {
    long value, touched, wrong;
};
static void start(Sum *mine, const Sum *original)
{
    mine->value = 0;
    mine->touched = 0;
    mine->wrong = original->touched;
}
static void add(Sum &to, const Sum &from)
{
    to.value += from.value;
    to.wrong += from.wrong;
    to.touched = 1;
}
#pragma omp declare reduction(sum : Sum : add(omp_out, omp_in)) initializer(start(&omp_priv, &omp_orig))

static void is_right(bool right)
{
    check("a sum", right, true);
}

template <class T>
static void regions(int n, T one)
{
    const long all = (long)n * (n - 1) / 2;
    Sum s{7, 0, 0}, three[3] = {{7, 0, 0}, {7, 0, 0}, {7, 0, 0}};
#pragma omp target teams distribute parallel for reduction(sum: s) num_teams(16) map(tofrom: s)
    for (int i = 0; i < n; ++i)
        s.value += i * one;
    is_right(s.value == 7 + all && s.wrong == 0);

#pragma omp target teams distribute parallel for reduction(sum: three) map(tofrom: three)
    for (int i = 0; i < n; ++i)
        three[i % 3].value += one;
    for (int k = 0; k < 3; ++k)
        is_right(three[k].value == 7 + n / 3 && three[k].wrong == 0);

    s = Sum{7, 0, 0};
#pragma omp target teams reduction(sum: s) num_teams(24) map(tofrom: s)
    s.value += one;
    is_right(s.value > 7 && s.value <= 31 && s.wrong == 0);

    s = Sum{7, 0, 0};
#pragma omp target map(tofrom: s)
    {
#pragma omp parallel for reduction(sum: s)
        for (int i = 0; i < n; ++i)
            s.value += i;
    }
    is_right(s.value == 7 + all && s.wrong == 0);

    Sum *p = new Sum[6];
    for (int k = 0; k < 6; ++k)
        p[k] = Sum{7, 0, 0};
#pragma omp target teams distribute parallel for reduction(sum: p[1:3]) map(tofrom: p[0:6])
    for (int i = 0; i < n; ++i)
        p[1 + i % 3].value += 1;
    for (int k = 0; k < 6; ++k)
        is_right(p[k].wrong == 0 && p[k].value == 7 + (k > 0 && k < 4) * (n / 3));
    delete[] p;
}

int main()
{
    regions(600, 1);
    return report();
}

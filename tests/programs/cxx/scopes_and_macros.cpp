// Names that hide others, variables of blocks, static locals, init statements, goto on the host, macros with regions.
#include "check.hpp"

#define ON_DEVICE(n, body) _Pragma("omp target teams distribute parallel for map(tofrom : v)") \
    for (int i = 0; i < (n); i++) { body; }

int n = 1;
namespace outer {
int n = 2;
int depth(int *v)
{
    int r = n;
    {
        int n = 3;
#pragma omp target map(tofrom : v[0 : 4])
        {
            v[0] = n;
            int m = 4;
            v[1] = m;
            {
                int k = 5;
                v[2] = k;
            }
            v[3] = 3;
        }
        r += n;
    }
    return r;
}
} // namespace outer

static int counted()
{
    static int calls = 0;
    static const int step = 5;
    int c = ++calls;
    int r = 0;
#pragma omp target map(tofrom : r)
    r = c * step;
    return r;
}

int main()
{
    int v[40] = {};
    check("depth", outer::depth(v), 5);
    check("v0", v[0], 3);
    check("v1", v[1], 4);
    check("v2", v[2], 5);
    check("v3", v[3], 3);
    ON_DEVICE(40, v[i] = i * i)
    check("macro", v[39], 1521);
    counted();
    check("static", counted(), 10);
    if (int k = v[3]; k > 0) {
#pragma omp target map(tofrom : v)
        for (int j = 0, m = k; j < 3; j++, m++)
            v[j] = m;
    }
    check("init", v[2], 11);
    for (int pass = 0; pass < 3; pass++)
#pragma omp target teams distribute parallel for map(tofrom : v)
        for (int i = 0; i < 40; i++)
            v[i] += pass;
    check("passes", v[39], 1524);
    auto *p = v;
    while (p != v + 4) {
#pragma omp target map(tofrom : p[0 : 1])
        *p = -1;
        ++p;
    }
    check("while", v[3], -1);
    return report();
}

// Split constructs: target, teams, distribute, parallel, for as separate directives in methods and templates.
#include "check.hpp"

template <class T, int B> struct Blocked
{
    T *v;
    int n;
    T blocks(T *part)
    {
        const int nb = (n + B - 1) / B;
        T *p = v;
        const int len = n;
#pragma omp target map(to : p[0 : len]) map(from : part[0 : nb])
#pragma omp teams
        {
#pragma omp distribute
            for (int b = 0; b < nb; b++) {
                T s = 0;
                T tile[B];
#pragma omp parallel for
                for (int i = 0; i < B; i++)
                    tile[i] = b * B + i < len ? p[b * B + i] : T(0);
#pragma omp parallel for reduction(+ : s)
                for (int i = 0; i < B; i++)
                    s += tile[i];
                part[b] = s;
            }
        }
        T r = 0;
#pragma omp target
#pragma omp parallel
        {
        }
        for (int b = 0; b < nb; b++)
            r += part[b];
        return r;
    }
};

int main()
{
    int v[100], part[16];
    for (int i = 0; i < 100; i++)
        v[i] = i;
    check("16", (Blocked<int, 16>{v, 100}.blocks(part)), 4950);
    double d[50], dp[8];
    for (int i = 0; i < 50; i++)
        d[i] = i;
    check("8", (Blocked<double, 8>{d, 50}.blocks(dp)), 1225.0);
    int x[64];
#pragma omp target teams map(from : x) num_teams(4) thread_limit(16)
#pragma omp distribute parallel for
    for (int i = 0; i < 64; i++)
        x[i] = i * 3;
    check("x", x[63], 189);
    return report();
}

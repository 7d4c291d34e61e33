static const int limit = 4;
int total;
int f(int *a, int n, int k)
{
    int t = 0, u = 0, i, j;
#pragma omp target teams default(none) map(tofrom: a[0:9]) map(t)
#pragma omp parallel private(u)
    {
        static const int own = 3;
        u = 2;
        a[0] = u + t + limit + own;
        total += (int)sizeof(k);
#pragma omp for
        for (j = 0; j < 3; ++j)
            for (i = 0; i < k; ++i)
                a[j] += n;
    }
    return t;
}
// expect: error 12:9 "'total' is in no data-sharing clause, which 'default(none)' demands"
// expect: error 15:18 "'i'"
// expect: error 15:29 "'k'"
// expect: error 16:25 "'n'"

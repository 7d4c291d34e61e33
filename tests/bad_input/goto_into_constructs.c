int f(int *a, int n)
{
    if (n == 9)
        goto in;
#pragma omp target data map(a[0:n])
    {
        n++;
    in:
        n--;
#pragma omp target
        {
            if (a[0])
                goto x;
            for (int i = 0; i < n; ++i) {
#pragma omp parallel
                {
                x:
                    a[0] = 1;
                    if (n)
                        goto x;
#pragma omp critical
                    {
                    y:
                        a[1] = 1;
                    }
                }
            }
            goto y;
        }
    }
#pragma omp target teams
#pragma omp distribute
    for (int i = 0; i < n; ++i) {
    z:
        a[i] = 1;
    }
    goto z;
}
// expect: error 4:9 "'goto in' leads into the 'target data' region"
// expect: error 13:17 "'goto x' leads into the 'parallel' region"
// expect: error 28:13 "'goto y' leads into the 'critical' region"
// expect: error 37:5 "'goto z' leads into the 'distribute' region"

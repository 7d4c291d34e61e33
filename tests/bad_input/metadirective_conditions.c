#define WHEN(c) when(user = {condition(c)}: target map(tofrom: a[0:n]))
int f(int n, int *a)
{
#pragma omp metadirective WHEN(n > 1) WHEN(n > 2) WHEN(n > 3) WHEN(n > 4) WHEN(n > 5)
    a[0] = 1;
    return 0;
}
// expect: error 4:1 "a metadirective with more than 4 conditions that are not constant"

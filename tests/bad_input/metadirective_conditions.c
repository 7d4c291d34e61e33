#define WHEN(c) when(device = {kind(any)}, user = {condition(c)}: target map(tofrom: a[0:n]))
int f(int n, int *a)
{
#pragma omp metadirective WHEN(n > 1) WHEN(n > 2) WHEN(n > 3) WHEN(n > 4) WHEN(n > 5)
    a[0] = 1;
    return 0;
}
// expect: error 4:1 "a metadirective whose conditions need more than 16 copies of its statement is not supported"

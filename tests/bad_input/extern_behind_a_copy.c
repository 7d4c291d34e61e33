int shared = 1;

int f(int *a)
{
#pragma omp target map(tofrom: a[0:1]) firstprivate(shared)
    {
        extern int shared;
        a[0] = ++shared;
    }
    return a[0];
}
// expect: error 7:20 "'shared' is declared again in a region that has a copy of it"

int f(int n)
{
    int a = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task depend(inoutset: a) firstprivate(n
    a += n;
#pragma omp target map(tofrom: a)
    a += n;
    return a;
}
// expect: error 6:50 "expected ')' in 'firstprivate' clause"

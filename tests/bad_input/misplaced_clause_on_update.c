int f(int n)
{
#pragma omp target update to(n) firstprivate(n)
    return n;
}
// expect: error 3:33 "firstprivate"

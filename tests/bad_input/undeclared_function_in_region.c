int f(int n)
{
    n = host_only(n); /* the host compiler's business */
#pragma omp target map(tofrom: n)
    n = abs(n) + 1;
    return n;
}
// expect: error 5:9 "function 'abs' is not declared"

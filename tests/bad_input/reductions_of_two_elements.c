void f(double *pair, int n)
{
#pragma omp target map(tofrom: pair[0:4])
#pragma omp parallel reduction(+: pair[0]) reduction(max: pair[1])
    pair[0] += n;
}
// expect: error 4:59 "parts of 'pair', 'pair[1]'"

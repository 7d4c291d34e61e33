int use(int *a, int n, int x)
{
#pragma omp target simd linear(ref(x)) map(tofrom: a[0:4])
    for (int i = 0; i < 4; i++)
        a[i] = x;
    return n;
}
// expect: error 3:25 "modifier 'ref' in 'linear' clause is not supported"

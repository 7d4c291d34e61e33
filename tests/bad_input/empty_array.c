void f(int n, int *x)
{
#pragma omp target map(from: x[0:1])
    {
        int none[0];
        x[0] = sizeof none + n;
    }
}
// expect: error 5:13 "the empty array 'none' is not supported in device code"

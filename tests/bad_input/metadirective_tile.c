void f(int n, int *a)
{
#pragma omp metadirective when(implementation = {vendor(gnu)}: tile sizes(4)) otherwise(nothing)
    for (int i = 1; i < n; ++i)
        a[i] = 1;
}
// expect: error 3:13 "a metadirective that stands for 'tile sizes(4)' is not supported"

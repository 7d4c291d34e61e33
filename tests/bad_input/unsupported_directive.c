void f(int *a)
{
#pragma omp target
    {
#pragma omp interop init(target: a)
    }
}
// expect: error 5:13 "interop"

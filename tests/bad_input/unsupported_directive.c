void f(int *a)
{
#pragma omp interop init(target: a)
    (void)a;
}
// expect: error 3:13 "interop"

void f(int *a)
{
#pragma omp target update
    (void)a;
}
// expect: error 3:13 "target update"

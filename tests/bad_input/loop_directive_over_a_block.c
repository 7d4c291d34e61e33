static void scale(int *a)
{
#pragma omp distribute
#pragma omp metadirective when(construct={target}: distribute parallel for) default(parallel for)
    for (int i = 0; i < 9; ++i)
        a[i] *= 2;
}
void f(int *a)
{
#pragma omp target teams map(tofrom: a[0:9])
    scale(a);
}
// expect: error 3:13 "'distribute' must be followed by a loop"

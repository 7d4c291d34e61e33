void f(int *a)
{
    int x;
#pragma omp target map(tofrom: a[0:2]) private(x)
    {
#pragma omp atomic read
        x = (a[0] == 1 && a[1] == 2);
    }
}
// expect: error 7:9 "not a statement that 'atomic read' can apply to"

void f(int *a)
{
#pragma omp target parallel for map(tofrom: a[0:1])
    for (_Bool i = 0; i < 1; ++i)
        a[i] = 1;
}
// expect: error 4:5 "a loop variable of type '_Bool' is not canonical"

void f(int *a)
{
#pragma omp target parallel for map(tofrom: a[0:1])
    for (_Bool i = 0; i < 1; ++i)
        a[i] = 1;
}
// expect: error 4:16 "a loop variable that is a truth value is not canonical"

void f(int *x, int *end, double limit)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:9])
    for (int i = 0; i < end; i++)
        x[i] = 1;
#pragma omp target teams distribute parallel for map(tofrom: x[0:9])
    for (int i = 0; i < limit; i++)
        x[i] = 1;
#pragma omp target teams distribute parallel for map(tofrom: x[0:9])
    for (int *p = x; p < 9; p++)
        *p = 1;
}
// expect: error 4:25 "a bound that is no integer is not canonical"
// expect: error 7:25 "a bound that is no integer is not canonical"
// expect: error 10:26 "a bound that is no pointer to the loop variable's type is not canonical"

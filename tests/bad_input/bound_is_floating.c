int f(int *a, double first)
{
    int sum = 0;
#pragma omp target map(tofrom: a[0:2]) map(tofrom: sum)
    {
#pragma omp parallel for reduction(+: a[0:first])
        for (int i = 0; i < 2; ++i)
            a[i] += i;
    }
    return sum;
}
// expect: error 6:43 "a subscript or a bound of a section must be an integer"

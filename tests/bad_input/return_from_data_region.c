int f(int n)
{
#pragma omp target data map(tofrom: n)
    {
        if (n > 3)
            return 1;
        n += 1;
    }
    return n;
}
// expect: error 6:13 "return"

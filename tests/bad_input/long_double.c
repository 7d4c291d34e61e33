double f(double x)
{
    double result = 0;
#pragma omp target map(from: result)
    {
        long double sum = x;
        result = (double)(sum * 2);
    }
    return result;
}
// expect: error 6:21 "long double"

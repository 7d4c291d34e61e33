int f(int n)
{
    _Atomic int steps = 0;
#pragma omp target map(tofrom: steps)
    {
#pragma omp metadirective when(user = {condition(n > 1)}: nothing) otherwise(atomic)
        ++steps;
    }
    return steps;
}
// expect: error 7:11 "'atomic' on an object of an '_Atomic' type is not supported"

_Atomic int counter;
int f(int n)
{
    counter += 2;
#pragma omp target map(tofrom: n)
    n += counter;
    return n;
}
// expect: error 6:10 "'counter': '_Atomic' types are not supported"

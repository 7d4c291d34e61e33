int far🙂(int n);
int f(int a😀)
{
#pragma omp target map(tofrom: a😀)
    a😀 = far🙂(a😀);
    return a😀;
}
// expect: error 5:10 "'far🙂' is used in device code but has no definition"

int f(int a)
{
    const int n = a;
    int s = 0;
#pragma omp target parallel for reduction(max: n) map(tofrom: s)
    for (int i = 0; i < 4; ++i)
        s += n;
    return s;
}
// expect: error 5:48 "'n' is const, and cannot be in a 'reduction' clause"

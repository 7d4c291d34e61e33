int f(void)
{
    const int t[2] = {1, 2};
    int s = 0;
#pragma omp target teams distribute parallel for private(t) map(tofrom: s)
    for (int i = 0; i < 4; ++i)
        s += t[i % 2];
    return s;
}
// expect: error 5:58 "'t' is const, and cannot be in a 'private' clause"

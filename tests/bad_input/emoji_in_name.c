int f(void)
{
    int a😀 = 0;
#pragma omp target map(tofrom: a😀)
    a😀++;
    return a😀;
}
// expect: error 3:10 "'😀' is not a letter, and names with it are not supported"

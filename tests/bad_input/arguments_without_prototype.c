static int one()
{
    return 1;
}
int f(void)
{
    int r;
#pragma omp target map(from: r)
    r = one(2);
    return r;
}
// expect: error 9:9 "'one' takes 0 arguments and is called with 1"

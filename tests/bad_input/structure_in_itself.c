struct inner {
    struct inner first;
    struct inner second;
    short s;
};
int f(void)
{
    struct inner a;
#pragma omp target map(from: a)
    a.s = 1;
    return a.s;
}
// expect: error 2:18 "has incomplete type"
// expect: error 3:18 "has incomplete type"

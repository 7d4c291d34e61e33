int plain(int x)
{
    return x;
}
#pragma omp begin declare variant match(device = {kind(nohost)})
#pragma omp begin declare variant match(device = {kind(host)})
int other(int x)
{
    return x + 1;
}
#pragma omp end declare variant
#pragma omp end declare variant
int f(int x)
{
#pragma omp target map(tofrom: x)
    x = plain(x);
    return x;
}
// expect: error 6:13 "'begin declare variant' inside of another is not supported"

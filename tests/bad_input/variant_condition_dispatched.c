static int mode;
static int other(int n)
{
    return n + 1;
}
#pragma omp declare variant(other) match(user = {condition(mode)})
static int any(int n)
{
    return n;
}
int f(int n)
{
    int result;
#pragma omp dispatch
    result = any(n);
    return result;
}
// expect: error 14:13 "'dispatch' of 'any', which has a variant whose condition is not constant, is not supported"

static int large(int n)
{
    return n + 1;
}
#pragma omp declare variant(large) match(user = {condition(n > 5)})
static int any(int n)
{
    return n;
}
int f(int n)
{
    return any(n);
}
// expect: error 5:36 "a condition that uses the parameter 'n' of 'any' is not supported"

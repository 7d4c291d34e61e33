static _Thread_local int others = 1, calls;
static int counted(int x)
{
    return x + ++calls;
}
int f(int x)
{
#pragma omp target map(tofrom: x)
    x = counted(x);
    return x;
}
// expect: error 4:18 "'calls' is thread-local"

static void once(int *p)
{
    *p = 0;
}
static void again(int *p)
{
    *p = 1;
}
int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        int local __attribute__((cleanup(once))) __attribute__((cleanup(again))) = n;
        n += local;
    }
    return n;
}
// expect: error 13:13 "'local' with several 'cleanup' attributes is not supported"

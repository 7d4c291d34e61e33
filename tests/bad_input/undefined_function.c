int elsewhere(int x);
int address_of(int x), in_table(int x);
int f(int n)
{
#pragma omp target map(tofrom: n)
    n = elsewhere(n);
    return n;
}
int g(int n)
{
    static int (*const table[])(int) = {in_table};
#pragma omp target map(tofrom: n)
    {
        int (*address)(int) = &address_of;
        static int (*const own[])(int) = {in_table};
        n = address(n) + own[0](n);
    }
    return n + table[0](n);
}
// expect: error 6:9 "'elsewhere' is used in device code but has no definition in this unit"
// expect: error 14:32 "'address_of' is used in device code but has no definition in this unit"
// expect: error 15:43 "'in_table' is used in device code but has no definition in this unit"

int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        struct {
            int head[n], last;
        } s;
        s.last = n;
        n = s.last + (int)sizeof(s);
    }
    return n;
}
// expect: error 6:17 "the member 'head' of variable size is not supported in device code"

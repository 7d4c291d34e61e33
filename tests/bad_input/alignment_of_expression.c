int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        _Alignas(32) char bytes[3] = {1};
        n += (int)__alignof__(bytes) + bytes[0];
    }
    return n;
}
// expect: error 6:19 "the alignment of an expression is not supported"

struct none {
};
int f(int n)
{
#pragma omp target map(tofrom: n)
    n += &(struct none){} == 0;
    return n;
}
// expect: error 6:11 "the address of a compound literal without a size is not supported in device code"

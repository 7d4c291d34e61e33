struct none {
} nothing;
#pragma omp declare target to(nothing)
int f(int n)
{
#pragma omp target map(tofrom: n)
    n += &nothing + 1 == &nothing;
    return n;
}
// expect: error 2:3 "'nothing', which has no size, is not supported in device code"

struct s { real_t x; };
int f(void)
{
    int s = 0;
#pragma omp target map(tofrom: s)
    s = 1;
    return s;
}
// expect: error 1:12 "unknown type name 'real_t'"

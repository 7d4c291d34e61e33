void f(void *p)
{
#pragma omp target map(tofrom: p[0:8])
    ((char *)p)[0] = 1;
}
// expect: error 3:32 "void"

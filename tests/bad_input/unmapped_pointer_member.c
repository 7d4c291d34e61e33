struct vector { int n; double *p; };
void f(void)
{
    double storage[8];
    struct vector v = {8, storage};
#pragma omp target map(tofrom: v)
    for (int i = 0; i < 8; ++i)
        v.p[i] = i;
}
// expect: error 8:9 "v.p"

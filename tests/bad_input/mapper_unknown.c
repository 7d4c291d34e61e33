struct vec {
    int n, *p;
};
#pragma omp declare mapper(deep : struct vec v) map(v, v.p[0:v.n])
int f(struct vec s)
{
#pragma omp target map(mapper(shallow), tofrom: s)
    s.n = 3;
    return s.n;
}
// expect: error 7:49 "no mapper 'shallow' for the type of 's'"

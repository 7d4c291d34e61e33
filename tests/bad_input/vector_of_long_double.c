typedef long double pair __attribute__((vector_size(32)));
static void twice(pair *q)
{
    pair copy = *q;
    *q = copy + copy;
}
void f(pair *q)
{
#pragma omp target map(tofrom: q[0:1])
    twice(q);
}
// expect: error 4:5 "a vector of 32 bytes of 'long double' is not supported"

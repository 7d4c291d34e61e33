typedef int quad __attribute__((vector_size(16)));
static void twice(quad *q)
{
    quad copy = *q;
    *q = copy + copy;
}
void f(quad *q)
{
#pragma omp target map(tofrom: q[0:1])
    twice(q);
}
// expect: error 4:5 "the vector type 'quad' is not supported"

typedef int quad __attribute__((vector_size(16)));
void f(quad *q, float __attribute__((vector_size(16))) x)
{
#pragma omp target map(tofrom: q[0:1]) map(to: x)
    q[0] += x;
}
// expect: error 5:10 "invalid operands to binary +"

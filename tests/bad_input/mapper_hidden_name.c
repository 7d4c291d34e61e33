struct vector { double *values; };
static int length = 4;
#pragma omp declare mapper(struct vector v) map(v, v.values[0:length])

void f(struct vector v)
{
    int length = 2;
#pragma omp target map(tofrom: v)
    v.values[0] = length;
}
// expect: error 8:32 "uses 'length', which a local variable hides here"

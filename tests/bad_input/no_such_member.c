struct s { int a; };
int f(struct s *q)
{
#pragma omp target map(tofrom: q->b)
    q->a = 1;
    return q->a;
}
// expect: error 4:32 "'b'"

struct rex_rows { int n; };

void f(struct rex_rows *a)
{
#pragma omp target map(tofrom: a[0:1])
    a->n = 1;
}
// expect: error 1:8 "'rex_rows' has a name that generated code uses for something else"

void f(int *a, double first)
{
#pragma omp target update to(a[first])
}
// expect: error 3:32 "a subscript or a bound of a section must be an integer"

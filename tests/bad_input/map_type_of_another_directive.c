void f(int *a)
{
#pragma omp target enter data map(from: a[0:4])
#pragma omp target exit data map(release: a[0:4])
}
// expect: error 3:35 "from"

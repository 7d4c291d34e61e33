int a[10];
void f(void)
{
#pragma omp target map(tofrom: a[4:7])
    a[4] = 1;
}
// expect: error 4:32 "10"

void f(void)
{
    int a[8];
#pragma omp target update to(a[0::0])
#pragma omp target update from(a[6:2:-3])
}
// expect: error 4:30 "the stride of 'a[0::0]' is not positive"
// expect: error 5:32 "the stride of 'a[6:2:-3]' is not positive"

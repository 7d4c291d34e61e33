#pragma omp requires reverse_offload
void f(int *a)
{
#pragma omp target map(tofrom: a[0:4])
    {
        a[0] = 1;
#pragma omp target device(ancestor: 1) map(tofrom: a[0:4])
        a[1] = 2;
    }
}
// expect: error 7:20 "modifier 'ancestor' in 'device' clause is not supported"

#pragma omp requires reverse_offload
int f(int n)
{
#pragma omp target device(ancestor: n) map(tofrom: n)
    n++;
#pragma omp target device(ancestor: 2) map(tofrom: n)
    n++;
    return n;
}
// expect: error 6:37 "'ancestor' takes 1"

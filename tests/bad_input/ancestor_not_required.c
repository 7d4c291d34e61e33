#pragma omp requires reverse_offload(0)
int f(int n)
{
#pragma omp target device(ancestor: 1) map(tofrom: n)
    n++;
    return n;
}
// expect: error 4:20 "'ancestor' needs 'requires reverse_offload'"

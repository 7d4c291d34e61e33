int wanted;
enum { YES = 1 };
#pragma omp requires reverse_offload(YES && sizeof(int) == 4)
#pragma omp requires unified_shared_memory(wanted)
int f(int n)
{
#pragma omp target map(tofrom: n)
    n++;
    return n;
}
// expect: error 4:44 "'unified_shared_memory' takes a constant"

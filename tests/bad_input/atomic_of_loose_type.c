typedef int loose __attribute__((aligned(1)));
int f(loose *counter)
{
#pragma omp target map(tofrom: counter[0:1])
    {
#pragma omp atomic
        *counter += 1;
    }
    return *counter;
}
// expect: error 6:13 "an atomic access to an object, which is not aligned, is not supported"

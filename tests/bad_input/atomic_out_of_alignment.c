typedef int loose __attribute__((aligned(1)));
int f(loose *counter)
{
#pragma omp target parallel map(tofrom: counter[0:1])
    {
#pragma omp atomic
        *counter += 1;
    }
    return *counter;
}
// expect: error 7:10 "an atomic operation on an object that may be out of alignment is not supported"

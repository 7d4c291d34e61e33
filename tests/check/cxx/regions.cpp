// Constructs in regions: barriers that only some threads come to, and teams beside others.
#include <omp.h>

template <bool Some> struct Worker {
    int *a;
    void wait(int me) const
    {
        if (!Some || me > 0) {
#pragma omp barrier // rex-expect: barrier (likely)
        }
        a[me] = 1;
    }
};
struct Gate {
    void operator()() const
    {
#pragma omp barrier
    }
};
void in_methods(int *a)
{
#pragma omp target parallel num_threads(4) map(tofrom: a[0:4])
    {
        Worker<true> worker{a};
        worker.wait(omp_get_thread_num());
        Gate gate;
        if (omp_get_thread_num() == 2)
            gate(); // rex-expect: barrier
        if (omp_get_num_threads() == 2)
            gate();
    }
}
template <typename T> void beside(T *x, int n)
{
#pragma omp target map(tofrom: x[0:n])
    {
        x[0] = 1;
#pragma omp teams distribute parallel for // rex-expect: nesting
        for (int i = 1; i < n; ++i)
            x[i] = i;
    }
#pragma omp target map(tofrom: x[0:n])
    {
#pragma omp teams distribute parallel for
        for (int i = 1; i < n; ++i)
            x[i] = i;
    }
}
int main()
{
    int a[8] = {};
    double b[8] = {};
    in_methods(a);
    beside(a, 8);
    beside(b, 8);
}

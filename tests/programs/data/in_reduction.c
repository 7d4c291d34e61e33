/* in_reduction on target: the region takes part in the reduction of a host taskgroup. */
#include "data.h"

#define N 50

int main(void)
{
    int sum = 100, a[N];
    double product = 1;
    for (int i = 0; i < N; ++i)
        a[i] = i;

#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum)
        {
            for (int part = 0; part < 5; ++part) {
#pragma omp task in_reduction(+ : sum) firstprivate(part)
                sum += part;
            }
#pragma omp target in_reduction(+ : sum) map(to : a)
            for (int i = 0; i < N; ++i)
                sum += a[i];
        }
    }
    CHECK(sum == 100 + 10 + N * (N - 1) / 2);
    ABSENT(&sum);

#pragma omp parallel num_threads(2) shared(product, a)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(* : product)
        {
#pragma omp target nowait in_reduction(* : product)
            product *= 3;
#pragma omp target map(to : a) in_reduction(* : product)
#pragma omp teams distribute parallel for reduction(* : product)
            for (int i = 0; i < 4; ++i)
                product *= a[2];
        }
    }
    CHECK(product == 48);
    return CHECK_RESULT();
}

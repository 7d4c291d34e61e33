/* Parallel regions inside of teams have the threads that a template's parameter asks for. */
#include <omp.h>

#include "../check.h"

template <typename T, int Block> void reverse(T *a, int n)
{
#pragma omp target teams num_teams(n / Block) map(tofrom: a[0:n])
    {
        T tile[Block];
#pragma omp parallel num_threads(Block)
        {
            const int thread = omp_get_thread_num(), first = omp_get_team_num() * Block;
            for (int i = thread; i < Block; i += omp_get_num_threads())
                tile[i] = a[first + i];
#pragma omp barrier
            for (int i = thread; i < Block; i += omp_get_num_threads())
                a[first + i] = tile[Block - 1 - i];
        }
    }
}

template <typename T, int Block> void check()
{
    T a[512];
    for (int i = 0; i < 512; ++i)
        a[i] = T(i);
    reverse<T, Block>(a, 512);
    for (int i = 0; i < 512; ++i)
        CHECK(a[i] == T(i / Block * Block + Block - 1 - i % Block));
}

int main()
{
    check<float, 256>();
    check<double, 32>();
    check<int, 1>();
    return CHECK_RESULT();
}

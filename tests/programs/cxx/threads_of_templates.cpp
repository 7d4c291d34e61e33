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

/* A pointer goes to a function of which the unit knows no instantiation yet, so it has storage that threads share. */
template <int Tile, int Stride, typename T> void fill(T (&to)[Tile * Stride], const T *from, int offset)
{
    for (int i = 0; i < Tile; ++i)
        to[offset + i * Stride] = from[offset + i * Stride];
}

template <typename T, int Rows> void through_team(const T *__restrict from, T *to)
{
#pragma omp target data map(to: from[0:64]) map(from: to[0:64 * Rows])
#pragma omp target teams num_teams(Rows) thread_limit(32)
    {
        T tile[2 * 32];
#pragma omp parallel
        {
            const int thread = omp_get_thread_num(), threads = omp_get_num_threads(), team = omp_get_team_num();
            for (int i = thread; i < 32; i += threads)
                fill<2, 32>(tile, from, i);
#pragma omp flush
#pragma omp barrier
            for (int i = thread; i < 64; i += threads)
                to[team * 64 + i] = tile[63 - i];
        }
    }
}

template <typename T, int Rows> void check_through_team()
{
    T from[64], to[64 * Rows];
    for (int i = 0; i < 64; ++i)
        from[i] = T(i * i);
    through_team<T, Rows>(from, to);
    for (int i = 0; i < 64 * Rows; ++i)
        CHECK(to[i] == T((63 - i % 64) * (63 - i % 64)));
}

int main()
{
    check_through_team<float, 3>();
    check_through_team<long, 5>();
    check<float, 256>();
    check<double, 32>();
    check<int, 1>();
    return CHECK_RESULT();
}

// Variables that the threads of a team share: arrays and scalars of the sequential part, barriers, tiles.
#include "check.hpp"
#include <omp.h>
#define BLOCK 32

#pragma omp declare target
inline int index_of(int row, int column, int width) { return row * width + column; }
#pragma omp end declare target

int main()
{
    const int n = 256;
    float *in = new float[n], *out = new float[n];
    for (int i = 0; i < n; ++i)
        in[i] = static_cast<float>(i);
#pragma omp target data map(to: in[0:n]) map(from: out[0:n])
    {
#pragma omp target teams num_teams(n / BLOCK) thread_limit(BLOCK)
        {
            float tile[BLOCK];
            float sum;
#pragma omp parallel num_threads(BLOCK)
            {
                const int thread = omp_get_thread_num();
                const int threads = omp_get_num_threads();
                const int first = omp_get_team_num() * BLOCK;
                for (int i = thread; i < BLOCK; i += threads)
                    tile[i] = in[first + i];
#pragma omp barrier
#pragma omp single
                {
                    sum = 0;
                    for (int i = 0; i < BLOCK; ++i)
                        sum += tile[i];
                }
                for (int i = thread; i < BLOCK; i += threads)
                    out[index_of(0, first + i, n)] = tile[BLOCK - 1 - i] + sum;
            }
        }
    }
    float sum = 0;
    for (int i = 0; i < BLOCK; ++i)
        sum += in[i];
    check("tiles and a sum of the team", out[0], in[BLOCK - 1] + sum);
    int large[4] = {};
#pragma omp target teams num_teams(4) thread_limit(64) map(tofrom: large)
    {
        int rows[64][100], last = 0;  // together too large for shared memory
        double wide[5000], narrow[10];
#pragma omp parallel
        {
            for (int i = omp_get_thread_num(); i < 64; i += omp_get_num_threads())
                for (int j = 0; j < 100; ++j)
                    rows[i][j] = i + omp_get_team_num();
#pragma omp barrier
#pragma omp for
            for (int i = 0; i < 5000; ++i)
                wide[i] = rows[63 - i % 64][i % 100];
#pragma omp for
            for (int i = 0; i < 10; ++i)
                narrow[i] = wide[i];
        }
        for (int i = 0; i < 10; ++i)
            last += int(narrow[i]) + rows[i][99];
        large[omp_get_team_num()] = last;
    }
    check("on the heap of the device", large[0], 630);
#pragma omp target teams num_teams(2) thread_limit(64) map(tofrom: large)  // too large together with the region above
    {
        int row[6000];
        row[0] = omp_get_team_num();
#pragma omp parallel for
        for (int i = 0; i < 6000; ++i)
            row[i] = i + large[0];
        large[omp_get_team_num() + 1] = row[5999];
    }
    check("another region", large[1], 630 + 5999);
    double matrix[6][7], (*rows)[7] = matrix;
#pragma omp target teams distribute parallel for collapse(2) map(from: rows[0:6][0:7])
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 7; ++j)
            rows[i][j] = i * 10 + j;
    check("a pointer to rows", matrix[5][6], 56.0);
    int histogram[4] = {0};
#pragma omp target teams distribute parallel for map(tofrom: histogram)
    for (int i = 0; i < n; ++i) {
        int old;
#pragma omp atomic capture
        old = histogram[i & 3]++;
        if (old < 0) {
#pragma omp atomic write
            histogram[0] = -1;
        }
    }
    check("atomic capture", histogram[3], 64);
    delete[] in;
    delete[] out;
    return report();
}

// collapse over loops of different types, with bounds that only the run knows.
#include "check.hpp"
#include <omp.h>

template <class I>
void fill(int *a, I rows, I columns)
{
#pragma omp target teams distribute parallel for collapse(2) map(from: a[0:rows * columns])
    for (I i = 0; i < rows; ++i)
        for (I j = 0; j < columns; ++j)
            a[i * columns + j] = int(i * 100 + j);
}

// The number of loops is a constant, whatever it is written as.
constexpr int pairs = 2;

void constants()
{
    int a[6];
#pragma omp target teams distribute parallel for collapse(pairs) map(from: a)
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j)
            a[i * 3 + j] = i * 3 + j;
#pragma omp parallel for collapse((pairs + 1) - 1)
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j)
            a[i * 3 + j] += i + j;
    for (int i = 0; i < 6; ++i)
        check("constants", a[i], i + i / 3 + i % 3);
}

int main()
{
    constants();
    int a[12 * 7];
    fill<int>(a, 12, 7);
    check("int", a[11 * 7 + 6], 1106);
    fill<unsigned long>(a, 7, 12);
    check("unsigned long", a[6 * 12 + 11], 611);
    int cube[3][4][5];
    const long n = 3;
#pragma omp target teams distribute parallel for collapse(3) map(from: cube)
    for (long i = 0; i < n; ++i)
        for (short j = 3; j >= 0; --j)
            for (unsigned k = 0; k != 5; ++k)
                cube[i][j][k] = int(i * 100 + j * 10 + k);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 5; ++k)
                check("cube", cube[i][j][k], i * 100 + j * 10 + k);
    int count = 0;
#pragma omp target teams distribute collapse(2) map(tofrom: count) reduction(+: count)
    for (int i = 0; i < 6; i += 2)
        for (int j = 10; j > 0; j -= 3)
            ++count;
    check("count", count, 12);
    int packed[10] = {}, blocks[4][4] = {};
#pragma omp target teams distribute parallel for collapse(3) map(packed, blocks)
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j <= i; ++j)
            for (int k = j; k < j + 2; ++k) {
                if (k > j) {
                    blocks[i][j] += k;
                    continue;
                }
                packed[i * (i + 1) / 2 + j] += k;
            }
    check("triangle", packed[9] + packed[0] + packed[8], 5);
    check("triangle of blocks", blocks[3][3] + blocks[0][1], 4);
#pragma omp target teams map(packed) num_teams(1)
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 4; ++i)
        for (int j = 3; j >= i; j--)
#pragma omp atomic
            packed[i] += omp_get_num_teams() > 0;
    check("triangle inside", packed[0] - 4, 0);
    return report();
}

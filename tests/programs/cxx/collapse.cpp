// collapse over loops of different types, with bounds that only the run knows.
#include "check.hpp"

template <class I>
void fill(int *a, I rows, I columns)
{
#pragma omp target teams distribute parallel for collapse(2) map(from: a[0:rows * columns])
    for (I i = 0; i < rows; ++i)
        for (I j = 0; j < columns; ++j)
            a[i * columns + j] = int(i * 100 + j);
}

int main()
{
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
    return report();
}

// Arrays of arrays, parts of them, arrays in classes and references to arrays as parameters.
#include "check.hpp"

struct Image {
    int pixels[6][8];
    int *rows[2];
};

static int corner(int (&m)[3][4])
{
    int s = 0;
#pragma omp target map(tofrom: m) map(tofrom: s)
    {
        m[2][3] = 9;
        s = m[0][0] + m[2][3];
    }
    return s;
}

static void row(int (*m)[8], int r)
{
#pragma omp target teams distribute parallel for map(tofrom: m[r:1][0:8])
    for (int j = 0; j < 8; ++j)
        m[r][j] += j;
}

constexpr int columns = 16 / 2;

namespace sizes {
const int rows = 6, depth = 2;
}

static void whole(int (*m)[columns], int (*deep)[sizes::rows][columns])
{
    using namespace sizes;
    const int height = rows;
#pragma omp target data map(tofrom: m[0:height][0:(2 * columns - 2l * 4)]) map(tofrom: deep[0:depth][0:sizes::rows][0:columns])
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < height; ++i)
        for (int j = 0; j < columns; ++j)
            m[i][j] += 100, deep[1][i][j] = deep[0][i][j] + j;
}

int main()
{
    int named[6][8] = {}, deep[2][6][8] = {};
    deep[0][5][7] = 3;
    whole(named, deep);
    check("lengths with names", named[5][7] + deep[1][5][7], 110);
    Image im{};
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: im.pixels)
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 8; ++j)
            im.pixels[i][j] = i * 10 + j;
    check("member", im.pixels[5][7], 57);
    row(im.pixels, 2);
    check("row", im.pixels[2][7], 34);
    check("other row", im.pixels[3][7], 37);
    int m[3][4] = {{1}};
    check("reference", corner(m), 10);
    int v[10] = {};
#pragma omp target map(tofrom: v[2:5])
    for (int i = 2; i < 7; ++i)
        v[i] = i;
    check("part", v[2] + v[6], 8);
#pragma omp target map(tofrom: v[:])
    v[9] = 1;
    check("whole", v[9], 1);
    return report();
}

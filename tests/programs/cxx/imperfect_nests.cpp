// Collapsed loops with code between them, and loops whose bounds are numbers of floating types.
// reference: -Wno-unknown-pragmas
#include <vector>

#include "check.hpp"

// The variable of the inner loop is declared outside of it: every iteration has its own.
template <class T>
T rows_and_elements(int n, T scale)
{
    std::vector<T> elements(n * n), rows(n);
    T *p = elements.data(), *r = rows.data();
    int j;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: p[0:n * n], r[0:n])
    for (int i = 0; i < n; i++) {
        const T base = i * scale;
        for (j = 0; j < n; j++)
            p[i * n + j] = base + j;
        r[i] = base;
    }
    T sum = 0;
    for (int i = 0; i < n; i++) {
        sum += r[i];
        for (int k = 0; k < n; k++)
            sum += p[i * n + k] * (k + 1);
    }
    return sum;
}

struct Grid {
    int cells[4][5][6] = {};
    int sides[4][5] = {};

    // Two loops are nested perfectly, and the third stands in a block of its own.
    void fill()
    {
#pragma omp target teams map(tofrom: cells, sides)
#pragma omp distribute parallel for collapse(3)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 5; j++) {
                int seed = i * j;
                {
                    for (int k = 0; k < 6; k++)
                        cells[i][j][k] = seed + k;
                }
                sides[i][j] = cells[i][j][3];
            }
    }

    // Inside of a region, with variables that the loops do not declare.
    void mark()
    {
#pragma omp target map(tofrom: cells)
        {
            int i, j, n = 4;
#pragma omp parallel for collapse(2)
            for (i = 0; i < n; i++) {
                cells[i][0][0] = i * 100;
                for (j = 0; j < 5; j++)
                    cells[i][j][1] = i - j;
            }
        }
    }

    long digest() const
    {
        long found = 0;
        for (auto &rows : cells)
            for (auto &row : rows)
                for (int cell : row)
                    found = (found * 31 + cell) % 1000003;
        for (auto &row : sides)
            for (int side : row)
                found = (found * 31 + side) % 1000003;
        return found;
    }
};

int lines_of(const std::vector<double> &widths) { return static_cast<int>(widths.size()); }

void floating_bounds()
{
    const double limit = 3.5;
    float four = 4;
    long sum = 0;
    std::vector<double> widths(6, 2.5);
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < limit; i++)
        sum += i + 1;
    check("below a number that is not whole", sum, 10L);
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < four; i++)
        sum += i;
    check("below a whole number", sum, 16L);
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 10; i > limit * 2 - 6.5; i -= 2)
        sum += i;
    check("down to an expression", sum, 46L);
#pragma omp target teams distribute parallel for collapse(2) reduction(+: sum)
    for (long i = 0; i <= limit; i++)
        for (unsigned k = 0; four > k; k++)
            sum += i * k + 1;
    check("through, and with the bound on the left", sum, 98L);
#pragma omp target teams distribute reduction(+: sum)
    for (int i = -2; i < lines_of(widths) / 2.5; ++i)
        sum += i;
    check("with a call", sum, 98L);
#pragma omp target map(tofrom: sum) map(to: limit)
    {
        double twice = limit * 2;
#pragma omp parallel for reduction(+: sum)
        for (int i = 9; i >= twice; --i)
            sum += i;
#pragma omp parallel for reduction(+: sum)
        for (int i = 8; i >= twice / 3; --i)
            ++sum;
    }
    check("in a region", sum, 98L + 9 + 8 + 7 + 6);
#pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < limit; i++)
        sum += i;
    check("on the host", sum, 134L);
}

int main()
{
    check("code around an inner loop", rows_and_elements(7, 2.0), 2002.0);
    check("the same for float", rows_and_elements(5, 3.0f), 680.0f);
    Grid grid;
    grid.fill();
    check("a block around the innermost loop", grid.digest(), 812473L);
    grid.mark();
    check("loops in a region", grid.digest(), 880260L);
    floating_bounds();
    return report();
}

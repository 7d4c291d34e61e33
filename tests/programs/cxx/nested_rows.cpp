// target teams with nested parallel for, single, barrier; a method called in it uses orphaned worksharing.
#include "check.hpp"
#include <omp.h>

struct Matrix
{
    int rows, cols;
    double *a;
    double row_sum(int r) const
    {
        double s = 0;
#pragma omp parallel for reduction(+ : s)
        for (int c = 0; c < cols; c++)
            s += a[r * cols + c];
        return s;
    }
};

int main()
{
    const int R = 17, C = 40;
    double a[R * C], out[R];
    for (int i = 0; i < R * C; i++)
        a[i] = i % 11;
    Matrix m{R, C, a};
#pragma omp target teams distribute map(to : m, m.a[0 : R * C]) map(from : out)
    for (int r = 0; r < m.rows; r++) {
        double s = 0;
#pragma omp parallel for reduction(+ : s)
        for (int c = 0; c < m.cols; c++)
            s += m.a[r * m.cols + c];
        out[r] = s;
    }
    for (int r = 0; r < R; r++) {
        double s = 0;
        for (int c = 0; c < C; c++)
            s += a[r * C + c];
        check("row", out[r], s);
    }
    double second[R];
#pragma omp target teams distribute map(to : m, m.a[0 : R * C]) map(from : second)
    for (int r = 0; r < m.rows; r++)
        second[r] = m.row_sum(r);
    for (int r = 0; r < R; r++)
        check("second", second[r], out[r]);
    int order[8] = {};
#pragma omp target parallel num_threads(8) map(tofrom : order)
    {
        int t = omp_get_thread_num();
        order[t] = t + 1;
#pragma omp barrier
#pragma omp single
        order[0] += omp_get_num_threads() > 0 ? 100 : 0;
    }
    check("single", order[0], 101);
    return report();
}

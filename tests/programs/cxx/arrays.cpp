// Arrays as parameters, of lengths that only the run knows, of rows, constant parameters, explicit instantiations.
// cflags: -std=gnu++17 -Wno-vla
#include "check.hpp"
#include <omp.h>

typedef double Plane[4][5];

static void number(double planes[][4][5], Plane *others, const int n)
{
#pragma omp target teams distribute parallel for collapse(3) map(tofrom: planes[0:n]) map(from: others[0:n])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 5; ++k) {
                planes[i][j][k] = i * 100 + j * 10 + k;
                others[i][j][k] = -planes[i][j][k];
            }
}

template <class T>
T reversed(const T *x, const int n, const T scale)
{
    T result = 0;
#pragma omp target teams num_teams(1) map(to: x[0:n]) map(tofrom: result)
    {
        T tile[64];
        T biggest = scale > T(1) ? scale : T(1);
#pragma omp parallel
        {
            for (int i = omp_get_thread_num(); i < n; i += omp_get_num_threads())
                tile[n - 1 - i] = x[i] * scale;
#pragma omp barrier
#pragma omp single
            {
                result = tile[0];
                biggest = result > biggest ? result : biggest;
            }
        }
        result += biggest;
    }
    return result;
}
template double reversed<double>(const double *, const int, const double);

int main()
{
    double planes[3][4][5] = {}, others[3][4][5] = {};
    number(planes, others, 3);
    check("arrays of arrays", planes[2][3][4], 234.0);
    check("a pointer to them", others[1][1][1], -111.0);
    double x[64];
    for (int i = 0; i < 64; ++i)
        x[i] = i;
    check("shared by a team", reversed<double>(x, 64, 2), 252.0);
    int length = 10, threads = 0;
    int varying[length];
    for (int i = 0; i < length; ++i)
        varying[i] = i;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < length; ++i)
        varying[i] += 1;
    check("a variable length", varying[9], 10);
#pragma omp target teams num_teams(2) map(tofrom: threads)
#pragma omp parallel num_threads(4)
    {
#pragma omp atomic
        threads += 1;
    }
    check("teams parallel", threads >= 2, true);
    return report();
}

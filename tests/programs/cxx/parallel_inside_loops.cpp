// Parallel regions inside of parallel loops of regions have one thread each: loops, reductions, levels, templates, methods.
#include "check.hpp"
#include <omp.h>

const int n = 40, m = 7;

template <class T>
void products(const T *a, const T *b, T *out)
{
#pragma omp target teams distribute parallel for map(to: a[0:n*m], b[0:m]) map(from: out[0:n])
    for (int i = 0; i < n; ++i) {
        T sum = 0;
        int threads = 0;
#pragma omp parallel for simd reduction(+ : sum) reduction(max : threads)
        for (int j = 0; j < m; ++j) {
            sum += a[i * m + j] * b[j];
            threads = threads < omp_get_num_threads() ? omp_get_num_threads() : threads;
        }
        out[i] = threads == 1 ? sum : -1;
    }
}

struct Rows
{
    int data[n] = {};
    void fill()
    {
#pragma omp target parallel for map(tofrom: data)
        for (int i = 0; i < n; ++i) {
            int own = i;
#pragma omp parallel num_threads(3) firstprivate(own)
            {
                own += 1000 * omp_get_level() + 100 * omp_get_num_threads() + omp_get_thread_num();
                data[i] += own;
            }
        }
    }
};

inline int twice(int x)
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int k = 0; k < 2; ++k) sum += x;
    return sum;
}

int main()
{
    double a[n * m], b[m], out[n];
    int c[n * m], d[m], whole[n], sums[n];
    for (int i = 0; i < n * m; ++i) a[i] = i % 11, c[i] = i % 5;
    for (int j = 0; j < m; ++j) b[j] = j, d[j] = 2 * j;
    products(a, b, out);
    products(c, d, whole);
    double expected = 0;
    int expected_whole = 0;
    for (int j = 0; j < m; ++j) expected += a[3 * m + j] * b[j], expected_whole += c[39 * m + j] * d[j];
    check("doubles", out[3], expected);
    check("integers", whole[39], expected_whole);
    Rows rows;
    rows.fill();
    check("levels", rows.data[5] % 1000 + rows.data[39] % 1000, 105 + 139);
    check("the level", rows.data[0] / 1000, 2);
#pragma omp target teams distribute parallel for map(from: sums)
    for (int i = 0; i < n; ++i) sums[i] = twice(i) + 100 * omp_get_level();
    check("in a function", sums[7], 114);
    return report();
}

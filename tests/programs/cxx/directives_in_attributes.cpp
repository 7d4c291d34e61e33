// Directives written as attributes (OpenMP 6.0, section 5.1), also under gcc's other names and by macros.
// cflags: -std=c++17
#include "check.hpp"

#include <vector>

#define N 64
#define OFFLOAD(...) [[omp::directive(target teams distribute parallel for __VA_ARGS__)]]

template <class T> T sum_of(const T *values, int count)
{
    T sum = 0;
    OFFLOAD(map(to: values[0:count]) reduction(+: sum))
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

int main()
{
    std::vector<double> values(N);
    double *data = values.data();
    int seen = 0, host = 0;
    [[omp::sequence(omp::directive(target data map(from: data[0:N])), directive(target teams distribute parallel for))]]
    for (int i = 0; i < N; i++)
        data[i] = i;
    [[__omp__::__directive__(target map(tofrom: seen))]]
    {
        seen++;
    }
    [[omp::directive(parallel for reduction(+: host))]] for (int i = 0; i < N; i++)
        host++;
    check("sum", sum_of(data, N), N * (N - 1) / 2.0);
    check("seen", seen, 1);
    check("host", host, N);
    return report();
}

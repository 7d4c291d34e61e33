// Private copies and reductions of arrays whose length is a parameter of a template.
#include "check.hpp"

template <int K, class T> struct Bins {
    T whole[K];
    T run(const T *values, int n)
    {
        T bins[K] = {}, head[K];
        for (int i = 0; i < K; ++i)
            head[i] = T(i);
#pragma omp target teams distribute parallel for reduction(+ : bins) map(to : values[0:n])
        for (int i = 0; i < n; ++i)
            bins[i % K] += values[i];
#pragma omp target parallel for reduction(+ : bins) firstprivate(head) map(to : values[0:n])
        for (int i = 0; i < n; ++i) {
            head[0] += 1;
            bins[i % K] += head[K - 1];
        }
        T scratch[K], sum = 0;
#pragma omp target teams distribute parallel for private(scratch) reduction(+ : sum)
        for (int i = 0; i < n; ++i) {
            for (int k = 0; k < K; ++k)
                scratch[k] = T(i + k);
            sum += scratch[K - 1];
        }
        T all = head[0];
        for (int k = 0; k < K; ++k)
            all += bins[k] * T(k + 1);
        return all + sum;
    }
};

template <int K, class T> static T plain(const T *values, int n)
{
    T all = 0;
    for (int i = 0; i < n; ++i)
        all += values[i] * T(i % K + 1) + T(K - 1) * T(i % K + 1) + T(i + K - 1);
    return all;
}

int main()
{
    int values[60];
    double reals[60];
    for (int i = 0; i < 60; ++i)
        values[i] = i % 7, reals[i] = i / 2.0;
    check("3 ints", Bins<3, int>().run(values, 60), plain<3>(values, 60));
    check("5 ints", Bins<5, int>().run(values, 60), plain<5>(values, 60));
    check("4 doubles", Bins<4, double>().run(reals, 60), plain<4>(reals, 60));
    return report();
}

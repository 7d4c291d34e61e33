#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

// Solves -u'' = f on n points between two zeros with the method of Jacobi. The arrays stay on the device.
template <class T>
class Poisson {
    int n;
    std::vector<T> values, source, other;
    T *u, *f, *next;

public:
    template <class F>
    Poisson(int points, F function)
        : n(points), values(points + 2), source(points + 2), other(points + 2), u(values.data()), f(source.data()),
          next(other.data())
    {
        for (int i = 0; i < n + 2; ++i)
            f[i] = function(T(i) / (n + 1)) / T(n + 1) / T(n + 1);
#pragma omp target enter data map(to: this[0:1], u[0:n + 2], f[0:n + 2], next[0:n + 2])
    }
    Poisson(const Poisson &) = delete;
    Poisson &operator=(const Poisson &) = delete;
    ~Poisson()
    {
#pragma omp target exit data map(release: u[0:n + 2], f[0:n + 2], next[0:n + 2], this[0:1])
    }

    // The largest change of a value in one step.
    T step()
    {
        T change = 0;
#pragma omp target teams distribute parallel for reduction(max: change)
        for (int i = 1; i <= n; ++i) {
            auto mean = [](T left, T right) { return (left + right) / 2; };
            next[i] = mean(u[i - 1], u[i + 1]) + f[i] / 2;
            change = std::max(change, std::fabs(next[i] - u[i]));
        }
#pragma omp target teams distribute parallel for
        for (int i = 1; i <= n; ++i)
            u[i] = next[i];
        return change;
    }

    const std::vector<T> &result()
    {
#pragma omp target update from(u[0:n + 2])
        return values;
    }
};

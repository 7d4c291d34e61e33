// Objects by value in teams with parallel regions inside: tables that all threads of a team read, and small ones.
#include "check.hpp"

#include <array>

template <int N> struct Curve {
    std::array<float, N> at;
    float scale;
    explicit Curve(float s) : scale(s)
    {
        for (int i = 0; i < N; ++i)
            at[i] = (float)(i * i);
    }
    float of(int i) const { return at[i % N] * scale; }
};
struct Steps {
    int first, width;
    int low(int t) const { return first + t * width; }
};

// All threads of a team run the sequential part.
template <int N> void together(const Curve<N> &given, int teams, int n, float *y)
{
    const Curve<N> curve = given;
    const Steps steps{0, n};
#pragma omp target teams distribute firstprivate(curve) map(from: y[0:teams * n])
    for (int t = 0; t < teams; ++t) {
        float sum = 0;
#pragma omp parallel for reduction(+: sum)
        for (int i = 0; i < n; ++i)
            sum += curve.of(i + t);
        const float base = curve.at[t % N];
#pragma omp parallel for
        for (int i = 0; i < n; ++i)
            y[steps.low(t) + i] = curve.of(i) + sum + base;
    }
}

static int said;
#pragma omp declare target(said)
// One thread of a team hands parallel regions over: what the functions do nobody knows.
template <int N> void handed_over(const Curve<N> &given, int teams, int n, float *y)
{
    const Curve<N> curve = given;
    const Steps steps{0, n};
#pragma omp target teams distribute map(tofrom: y[0:teams * n])
    for (int t = 0; t < teams; ++t) {
        float last = 0;
        int seen = 0;
#pragma omp atomic capture
        seen = said++;
#pragma omp parallel for lastprivate(last)
        for (int i = 0; i < n; ++i)
            last = y[steps.low(t) + i] = curve.of(i + t);
        y[steps.low(t)] = last + curve.at[1] + (seen < 0);
    }
}


template <int N> void both(int teams, int n)
{
    float *y = new float[teams * n];
    together<N>(Curve<N>(2), teams, n, y);
    for (int t = 0; t < teams; ++t) {
        float sum = 0;
        for (int i = 0; i < n; ++i)
            sum += (float)(((i + t) % N) * ((i + t) % N)) * 2;
        for (int i = 0; i < n; ++i)
            check("an element", y[t * n + i], (float)((i % N) * (i % N)) * 2 + sum + (float)((t % N) * (t % N)));
    }
    handed_over<N>(Curve<N>(3), teams, n, y);
    for (int t = 0; t < teams; ++t) {
        const int last = (n - 1 + t) % N;
        check("an element", y[t * n], (float)(last * last) * 3 + 1);
        for (int i = 1; i < n; ++i)
            check("an element", y[t * n + i], (float)(((i + t) % N) * ((i + t) % N)) * 3);
    }
    delete[] y;
}

int main()
{
    both<4>(5, 70);
    both<16>(7, 40);
    both<90>(3, 200);
    return report();
}

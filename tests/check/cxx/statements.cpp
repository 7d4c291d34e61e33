// Statements that C has as well, and those that only look so.
#include <cmath>
#include <vector>

struct Grid {
    int at, n;
    double *values;
    void fill();
};
int count = 3;

double plain(double *x, int n)
{
    double s = 0;
#pragma omp target teams distribute parallel for map(tofrom: x[0:n]) map(tofrom: s)
    for (int i = 0; i < n; ++i) {
        const double twice = 2 * (double)x[i];
        double t = twice;
        if (t > 1e3)
            t = 1e3;
        for (int k = 0; k < 3; ++k) {
            if (k == 2 && i < 5)
                break;
            t *= x[i];
        }
        s += t; // rex-expect: reduction
    }
    return s;
}

void behind(double *x, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i) {
        int next = i + 1;
        x[next] = 2.0 * i; // rex-expect: bounds (likely)
    }
}

void Grid::fill()
{
    double *u = values;
    int m = n;
#pragma omp target teams distribute parallel for map(from: u[0:m]) map(to: at)
    for (int i = 0; i < m; ++i) {
        if (i > 3) {
            int at = i;
            u[at] = at;
        }
        u[i] = at;
    }
}

void of_file(double *x, int n)
{
#pragma omp target teams distribute parallel for map(from: x[0:n]) map(to: count)
    for (int i = 0; i < n; ++i) {
        if (i > 3) {
            int count = i;
            x[count] = 1;
        }
        x[i] = count;
    }
}

void sizes(double *x, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i) {
        const int m = 3;
        double t[m] = {0, 1};
        bool small = i < m;
        auto y = x[i];
        double &z = x[i];
        int k{i}, l(i);
        if (small)
            z = t[i % m] + y + double(k) + l;
    }
}

template <class T, int Many>
void of_types(T *x, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n + 1])
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < Many; ++k) {
            T t = x[i];
            x[i + 1] = t; // rex-expect: dependence
        }
}

int main()
{
    std::vector<double> x(10, 1.0);
    std::vector<float> y(10, 1.0f);
    of_types<double, 2>(x.data(), 9);
    of_types<float, 3>(y.data(), 9);
    Grid grid{1, 10, x.data()};
    grid.fill();
    while (count < 10)
        if (int more = count)
            count += more;
}

// A place that '?:' chooses is one of two.
struct tally { int u, v; };
int chosen_places(int n, const int *x)
{
    int odd = 0, even = 0;
    tally a{0, 0}, b{0, 0};
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: odd, even, a, b)
    for (int i = 0; i < n; ++i) {
        (x[i] % 2 ? odd : even) += 1; // rex-expect: reduction (likely)
        (x[i] % 3 ? a : b).u += 1; // rex-expect: reduction (likely)
#pragma omp atomic
        (x[i] % 3 ? a : b).v += 1;
    }
#pragma omp target map(to: x[0:n])
    for (int i = 0; i < n; ++i)
        (x[i] % 2 ? odd : even) = i; // rex-expect: lost-result
    return odd + even + a.u + b.v;
}

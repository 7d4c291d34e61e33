/* Inner loops whose bounds depend on the row, in templates whose instantiations step otherwise, in methods, and behind names that
 * mean other variables further out. */
#include <cstdio>
#include <cstring>

static const int ROWS = 20, WIDTH = 50;
static double a[ROWS * WIDTH], want[ROWS * WIDTH];
static int failed;

template <class F> static void check(const char *what, F expected)
{
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < WIDTH; ++j) {
            if (a[i * WIDTH + j] != expected(i, j) && ++failed < 10)
                std::printf("%s: %d %d\n", what, i, j);
            a[i * WIDTH + j] = 0;
        }
}

template <int S> static void from_row(int n, int m, double *to)
{
#pragma omp target teams distribute parallel for map(tofrom: to[0:n * m])
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < m; j += S)
            to[i * m + j] += 1;
}

template <int S> static void steps(int n, int m, double *to)
{
#pragma omp target teams distribute parallel for map(tofrom: to[0:n * m])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; j += S)
            to[i * m + j] += 1;
}

template <class T> static void colours(T n, T m, T colour, double *to)
{
#pragma omp target teams distribute parallel for map(tofrom: to[0:n * m])
    for (T i = 0; i < n; ++i)
        for (T j = (i + colour) % 2; j < m; j += 2)
            to[i * m + j] += 1;
}

struct Grid {
    int rows, width;
    double *to;
    void below() const
    {
        double *const p = to;
#pragma omp target teams distribute parallel for map(tofrom: p[0:rows * width])
        for (int i = 0; i < rows; ++i) {
            const int last = 2 * i;
            for (int j = width - 1; j > last; j -= 3)
                p[i * width + j] += 1;
        }
    }
};

static void hidden(int n, int m, double *to)
{
#pragma omp target teams distribute parallel for map(tofrom: to[0:n * m])
    for (int i = 0; i < n; ++i) {
        const int rows = n;
        {
            const int n = m - 1;
            for (int j = i; j < n; ++j)
                to[i * m + j] += rows;
        }
    }
}

static void two_loops(int n, int m, int colour, double *to)
{
#pragma omp target teams distribute parallel for map(tofrom: to[0:n * m])
    for (int i = 0; i < n; ++i) {
        for (int j = (i + colour) % 2; j < m; j += 2)
            to[i * m + j] += 1;
        for (int j = (i + colour) % 2; j < m; j += 2)
            to[i * m + j] *= 3;
    }
}

template <class T> static T eliminated(int n)
{
    T m[16 * 16] = {};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            m[i * n + j] = i == j ? n : T(1) / (1 + i + j);
#pragma omp target data map(tofrom: m)
    for (int k = 0; k < n; ++k) {
#pragma omp target teams distribute parallel for map(tofrom: m)
        for (int i = k + 1; i < n; ++i)
            m[i * n + k] /= m[k * n + k];
#pragma omp target teams distribute parallel for map(tofrom: m)
        for (int j = k + 1; j < n; ++j)
            for (int i = j; i < n; ++i)
                m[i * n + j] -= m[i * n + k] * m[j * n + k] * m[k * n + k];
    }
    T pivots = 0, known = 0; // the trace is what they and the rest add up to
    for (int i = 0; i < n; ++i) {
        pivots += m[i * n + i];
        known += n;
        for (int k = 0; k < i; ++k)
            pivots += m[i * n + k] * m[i * n + k] * m[k * n + k];
    }
    return pivots > known ? pivots - known : known - pivots;
}

int main()
{
    failed += eliminated<double>(16) > 1e-9;
    failed += eliminated<float>(16) > 1e-2f;
    from_row<1>(ROWS, WIDTH, a);
    check("1 step", [](int i, int j) { return j > i; });
    from_row<3>(ROWS, WIDTH, a);
    check("3 steps", [](int i, int j) { return j > i && (j - i) % 3 == 1; });
    steps<1>(ROWS, WIDTH, a);
    check("all", [](int, int) { return 1; });
    steps<3>(ROWS, WIDTH, a);
    check("each third", [](int, int j) { return j % 3 == 0; });
    colours<int>(ROWS, WIDTH, 1, a);
    check("int", [](int i, int j) { return (i + j) % 2; });
    colours<long>(ROWS, WIDTH, 0, a);
    check("long", [](int i, int j) { return (i + j) % 2 == 0; });
    Grid{ROWS, WIDTH, a}.below();
    check("below", [](int i, int j) { return j > 2 * i && (WIDTH - 1 - j) % 3 == 0; });
    hidden(ROWS, WIDTH, a);
    check("hidden", [](int i, int j) { return j >= i && j < WIDTH - 1 ? ROWS : 0; });
    two_loops(ROWS, WIDTH, 1, a);
    check("two loops", [](int i, int j) { return (i + j) % 2 ? 3 : 0; });
    std::puts(failed ? "wrong" : "ok");
    return failed != 0;
}

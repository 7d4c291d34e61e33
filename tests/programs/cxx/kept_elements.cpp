// Elements that an iteration keeps in a variable, and bounds that are loaded in front of their loops, in many forms.
#include "check.hpp"

constexpr int N = 48;

struct Row { int first, last; bool used; unsigned narrow : 5; };
struct Sums { double total; float least; };
struct View {
    double *values;
    double &operator[](int i) const { return values[i]; }
};

static int kind(char) { return 1; }
static int kind(signed char) { return 2; }
static int kind(int) { return 3; }

static void rows(int n, const Row *row, const double *x, Sums *sums)
{
#pragma omp target teams distribute parallel for map(to: row[0:n], x[0:n * 4]) map(from: sums[0:n])
    for (int i = 0; i < n; ++i) {
        sums[i].total = 0;
        sums[i].least = 1e9f;
        if (row[i].used)
            for (int k = row[i].first; k < row[i].last; ++k) {
                sums[i].total += x[k];
                sums[i].least = x[k] < sums[i].least ? static_cast<float>(x[k]) : sums[i].least;
            }
        else
            sums[i].total = -1;
    }
}

static void kinds(int n, const int *length, char *letters, signed char *numbers, int *found)
{
#pragma omp target teams distribute parallel for map(to: length[0:n]) map(from: letters[0:n], numbers[0:n], found[0:n])
    for (int i = 0; i < n; ++i) {
        letters[i] = 'a';
        numbers[i] = 0;
        found[i] = 0;
        int k = 0;
        while (k < length[i] && k < 9) {
            letters[i]++;
            numbers[i] += 3;
            found[i] += kind(letters[i]) * 100 + kind(numbers[i]) * 10 + kind(found[i]);
            ++k;
        }
    }
}

static void inside(int n, const int *length, const double *x, double *y, int *count)
{
#pragma omp target teams distribute parallel for map(to: length[0:n], x[0:n]) map(from: y[0:n]) map(tofrom: count[0:4])
    for (int i = 0; i < n; ++i) {
        y[i] = 1;
#pragma omp simd
        for (int k = 0; k < length[i]; ++k)
            y[i] += x[k];
        for (int k = 0; k < length[i] - 1; ++k) {
#pragma omp atomic
            count[k & 3] += (int)y[i];
            y[i] += 1;
        }
        y[i] *= 2;
    }
}

static void lambdas(int n, const int *length, double *y)
{
#pragma omp target teams distribute parallel for map(to: length[0:n]) map(from: y[0:n])
    for (int i = 0; i < n; ++i) {
        y[i] = 1;
        const auto more = [=](int k) { y[i] += k; };
        for (int k = 0; k < length[i]; ++k) {
            more(k);
            y[i] *= 0.5;
        }
    }
}

static void views(int n, const int &most, const int *length, const double *x, double *y)
{
#pragma omp target teams distribute parallel for map(to: length[0:n], x[0:n]) map(from: y[0:n])
    for (int i = 0; i < n; ++i) {
        const View v{y};
        v[i] = 0;
        for (int k = 0; k < most && k < length[length[i] % n]; ++k)
            v[i] += x[k];
    }
}

template <class T>
static void product(int n, const T *a, const T *b, T *c, const int *length)
{
#pragma omp target teams distribute parallel for map(to: a[0:n * n], b[0:n * n], length[0:n]) map(from: c[0:n * n])
    for (int i = 0; i < n; ++i) {
        const int row = i * n;
        for (int j = 0; j < n; ++j) {
            c[i * n + j] = T(1);
            for (int k = 0; k < length[j]; ++k)
                c[i * n + j] += a[row + k] * b[k * n + j];
        }
    }
}

static void fronts(int n, const double *a, double *c)
{
#pragma omp target teams distribute parallel for map(to: a[0:n * n]) map(tofrom: c[0:n * n])
    for (int i = 0; i < n; ++i) {
        const int row = i * n;
        if (a[i] > 1)
            for (int j = 0; j < n; ++j) {
                c[row + j] = 1;
                for (int k = 0; k < n; ++k)
                    c[row + j] += a[row + k];
                if (c[row + j] > 9) c[row + j] = 9;
            }
    }
}

int main()
{
    static Row row[N];
    static Sums sums[N];
    static double x[N * 4], y[N], a[N * N], b[N * N], c[N * N];
    static float fa[N * N], fb[N * N], fc[N * N];
    static char letters[N];
    static signed char numbers[N];
    static int length[N], found[N], count[4];
    for (int i = 0; i < N; ++i)
        row[i] = {i * 3, i * 3 + i % 4, i % 5 != 2, 3u}, length[i] = i % 7;
    for (int i = 0; i < N * 4; ++i)
        x[i] = i % 9;
    for (int i = 0; i < N * N; ++i)
        a[i] = fa[i] = i % 4, b[i] = fb[i] = i % 3, c[i] = i;

    rows(N, row, x, sums);
    kinds(N, length, letters, numbers, found);
    inside(N, length, x, y, count);
    int counted[4] = {};
    for (int i = 0; i < N; ++i) {
        double total = 0, value = 1;
        int kinds_found = 0;
        for (int k = row[i].first; k < row[i].last; ++k)
            total += x[k];
        check("a member", sums[i].total, row[i].used ? total : -1);
        for (int k = 0; k < length[i]; ++k)
            kinds_found += 123, value += x[k];
        check("a letter", letters[i], static_cast<char>('a' + length[i]));
        check("a number", numbers[i], static_cast<signed char>(3 * length[i]));
        check("an overload", found[i], kinds_found);
        for (int k = 0; k < length[i] - 1; ++k)
            counted[k & 3] += static_cast<int>(value), value += 1;
        check("an element", y[i], 2 * value);
    }
    for (int k = 0; k < 4; ++k)
        check("an atomic update", count[k], counted[k]);

    lambdas(N, length, y);
    for (int i = 0; i < N; ++i) {
        double value = 1;
        for (int k = 0; k < length[i]; ++k)
            value = (value + k) * 0.5;
        check("a lambda", y[i], value);
    }
    views(N, 3, length, x, y);
    for (int i = 0; i < N; ++i) {
        double value = 0;
        for (int k = 0; k < 3 && k < length[length[i] % N]; ++k)
            value += x[k];
        check("a view", y[i], value);
    }
    fronts(N, a, c);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            double value = 1;
            for (int k = 0; k < N; ++k)
                value += a[i * N + k];
            check("a condition in front", c[i * N + j], a[i] > 1 ? (value > 9 ? 9 : value) : i * N + j);
        }
    product(N, a, b, c, length);
    product(N, fa, fb, fc, length);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            double value = 1;
            for (int k = 0; k < length[j]; ++k)
                value += a[i * N + k] * b[k * N + j];
            check("a product", c[i * N + j], value);
            check("a product of floats", fc[i * N + j], static_cast<float>(value));
        }
    return report();
}

// Inner loops that share the grid with the distributed one, and those that look as if they could.
#include "check.hpp"
#include <cmath>
#include <vector>

static const int ROWS = 37, WIDTH = 129;

struct Point {
    double x, y;
    double norm() const { return std::sqrt(x * x + y * y); }
};

template <class T>
static T twice(T value)
{
    return value + value;
}

// A name for each element, a condition and `continue`; two instantiations share the text.
template <class T>
void scale(T *out, const T *in, int n, int m, T factor)
{
#pragma omp target teams distribute parallel for map(to : in[0 : n * m]) map(from : out[0 : n * m])
    for (int i = 0; i < n; ++i) {
        const int row = i * m;
        for (int j = 0; j < m; ++j) {
            const T &value = in[row + j]; // a reference to one element
            out[row + j] = -1;
            if (value < 3)
                continue;
            out[row + j] = twice(value) * factor;
        }
    }
}

// Copies of objects and called methods in the innermost body.
void norms(Point *points, double *out, int n, int m)
{
#pragma omp target teams distribute parallel for map(to : points[0 : n * m]) map(from : out[0 : n * m])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            Point point = points[i * m + j];
            double found = point.norm();
            out[i * m + j] = found > 50 ? 50.0 : found;
        }
}

// Three levels with a front, and a variable that is declared outside.
void cube(int *out, int n, int m, int l)
{
    int j, k;
#pragma omp target teams distribute parallel for private(j, k) map(from : out[0 : n * m * l])
    for (int i = 0; i < n; i++) {
        for (j = 0; j < m; j++) {
            int base = (i * m + j) * l;
            if (i % 3 != 1)
                for (k = 0; k < l; k++)
                    out[base + k] = i * 10000 + j * 100 + k;
            else
                for (k = 0; k < l; k++)
                    out[base + k] = -k;
        }
    }
}

double total(const double *a, int n, int m)
{
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n * m])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            s += a[i * m + j];
    return s;
}

// What an iteration leaves to the next one keeps the order: a sum, a counter by reference, a cell in front.
void ordered(double *a, int *count, int n, int m)
{
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n * m], count[0 : n])
    for (int i = 0; i < n; ++i) {
        double last = i;
        int seen = 0;
        int &counter = seen;
        for (int j = 0; j < m; ++j) {
            a[i * m + j] = last;
            last = last * 0.5 + j;
            ++counter;
        }
        count[i] = seen;
    }
}

// An object in front with a destructor, which must run once.
struct Guard {
    int *at;
    explicit Guard(int *where) : at(where) { *at += 1; }
    ~Guard() { *at += 10; }
};

void guarded(int *runs, int *out, int n, int m)
{
#pragma omp target teams distribute parallel for map(tofrom : runs[0 : n]) map(from : out[0 : n * m])
    for (int i = 0; i < n; ++i) {
        Guard guard(&runs[i]);
        for (int j = 0; j < m; ++j)
            out[i * m + j] = j;
    }
}

// The variable of an inner loop has the name of something else in the body.
void names(int *out, int n, int m)
{
    int j = 5;
#pragma omp target teams distribute parallel for map(from : out[0 : n * m])
    for (int i = 0; i < n; ++i) {
        int offset = j + (int)sizeof(j);
        for (int j = 0; j < m; ++j)
            out[i * m + j] = offset + j;
    }
}

// A bound that a local enumerator gives, and one that changes.
void bounds(int *out, int n)
{
#pragma omp target teams distribute parallel for map(tofrom : out[0 : n * 32])
    for (int i = 0; i < n; ++i) {
        enum { WIDE = 32 };
        for (int j = 0; j < WIDE; ++j)
            out[i * WIDE + j] += i;
    }
#pragma omp target teams distribute parallel for map(tofrom : out[0 : n * 32])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i % 32; ++j)
            out[i * 32 + j] += j;
}

// In place: an iteration reads what another one has written.
void shifted(int *a, int n, int m)
{
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n * m])
    for (int i = 0; i < n; ++i)
        for (int j = 1; j < m; ++j)
            a[i * m + j] += a[i * m + j - 1];
}

// Two loops side by side, with variables of one name.
void pair(int *a, int *b, int n, int m)
{
#pragma omp target teams distribute parallel for map(from : a[0 : n * m], b[0 : n * m])
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j)
            a[i * m + j] = i + j;
#pragma omp simd
        for (int j = 0; j < m; ++j)
            b[i * m + j] = i - j;
    }
}

static double element(int k)
{
    return k % 17 - 2;
}

int main()
{
    std::vector<double> a(ROWS * WIDTH), b(ROWS * WIDTH);
    std::vector<float> c(ROWS * WIDTH), d(ROWS * WIDTH);
    for (int k = 0; k < ROWS * WIDTH; ++k)
        a[k] = c[k] = (float)element(k);
    scale(b.data(), a.data(), ROWS, WIDTH, 1.5);
    scale(d.data(), c.data(), ROWS, WIDTH, 2.5f);
    int wrong = 0;
    for (int k = 0; k < ROWS * WIDTH; ++k) {
        double value = element(k);
        wrong += b[k] != (value < 3 ? -1 : 3 * value) || d[k] != (float)(value < 3 ? -1 : 5 * value);
    }
    check("scale", wrong, 0);
    check("total", total(a.data(), ROWS, WIDTH), [&] { double s = 0; for (double x : a) s += x; return s; }());

    std::vector<Point> points(ROWS * WIDTH);
    for (int k = 0; k < ROWS * WIDTH; ++k)
        points[k] = {3.0 * (k % 20), 4.0 * (k % 20)};
    norms(points.data(), b.data(), ROWS, WIDTH);
    wrong = 0;
    for (int k = 0; k < ROWS * WIDTH; ++k)
        wrong += b[k] != (5.0 * (k % 20) > 50 ? 50 : 5.0 * (k % 20));
    check("norms", wrong, 0);

    std::vector<int> out(ROWS * 20 * 33), count(ROWS);
    cube(out.data(), ROWS, 20, 33);
    wrong = 0;
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < 20; ++j)
            for (int k = 0; k < 33; ++k)
                wrong += out[(i * 20 + j) * 33 + k] != (i % 3 != 1 ? i * 10000 + j * 100 + k : -k);
    check("cube", wrong, 0);

    ordered(a.data(), count.data(), ROWS, WIDTH);
    wrong = 0;
    for (int i = 0; i < ROWS; ++i) {
        double last = i;
        for (int j = 0; j < WIDTH; ++j) {
            wrong += a[i * WIDTH + j] != last;
            last = last * 0.5 + j;
        }
        wrong += count[i] != WIDTH;
    }
    check("ordered", wrong, 0);

    std::vector<int> runs(ROWS), plain(ROWS * WIDTH), other(ROWS * WIDTH);
    guarded(runs.data(), plain.data(), ROWS, WIDTH);
    wrong = 0;
    for (int i = 0; i < ROWS; ++i)
        wrong += runs[i] != 11 || plain[i * WIDTH + 7] != 7;
    check("guarded", wrong, 0);

    names(plain.data(), ROWS, WIDTH);
    wrong = 0;
    for (int k = 0; k < ROWS * WIDTH; ++k)
        wrong += plain[k] != 9 + k % WIDTH;
    check("names", wrong, 0);

    std::vector<int> table(ROWS * 32);
    bounds(table.data(), ROWS);
    wrong = 0;
    for (int k = 0; k < ROWS * 32; ++k)
        wrong += table[k] != k / 32 + (k % 32 < k / 32 % 32 ? k % 32 : 0);
    check("bounds", wrong, 0);

    for (int k = 0; k < ROWS * WIDTH; ++k)
        plain[k] = 1;
    shifted(plain.data(), ROWS, WIDTH);
    wrong = 0;
    for (int k = 0; k < ROWS * WIDTH; ++k)
        wrong += plain[k] != k % WIDTH + 1;
    check("shifted", wrong, 0);

    pair(plain.data(), other.data(), ROWS, WIDTH);
    wrong = 0;
    for (int k = 0; k < ROWS * WIDTH; ++k)
        wrong += plain[k] != k / WIDTH + k % WIDTH || other[k] != k / WIDTH - k % WIDTH;
    check("pair", wrong, 0);
    return report();
}

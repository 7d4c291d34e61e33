// cflags: -std=c++17
// Kernels for memory that does not overlap, where it does, where only some pointers tell, and by every way to a pointer.
#include <algorithm>
#include <cstdio>
#include <vector>

struct Row {
    double values[4];
    double &operator[](int i) { return values[i]; }
    double operator[](int i) const { return values[i]; }
};

struct View {
    double *data;
    int step;
    View(double *d, int s) : data(d), step(s) {}
    double &operator()(int i) const { return data[i * step]; }
};

static double *behind(double *p, int by) { return p + by; }
static double &at(double *p, int i) { return p[i]; }

template <class F> void apply(int i, const F &f) { f(i); }

static void shifted(double *to, double *from, int n) {
#pragma omp target teams distribute parallel for num_teams(1) num_threads(1) map(tofrom : to[0 : n], from[0 : n])
    for (int i = 0; i < n; i++) {
        to[i] += 1;
        to[i] += from[i];
    }
}

template <class T> struct Summed {
    T *sums;
    int n;
    void add(T *a, T *b) {
        T *c = sums;
#pragma omp target teams distribute parallel for map(to : a[0 : n], b[0 : n]) map(tofrom : c[0 : n])
        for (int i = 0; i < n; i++) {
            c[i] += a[i];
            c[i] += std::max(a[i], b[i]);
        }
    }
};

static void show(const char *what, const std::vector<double> &v) {
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); i++) sum += v[i] * (1 + i % 7);
    std::printf("%s %g\n", what, sum);
}

int main() {
    const int n = 64;
    std::vector<double> v(2 * n), w(2 * n);
    for (int i = 0; i < 2 * n; i++) { v[i] = i; w[i] = 2 * n - i; }
    double *a = v.data(), *b = w.data();
#pragma omp target data map(tofrom : a[0 : 2 * n])
    {
        shifted(a + 1, a, n); // each iteration reads what the one before it wrote
        shifted(a, a, n);
        shifted(a + n, a, n);
    }
    show("shifted", v);

#pragma omp target teams distribute parallel for map(tofrom : a[0 : n]) map(to : b[0 : n])
    for (int i = 0; i < n; i++) {
        double *p = behind(a, 0);
        View view(p, 1), other(b, 1);
        view(i) += other(i);
        at(p, i) += at(b, i);
        apply(i, [=](int k) { a[k] += b[k]; });
        apply(i, [&](int k) { p[k] += b[k] * 0.5; });
    }
    show("views", v);

    Row rows[8], sums = {{0, 0, 0, 0}};
    for (int i = 0; i < 8; i++) for (int k = 0; k < 4; k++) rows[i][k] = i + k;
#pragma omp target teams distribute parallel for map(tofrom : rows) map(to : sums)
    for (int i = 0; i < 8; i++) {
        const Row &first = rows[i];
        rows[i][0] += first[1];
        rows[i][0] += first[0] + sums[2];
    }
    double total = 0;
    for (int i = 0; i < 8; i++) total += rows[i][0];
    std::printf("rows %g\n", total);

    double *one = a, *two = b;
#pragma omp target teams distribute parallel for num_teams(1) num_threads(1) map(tofrom : one[0 : n], two[0 : n])
    for (int i = 0; i < n; i++) {
        double *&chosen = i % 2 ? one : two;
        chosen[i] += 1;
        one[i] += two[i];
    }
    show("chosen", v);

    Summed<double> doubles = {a, n};
    doubles.add(b, b);
    show("summed", v);
    std::vector<int> x(n, 3), y(n, 4), z(n, 5);
    Summed<int> ints = {z.data(), n};
    ints.add(x.data(), y.data());
    std::printf("ints %d\n", z[7]);

    double bins[4] = {0, 0, 0, 0};
#pragma omp target teams distribute parallel for map(to : a[0 : n]) reduction(+ : bins)
    for (int i = 0; i < n; i++) bins[i % 4] += a[i] + bins[i % 4] * 0;
    std::printf("bins %g %g\n", bins[0], bins[3]);
}

// Lists of parameters in regions: of functions, of class templates, with pointers, objects and references.
#include <cstdio>
#include <utility>
struct Scale { double a; double operator()(double x) const { return a * x; } };
template <class... Ts> double total(int n, Ts... args) {
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < n; ++i) s += (args + ...);
    return s;
}
template <class F, class... A> void run(int n, double *out, F f, A &&...a) {
#pragma omp target teams distribute parallel for map(from: out[0:n])
    for (int i = 0; i < n; ++i) out[i] = f(i, a...);
}
template <class... Ts> int count(int n, const Ts &...ts) {
    int c = 0;
#pragma omp target map(tofrom: c)
    { int v[] = {0, int(ts)...}; for (int x : v) c += x; c += n * sizeof...(ts); }
    return c;
}
template <class... Fs> struct Chain {
    double base;
    double sum(int n, Fs... fs, std::pair<Fs, int>... ps) {
        double s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = 0; i < n; ++i) { double x = base + i; ((x = fs(x)), ...); s += x + (ps.second + ... + 0); }
        return s;
    }
    void outside(double *x, int n, Fs... fs);
};
template <class... Fs> void Chain<Fs...>::outside(double *x, int n, Fs... fs) {
#pragma omp target teams distribute parallel for map(x[0:n])
    for (int i = 0; i < n; ++i) ((x[i] = fs(x[i]) + base), ...);
}
void axpy(int i, double a, const double *x, double *y) { y[i] += a * x[i]; }
template <class... A> void each(int n, void (*)(int, A...), A... a) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) axpy(i, a...);
}
template <class... F> void in_turn(int n, int *p, F... f) {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; ++i) ((p[i] = f(p[i])), ...);
}
struct Less {
    int k;
    int operator()(int x) const { return x - k; }
};
int main() {
    double out[4], x[4] = {1, 2, 3, 4}, y[4] = {};
    run(4, out, [](int i, double a, int b) { return i * a + b; }, 2.5, 3);
    printf("%g %g %d %d\n", total(3, 1, 2.5, 3.f), out[3], count(3, 1, 2), count(2));
    int k = 7; run(3, out, [](int i, int a) { return double(i + a); }, k); printf("%g\n", out[2]);
    double *px = x, *py = y;
#pragma omp target data map(to: px[0:4]) map(tofrom: py[0:4])
    each(4, axpy, 2.0, (const double *)px, py);
    printf("%g %g\n", y[0], y[3]);
    int numbers[3] = {1, 2, 3}; const short half = 2; const char low = 1;
    in_turn(3, numbers, [](int v) { return v * 10; }, Less{3}, [k, half, low](int v) { return v * k / half + low; });
    in_turn(3, numbers, [=](auto v) { return v - k; });
    printf("%d %d\n", numbers[0], numbers[2]);
    Chain<Scale, Scale> c{1}; printf("%g\n", c.sum(3, Scale{2}, Scale{0.5}, {Scale{3}, 4}, {Scale{3}, 5}));
    c.outside(x, 4, Scale{2}, Scale{3}); printf("%g %g\n", x[0], x[3]);
}

// Structures that a kernel accesses as a whole where they are aligned: of templates, behind operators, with base classes.
#include <cstdio>
#include <vector>
template <class T> struct Vec4 { T x, y, z, w; Vec4 operator+(const Vec4 &o) const { return {x + o.x, y + o.y, z + o.z, w + o.w}; } };
struct Base { float a, b; };
struct Derived : Base { float c, d; };
struct alignas(16) Wide { float a, b, c, d; };
template <class T> void add(int n, Vec4<T> *to, const Vec4<T> *from)
{
#pragma omp target teams distribute parallel for map(tofrom: to[0:n]) map(to: from[0:n])
    for (int i = 0; i < n; ++i)
        to[i] = to[i] + from[i];
}
struct Sum {
    float a, b, c, d;
    void total(int n, const Derived *d0, float &out)
    {
        float s = 0;
#pragma omp target teams distribute parallel for map(to: d0[0:n]) reduction(+: s) map(tofrom: s)
        for (int i = 0; i < n; ++i)
            s += d0[i].a + d0[i].b * a + d0[i].c * b + d0[i].d;
        out = s;
    }
};
void wide(int n, Wide *w)
{
#pragma omp target teams distribute parallel for map(tofrom: w[0:n])
    for (int i = 0; i < n; ++i) { w[i].a += w[i].b; w[i].c += w[i].d; }
}
int main()
{
    const int n = 1001;
    std::vector<Vec4<float>> a(n + 1), b(n + 1); std::vector<Vec4<double>> c(n), d(n); std::vector<Derived> e(n); std::vector<Wide> w(n);
    for (int i = 0; i <= n; ++i) a[i] = {1.f * i, 2.f, 3.f, 4.f}, b[i] = {i % 3 * 1.f, 1, 1, 1};
    for (int i = 0; i < n; ++i) { c[i] = {1, 2, 3, 4}; d[i] = {i % 7 * 1., 1, 1, 1}; e[i].a = i % 5; e[i].b = 1; e[i].c = 2; e[i].d = 3; w[i] = {1, 2, 3, float(i)}; }
    add(n, a.data(), b.data() + 1);
    add(n, c.data(), d.data());
    // a row that begins at an address that is no multiple of 16
    std::vector<float> raw(4 * n + 5, 1.f);
    add(n, reinterpret_cast<Vec4<float> *>(raw.data() + 1), b.data());
    float s; Sum m{1, 2, 3, 4}; m.total(n, e.data(), s); wide(n, w.data());
    double t = 0; for (int i = 0; i < n; ++i) t += a[i].x + a[i].z + c[i].x + w[i].c + raw[4 * i + 1];
    std::printf("%g %g\n", t, s);
}

// A small layer as libraries have it: Range policies, execution tags, View classes with layouts, functors with operator().
#include "check.hpp"
#include <cstddef>
#include <omp.h>

namespace mini {
struct LayoutRight
{
    static constexpr std::size_t index(std::size_t i, std::size_t j, std::size_t, std::size_t n1) { return i * n1 + j; }
};
struct LayoutLeft
{
    static constexpr std::size_t index(std::size_t i, std::size_t j, std::size_t n0, std::size_t) { return i + j * n0; }
};
template <class T, class Layout = LayoutRight> class View2
{
  public:
    View2(T *p, std::size_t n0, std::size_t n1) : p_(p), n0_(n0), n1_(n1) {}
    T &operator()(std::size_t i, std::size_t j) const { return p_[Layout::index(i, j, n0_, n1_)]; }
    std::size_t extent(int d) const { return d == 0 ? n0_ : n1_; }
    T *data() const { return p_; }
    std::size_t size() const { return n0_ * n1_; }

  private:
    T *p_;
    std::size_t n0_, n1_;
};
struct Range2
{
    std::size_t n0, n1;
};
template <class F> void parallel_for(const Range2 &r, const F &f)
{
    const std::size_t n0 = r.n0, n1 = r.n1;
#pragma omp target teams distribute parallel for collapse(2) firstprivate(f)
    for (std::size_t i = 0; i < n0; ++i)
        for (std::size_t j = 0; j < n1; ++j)
            f(i, j);
}
template <class F, class R> void parallel_reduce(const Range2 &r, const F &f, R &result)
{
    R total = R();
#pragma omp target teams distribute parallel for collapse(2) firstprivate(f) reduction(+ : total)
    for (std::size_t i = 0; i < r.n0; ++i)
        for (std::size_t j = 0; j < r.n1; ++j) {
            R local = R();
            f(i, j, local);
            total += local;
        }
    result = total;
}
} // namespace mini

template <class V> struct Fill
{
    V v;
    double k;
    void operator()(std::size_t i, std::size_t j) const { v(i, j) = k * static_cast<double>(i * 100 + j); }
};

int main()
{
    const std::size_t n0 = 12, n1 = 9;
    double raw[n0 * n1];
    const int device = omp_get_default_device(), host = omp_get_initial_device();
    const std::size_t bytes = n0 * n1 * sizeof(double);
    auto *d = static_cast<double *>(omp_target_alloc(bytes, device));
    auto *d2 = static_cast<double *>(omp_target_alloc(bytes, device));
    using Left = mini::View2<double, mini::LayoutLeft>;
    mini::View2<double> a(d, n0, n1);
    Left b(d2, n0, n1);
    mini::parallel_for({n0, n1}, Fill<mini::View2<double>>{a, 1.0});
    mini::parallel_for({n0, n1}, Fill<Left>{b, 2.0});
    mini::parallel_for({n0, n1}, [=](std::size_t i, std::size_t j) { a(i, j) += b(i, j); });
    double s = 0;
    mini::parallel_reduce({n0, n1}, [=](std::size_t i, std::size_t j, double &r) { r += a(i, j); }, s);
    omp_target_memcpy(raw, d, bytes, 0, 0, host, device);
    omp_target_free(d, device);
    omp_target_free(d2, device);
    double want = 0;
    for (std::size_t i = 0; i < n0; i++)
        for (std::size_t j = 0; j < n1; j++) {
            check("a", raw[i * n1 + j], 3.0 * static_cast<double>(i * 100 + j));
            want += 3.0 * static_cast<double>(i * 100 + j);
        }
    check("s", s, want);
    return report();
}

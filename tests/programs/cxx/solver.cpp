// A conjugate gradient solver as an application has it: operators as functors, an abstract host interface, device data kept.
#include "check.hpp"
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

namespace la {
class DeviceVector
{
    double *p_;
    std::size_t n_;

  public:
    explicit DeviceVector(std::size_t n, double v = 0.0) : p_(new double[n]), n_(n)
    {
        double *p = p_;
#pragma omp target enter data map(alloc : p[0 : n_])
        fill(v);
    }
    DeviceVector(const DeviceVector &) = delete;
    ~DeviceVector()
    {
        double *p = p_;
#pragma omp target exit data map(delete : p[0 : n_])
        delete[] p_;
    }
    void fill(double v)
    {
        double *p = p_;
#pragma omp target teams distribute parallel for
        for (std::size_t i = 0; i < n_; ++i)
            p[i] = v;
    }
    double *data() const { return p_; }
    std::size_t size() const { return n_; }
    std::vector<double> to_host() const
    {
        double *p = p_;
#pragma omp target update from(p[0 : n_])
        return std::vector<double>(p_, p_ + n_);
    }
};

double dot(const DeviceVector &a, const DeviceVector &b)
{
    double s = 0;
    const double *x = a.data(), *y = b.data();
    const std::size_t n = a.size();
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (std::size_t i = 0; i < n; ++i)
        s += x[i] * y[i];
    return s;
}

void axpby(double a, const DeviceVector &x, double b, DeviceVector &y)
{
    const double *px = x.data();
    double *py = y.data();
#pragma omp target teams distribute parallel for
    for (std::size_t i = 0; i < y.size(); ++i)
        py[i] = a * px[i] + b * py[i];
}

struct LinearOperator
{
    virtual ~LinearOperator() {}
    virtual void apply(const DeviceVector &x, DeviceVector &y) const = 0;
};
template <int Width> class Laplace final : public LinearOperator
{
    static constexpr double diagonal = 2.0 + 0.1 * Width;

  public:
    void apply(const DeviceVector &x, DeviceVector &y) const override
    {
        const double *px = x.data();
        double *py = y.data();
        const long n = static_cast<long>(x.size());
#pragma omp target teams distribute parallel for
        for (long i = 0; i < n; ++i) {
            double v = diagonal * px[i];
            for (int w = 1; w <= Width; ++w) {
                if (i - w >= 0)
                    v -= px[i - w] / (2 * Width);
                if (i + w < n)
                    v -= px[i + w] / (2 * Width);
            }
            py[i] = v;
        }
    }
};

int solve(const LinearOperator &A, const DeviceVector &b, DeviceVector &x, double tol)
{
    DeviceVector r(b.size()), p(b.size()), q(b.size());
    A.apply(x, q);
    axpby(1.0, b, 0.0, r);
    axpby(-1.0, q, 1.0, r);
    axpby(1.0, r, 0.0, p);
    double rr = dot(r, r);
    int it = 0;
    for (; it < 200 && std::sqrt(rr) > tol; ++it) {
        A.apply(p, q);
        const double alpha = rr / dot(p, q);
        axpby(alpha, p, 1.0, x);
        axpby(-alpha, q, 1.0, r);
        const double next = dot(r, r);
        axpby(1.0, r, next / rr, p);
        rr = next;
    }
    return it;
}
} // namespace la

int main()
{
    la::DeviceVector b(200, 1.0), x(200), y(200);
    la::Laplace<2> A;
    int it = la::solve(A, b, x, 1e-10);
    check("iterations", it > 0 && it < 200, true);
    A.apply(x, y);
    double worst = 0;
    for (double v : y.to_host())
        worst = std::max(worst, std::fabs(v - 1.0));
    check("residual", worst < 1e-8, true);
    if (worst > 1e-8)
        std::cout << "worst " << worst << std::string("\n");
    return report();
}

// Class templates whose other members are the host's: they throw, print and use containers. What instantiations call decides.
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <vector>

template <typename T>
class Matrix {
    std::vector<T> data_;
    std::size_t rows_, cols_;

public:
    Matrix(std::size_t r, std::size_t c, T v = T()) : data_(r * c, v), rows_(r), cols_(c)
    {
        if (!r || !c)
            throw std::invalid_argument("empty");
    }
    T &operator()(std::size_t i, std::size_t j) { return data_.at(i * cols_ + j); }
    const T &operator()(std::size_t i, std::size_t j) const { return data_[i * cols_ + j]; }
    std::size_t rows() const { return rows_; }
    std::size_t cols() const noexcept { return cols_; }
    Matrix operator*(const Matrix &o) const
    {
        if (cols_ != o.rows_)
            throw std::runtime_error("shape");
        Matrix r(rows_, o.cols_);
        const T *a = data_.data(), *b = o.data_.data();
        T *c = r.data_.data();
        const auto M = rows_, N = o.cols_, K = cols_;
#pragma omp target teams distribute parallel for collapse(2) map(to: a[0:M*K], b[0:K*N]) map(from: c[0:M*N])
        for (std::size_t i = 0; i < M; i++)
            for (std::size_t j = 0; j < N; j++) {
                T s{};
                for (std::size_t k = 0; k < K; k++)
                    s += a[i * K + k] * b[k * N + j];
                c[i * N + j] = s;
            }
        return r;
    }
    friend std::ostream &operator<<(std::ostream &os, const Matrix &m)
    {
        for (std::size_t i = 0; i < m.rows(); ++i)
            for (std::size_t j = 0; j < m.cols(); ++j)
                os << m(i, j) << ' ';
        return os << '\n';
    }
};

// A closure as an argument of a class template that has a template among its parameters, too.
template <class T>
struct Midpoint {
    static T at(T a, T h, int i) { return a + h * (i + T(0.5)); }
};

template <class F, class T, template <class> class Rule>
class Integrator {
    F f;
    T a, b;

public:
    Integrator(F g, T x, T y) : f(g), a(x), b(y) {}
    T operator()(int n) const
    {
        const T h = (b - a) / n, low = a;
        const F g = f;
        T s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = 0; i < n; ++i)
            s += g(Rule<T>::at(low, h, i));
        return s * h;
    }
};

template <class T>
struct Unused { // its region has no kernel, so that its constructor may do anything
    T value;
    Unused(T v) : value(v)
    {
        if (v < 0)
            throw std::invalid_argument("negative");
    }
    void run(T *x)
    {
#pragma omp target map(x[0:1])
        x[0] = Unused<T>(value).value;
    }
};

int main()
{
    Matrix<double> a(2, 3, 1.5), b(3, 2, 2);
    a(0, 1) = 4;
    b(2, 1) = -1;
    Matrix<int> c(2, 2, 3);
    try {
        std::cout << a * b << c * c;
        (void)(a * a);
    } catch (const std::exception &e) {
        std::cout << e.what() << std::endl;
    }
    auto square = [](double x) { return x * x; };
    Integrator<decltype(square), double, Midpoint> q(square, 0, 3);
    std::printf("%.6f\n", q(50));
}

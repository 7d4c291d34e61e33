// Elements that methods and functors find, through members, references and other objects of a class.
#include "check.hpp"

template <class T> struct View {
    T *data;
    int stride;
    T &operator()(int i, int j) const { return data[i * stride + j]; }
    T &transposed(int i, int j) const { return (*this)(j, i); }
};

template <class T> class Matrix {
  public:
    Matrix(int n, int m, T *data) : n_(n), m_(m), data_(data), view_{data, m} {
#pragma omp target enter data map(to: this[0:1])
#pragma omp target enter data map(to: data_[0:n_ * m_])
    }
    ~Matrix() {
#pragma omp target exit data map(release: data_[0:n_ * m_])
#pragma omp target exit data map(release: this[0:1])
    }
    Matrix(const Matrix &) = delete;
    Matrix &operator=(const Matrix &) = delete;

    T &at(int i, int j) { return data_[i * m_ + j]; }
    const T &at(int i, int j) const { return data_[i * m_ + j]; }

    void add(const Matrix &other) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < m_; ++j)
                data_[i * m_ + j] += other.data_[i * m_ + m_ - 1 - j];
    }
    void twice() {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < m_; ++j)
                at(i, j) = 2 * at(i, j);
    }
    // Each row adds up what is in front.
    void sums() {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n_; ++i)
            for (int j = 1; j < m_; ++j)
                at(i, j) += at(i, j - 1);
    }
    template <class F> void each(F f) {
        T *const data = data_;
        const int n = n_, m = m_;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < m; ++j)
                f(data[i * m + j], i, j);
    }
    bool is(const T *wanted) {
#pragma omp target update from(data_[0:n_ * m_])
        for (int i = 0; i < n_ * m_; ++i)
            if (data_[i] != wanted[i])
                return false;
        return true;
    }

  private:
    int n_, m_;
    T *data_;
    View<T> view_;
};

static void turn(View<double> &from, View<double> &to, int n) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            to(i, j) = from.transposed(i, j) + 1;
}

static void recur(View<double> &to, int n) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 1; j < n; ++j)
            to(i, j) = to(i, j - 1) + 1;
}

struct Triple {
    void operator()(double &x, int i, int j) const { x = 3 * x + i - j; }
};

int main() {
    const int n = 30, m = 20;
    static double a[n * m], b[n * m], wanted[n * m];
    for (int i = 0; i < n * m; ++i)
        a[i] = i, b[i] = 2 * i;
    Matrix<double> first(n, m, a), second(n, m, b);
    first.add(second);
    first.twice();
    first.each(Triple());
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            wanted[i * m + j] = 6 * (i * m + j + 2.0 * (i * m + m - 1 - j)) + i - j;
    check("elements by methods", first.is(wanted), true);
    first.sums();
    for (int i = 0; i < n; ++i)
        for (int j = 1; j < m; ++j)
            wanted[i * m + j] += wanted[i * m + j - 1];
    check("rows that add up", first.is(wanted), true);

    static double x[n * n], y[n * n];
    for (int i = 0; i < n * n; ++i)
        x[i] = i, y[i] = 0;
    View<double> from{x, n}, to{y, n};
#pragma omp target enter data map(to: from, to)
#pragma omp target enter data map(to: from.data[0:n * n], to.data[0:n * n])
    turn(from, to, n);
#pragma omp target update from(to.data[0:n * n])
    check("views", y[3 * n + 5], x[5 * n + 3] + 1);
    recur(to, n);
#pragma omp target exit data map(from: to.data[0:n * n]) map(release: from.data[0:n * n])
#pragma omp target exit data map(release: from, to)
    check("rows in order", y[4 * n + n - 1], x[4] + n);
    return report();
}

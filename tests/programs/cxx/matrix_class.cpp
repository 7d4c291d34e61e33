// A matrix class: storage that it owns, data constructs in its constructor and destructor, operators with regions.
#include "check.hpp"

template <class T>
class Matrix {
    int rows_, columns_;
    T *data_;

public:
    Matrix(int rows, int columns) : rows_(rows), columns_(columns), data_(new T[rows * columns]())
    {
#pragma omp target enter data map(to: this[0:1], data_[0:rows_ * columns_])
    }
    ~Matrix()
    {
#pragma omp target exit data map(delete: data_[0:rows_ * columns_], this[0:1])
        delete[] data_;
    }
    Matrix(const Matrix &) = delete;
    Matrix &operator=(const Matrix &) = delete;
    T &operator()(int i, int j) { return data_[i * columns_ + j]; }
    const T &operator()(int i, int j) const { return data_[i * columns_ + j]; }
    void fill(T value)
    {
#pragma omp target teams distribute parallel for collapse(2)
        for (int i = 0; i < rows_; ++i)
            for (int j = 0; j < columns_; ++j)
                (*this)(i, j) = value + i - j;
    }
    Matrix &operator*=(T factor)
    {
#pragma omp target teams distribute parallel for
        for (int k = 0; k < rows_ * columns_; ++k)
            data_[k] *= factor;
        return *this;
    }
    T trace() const
    {
        T sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
        for (int i = 0; i < rows_; ++i)
            sum += (*this)(i, i);
        return sum;
    }
    void fetch()
    {
#pragma omp target update from(data_[0:rows_ * columns_])
    }
};

int main()
{
    Matrix<double> m(6, 6);
    m.fill(2);
    m *= 3;
    check("trace", m.trace(), 36.0);
    m.fetch();
    check("element", m(5, 1), 18.0);
    Matrix<int> k(3, 4);
    k.fill(1);
    k.fetch();
    check("int", k(2, 3), 0);
    return report();
}

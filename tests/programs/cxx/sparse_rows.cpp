// A sparse matrix as a class template: rows more and longer than a launch gives each a thread for.
#include "../check.h"
#include <memory>

template <class T>
class Sparse {
  public:
    Sparse(int rows, int most)
        : rows_(rows), first_(new int[rows + 1]), column_(new int[rows * most]), value_(new T[rows * most])
    {
        first_[0] = 0;
        for (int i = 0; i < rows; ++i) {
            first_[i + 1] = first_[i] + most - i % 7;
            for (int k = first_[i]; k < first_[i + 1]; ++k)
                column_[k] = (i + 17 * k) % rows, value_[k] = static_cast<T>(k % 3);
        }
        const int entries = first_[rows];
#pragma omp target enter data map(to: this[0:1], first_[0:rows + 1], column_[0:entries], value_[0:entries])
    }
    ~Sparse()
    {
#pragma omp target exit data map(delete: first_[0:1], column_[0:1], value_[0:1], this[0:1])
        delete[] first_, delete[] column_, delete[] value_;
    }
    void apply(const T *x, T *y) const
    {
#pragma omp target teams distribute parallel for map(to: x[0:rows_]) map(from: y[0:rows_])
        for (int i = 0; i < rows_; ++i) {
            T sum = 1;
            for (int k = first_[i]; k < first_[i + 1]; ++k)
                sum += value_[k] * x[column_[k]];
            y[i] = sum;
        }
    }
    T row(int i, const T *x) const
    {
        T sum = 1;
        for (int k = first_[i]; k < first_[i + 1]; ++k)
            sum += value_[k] * x[column_[k]];
        return sum;
    }

  private:
    int rows_, *first_, *column_;
    T *value_;
};

template <class T>
static int wrong(int rows)
{
    const Sparse<T> matrix(rows, 26);
    const std::unique_ptr<T[]> x(new T[rows]), y(new T[rows]);
    for (int i = 0; i < rows; ++i)
        x[i] = static_cast<T>(i % 5);
    matrix.apply(x.get(), y.get());
    int found = 0;
    for (int i = 0; i < rows; ++i)
        found += matrix.row(i, x.get()) != y[i];
    return found;
}

int main()
{
    CHECK(wrong<float>(205000) == 0);
    CHECK(wrong<double>(1000) == 0);
    return CHECK_RESULT();
}

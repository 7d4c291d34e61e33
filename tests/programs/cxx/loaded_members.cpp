// Pointers that kernels load from objects whose methods they are in, or that references lead to.
#include "check.hpp"

template <class T> class Field {
  public:
    Field(int rows, T *from, T *to) : rows_(rows), from_(from), to_(to) {}

    // A row is its own recurrence where both pointers lead to the same elements.
    void step(int m) {
        const int size = rows_ * (m + 1);
#pragma omp target teams distribute parallel for map(tofrom: from_[0:size], to_[0:size])
        for (int i = 0; i < rows_; ++i)
            for (int j = 0; j < m; ++j)
                to_[i * (m + 1) + j + 1] = this->from_[i * (m + 1) + j] + 1;
    }

    void whole(int m) {
        const int size = rows_ * (m + 1);
#pragma omp target teams distribute parallel for map(to: this[0:1]) map(tofrom: from_[0:size], to_[0:size])
        for (int i = 0; i < rows_; ++i)
            for (int j = 0; j < m; ++j)
                to_[i * (m + 1) + j + 1] = at(i * (m + 1) + j) + 1;
    }

    const T &at(int i) const { return from_[i]; }

    int rows_;
    T *from_, *to_;
};

static void by_reference(Field<double> &f, int n, int m) {
#pragma omp target teams distribute parallel for map(tofrom: f.from_[0:n * (m + 1)], f.to_[0:n * (m + 1)])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            f.to_[i * (m + 1) + j + 1] = f.from_[i * (m + 1) + j] + 1;
}

static void by_pointer(Field<double> *const f, int n, int m) {
    auto body = [=](int i) { return (*f).from_[i] + 1; };
#pragma omp target teams distribute parallel for map(tofrom: f->from_[0:n * (m + 1)], f->to_[0:n * (m + 1)])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            double *const row = f->to_ + i * (m + 1);
            row[j + 1] = body(i * (m + 1) + j);
        }
}

template <class T> static bool is(const T *x, int n, int m, bool same) {
    for (int i = 0; i < n; ++i)
        for (int j = 1; j <= m; ++j)
            if (x[i * (m + 1) + j] != (same ? 3 + j : 4))
                return false;
    return true;
}

template <class T, class Run> static void both(const char *what, Run run) {
    const int n = 30, m = 17;
    static T a[n * (m + 1)], b[n * (m + 1)];
    for (int turn = 0; turn < 2; ++turn) {
        const bool same = turn == 1;
        for (T &x : a)
            x = 3;
        for (T &x : b)
            x = 3;
        Field<T> f(n, same ? b : a, b);
        run(f, n, m);
        check(what, is(b, n, m, same), true);
    }
}

int main() {
    both<double>("members", [](Field<double> &f, int, int m) { f.step(m); });
    both<float>("members of another type", [](Field<float> &f, int, int m) { f.step(m); });
    both<double>("the whole object", [](Field<double> &f, int, int m) { f.whole(m); });
    both<double>("a reference", [](Field<double> &f, int n, int m) { by_reference(f, n, m); });
    both<double>("a pointer", [](Field<double> &f, int n, int m) { by_pointer(&f, n, m); });
    return report();
}

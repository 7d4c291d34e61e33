// Pointers in objects that constructors have put on the device: methods name members, and no region maps anything.
#include "check.hpp"

template <class T> class Field {
  public:
    Field(int rows, int columns, T *from, T *to) : rows_(rows), columns_(columns), from_(from), to_(to) {
        for (int i = 0; i < size(); ++i)
            from_[i] = to_[i] = 3;
#pragma omp target enter data map(to: this[0:1])
#pragma omp target enter data map(to: from_[0:size()], to_[0:size()])
    }

    ~Field() {
#pragma omp target exit data map(release: from_[0:size()], to_[0:size()])
#pragma omp target exit data map(release: this[0:1])
    }

    Field(const Field &) = delete;
    Field &operator=(const Field &) = delete;

    int size() const { return rows_ * (columns_ + 1); }

    // A row is its own recurrence where both pointers lead to the same elements.
    void step() {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < rows_; ++i)
            for (int j = 0; j < columns_; ++j)
                to_[i * (columns_ + 1) + j + 1] = from_[i * (columns_ + 1) + j] + 1;
    }

    const T &at(int i, int j) const { return from_[i * (columns_ + 1) + j]; }
    T &next(int i, int j) { return to_[i * (columns_ + 1) + j + 1]; }

    void step_by_methods() {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < rows_; ++i)
            for (int j = 0; j < columns_; ++j)
                next(i, j) = at(i, j) + 1;
    }

    void lead_to_one() {
#pragma omp target
        from_ = to_; // rex-ignore: lost-result: only the device changes
    }

    bool is(bool same) {
#pragma omp target update from(to_[0:size()])
        for (int i = 0; i < rows_; ++i)
            for (int j = 1; j <= columns_; ++j)
                if (to_[i * (columns_ + 1) + j] != (same ? 3 + j : 4))
                    return false;
        return true;
    }

  private:
    int rows_, columns_;

  public:
    T *from_, *to_;
};

// A member of the base has the name of another one in the class.
struct Base {
    double *to;
    double first(int i) const { return to[i]; }
    void put() {
#pragma omp target enter data map(to: to[0:30])
    }
    void remove() {
#pragma omp target exit data map(release: to[0:30])
    }
};

struct Derived : Base {
    double *to;
    int n;

    void add() {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < 20; ++j)
                to[i * 20 + j] += first(i);
    }
};

static void by_reference(Field<double> &f, int n, int m) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            f.to_[i * (m + 1) + j + 1] = f.from_[i * (m + 1) + j] + 1;
}

static void by_pointer(Field<double> *f, int n, int m) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            f->to_[i * (m + 1) + j + 1] = f->from_[i * (m + 1) + j] + 1;
}

template <class T, class Run> static void all(const char *what, Run run) {
    const int n = 30, m = 17;
    static T a[n * (m + 1)], b[n * (m + 1)];
    {
        Field<T> f(n, m, a, b);
        run(f, n, m);
        check(what, f.is(false), true);
    }
    {
        Field<T> f(n, m, b, b);
        run(f, n, m);
        check(what, f.is(true), true);
    }
    Field<T> f(n, m, a, b);
    f.lead_to_one(); // the host does not know of this
    run(f, n, m);
    check(what, f.is(true), true);
}

int main() {
    all<double>("members", [](Field<double> &f, int, int) { f.step(); });
    all<int>("members that may be the counts", [](Field<int> &f, int, int) { f.step(); });
    all<float>("methods", [](Field<float> &f, int, int) { f.step_by_methods(); });
    all<double>("a reference", [](Field<double> &f, int n, int m) { by_reference(f, n, m); });
    all<double>("a pointer", [](Field<double> &f, int n, int m) { by_pointer(&f, n, m); });

    static double x[30], y[600];
    for (double &one : x)
        one = 2;
    Derived d;
    d.Base::to = x, d.to = y, d.n = 30;
    Derived *const p = &d;
#pragma omp target enter data map(to: p[0:1])
#pragma omp target enter data map(to: p->to[0:600])
    d.put();
    d.add();
    d.remove();
#pragma omp target exit data map(from: p->to[0:600])
#pragma omp target exit data map(release: p[0:1])
    check("a base's member", y[599], 2.0);
    return report();
}

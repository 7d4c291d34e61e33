// A base class template that calls its derived classes, in regions of the base and of the derived classes.
// reference: -O1
#include "check.hpp"

template <class Derived>
class Field {
public:
    explicit Field(int n) : n_(n), data_(new double[n]) {}
    ~Field() { delete[] data_; }
    Field(const Field &) = delete;
    Field &operator=(const Field &) = delete;
    void fill()
    {
        const Derived &self = static_cast<const Derived &>(*this);
        const double step = self.step();
#pragma omp target teams distribute parallel for map(from: data_[0:n_])
        for (int i = 0; i < n_; ++i)
            data_[i] = Derived::shape(i) * step;
    }
    double operator[](int i) const { return data_[i]; }

protected:
    int n_;
    double *data_;
};

class Linear : public Field<Linear> {
public:
    explicit Linear(int n) : Field(n) {}
    static double shape(int i) { return i; }
    double step() const { return 2; }
};

class Parabola : public Field<Parabola> {
public:
    Parabola(int n, double s) : Field(n), step_(s) {}
    static double shape(int i) { return double(i) * i; }
    double step() const { return step_; }
    double total() const
    {
        double sum = 0;
#pragma omp target teams distribute parallel for map(to: data_[0:n_]) reduction(+: sum)
        for (int i = 0; i < n_; ++i)
            sum += data_[i];
        return sum;
    }

private:
    double step_;
};

template <class Derived>
struct Comparable {
    bool operator>(const Derived &other) const { return other < static_cast<const Derived &>(*this); }
};

struct Money : Comparable<Money> {
    int cents;
    explicit Money(int c) : cents(c) {}
    bool operator<(const Money &other) const { return cents < other.cents; }
};

int main()
{
    Linear linear(10);
    Parabola parabola(10, 0.5);
    linear.fill();
    parabola.fill();
    check("linear", linear[9], 18.0);
    check("parabola", parabola[9], 40.5);
    check("total", parabola.total(), 142.5);
    int more = 0;
#pragma omp target teams distribute parallel for reduction(+: more)
    for (int i = 0; i < 10; ++i)
        more += Money(i) > Money(4);
    check("operators of the base", more, 5);
    return report();
}

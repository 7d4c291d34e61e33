// Inheritance: members of bases in regions of derived classes, protected ones, using Base::x, multiple bases.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

struct Base
{
    explicit Base(int n) : n(n), v(new int[n]) {}
    ~Base() { delete[] v; }
    int size() const { return n; }

  protected:
    int n;
    int *v;
    int weight(int i) const { return i * 2; }
};
struct Named
{
    int tag = 7;
};
template <class T> struct TBase
{
    T k;
    T mul(T x) const { return k * x; }
};

class Derived : public Base, private Named, public TBase<long>
{
  public:
    Derived(int n, long k) : Base(n), TBase<long>{k} {}
    using TBase<long>::mul;
    void fill()
    {
#pragma omp target teams distribute parallel for map(from : v[0 : n])
        for (int i = 0; i < n; i++)
            v[i] = weight(i) + tag + static_cast<int>(mul(i));
    }
    int at(int i) const { return v[i]; }
};

template <class T> class Child : public TBase<T>
{
  public:
    explicit Child(T k) { this->k = k; }
    T go(int n)
    {
        T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += this->mul(T(i)) + this->k;
        return s;
    }
};

int main()
{
    Derived d(20, 3);
    d.fill();
    check("derived", d.at(19), 38 + 7 + 57);
    check("child", Child<int>(2).go(10), 110);
    check("child", Child<double>(0.5).go(10), 27.5);
    return report();
}

// Objects of class templates of which a constructor has mapped the pointer alone, mapped as a whole by regions of
// methods, friends and templates that know the class or any.
#include "check.hpp"

template <class T> struct Block {
    T *d;
    int n;
    explicit Block(int n) : d(new T[n]()), n(n)
    {
#pragma omp target enter data map(to : d[0 : n])
    }
    ~Block()
    {
#pragma omp target exit data map(delete : d[0 : n])
        delete[] d;
    }
    T mixed(const Block &b)
    {
        Block m(b.n);
        Block<T> k(b.n);
        T s = 0;
#pragma omp target map(to : b) map(tofrom : m, k, s)
        for (int i = 0; i < m.n; i++) {
            m.d[i] = b.d[i] + 1;
            k.d[i] = 2;
            s += m.d[i] + k.d[i];
        }
        return s;
    }
    friend T product(const Block &a, const Block &b)
    {
        Block m(a.n);
        T s{};
#pragma omp target teams distribute parallel for map(a, b, m) reduction(+ : s)
        for (int i = 0; i < m.n; i++) {
            T own = a.d[i] * b.d[i];
            m.d[i] = own;
            s += own;
        }
        return s;
    }
};

template <class T> T raised(Block<T> &x)
{
    T s = 0;
#pragma omp target map(x) map(tofrom : s)
    for (int i = 0; i < x.n; i++)
        s += x.d[i] += 1;
    return s;
}

template <class X> double of_any(X &x)
{
    double s = 0;
#pragma omp target map(x) map(tofrom : s)
    for (int i = 0; i < x.n; i++)
        s += x.d[i] += 1;
    return s;
}

template <class X> double unlisted(const X &x)
{
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < x.n; i++)
        s += x.d[i];
    return s;
}

int main()
{
    Block<double> a(4), b(4);
    Block<long> c(3);
    check("a method", a.mixed(b), 12.0);
    check("one class", raised(a), 4.0);
    check("any class", of_any(b) + of_any(c), 7.0);
    check("not listed", unlisted(a) + unlisted(c), 7.0);
    check("a friend", product(a, b), 4.0);
    check("another friend", product(c, c), 3L);
    return report();
}

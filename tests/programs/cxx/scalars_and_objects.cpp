// Variables of templates that are scalars in one instantiation and objects in another, which no clause names.
#include "check.hpp"
#include <complex>

using Complex = std::complex<double>;

template <class R, class A, class B>
R plus(A a, B b)
{
    R c;
#pragma omp target map(from: c)
    c = a + b;
    return c;
}

template <class A>
A changed(A a)
{
    A before;
#pragma omp target map(from: before)
    {
        before = a;
        a = A(7); // rex-ignore: lost-result, because the copy is what this is about
    }
    return before + a;
}

template <class A>
A twice(const A &a, int n)
{
    A sum = A(0);
#pragma omp target teams distribute parallel for map(tofrom: sum)
    for (int i = 0; i < n; ++i)
        if (i == n - 1)
            sum = a + a;
    return sum;
}

int main()
{
    check("objects", plus<Complex>(Complex(1, 2), Complex(3, 4)) == Complex(4, 6), true);
    check("an object and a scalar", plus<Complex>(Complex(1, 2), 2.) == Complex(3, 2), true);
    check("a scalar and an object", plus<Complex>(3., Complex(1, 1)) == Complex(4, 1), true);
    check("scalars", plus<double>(1., 2), 3.);
    check("an object that the region changes", changed(Complex(1, 1)) == Complex(8, 1), true);
    check("its own copy of a scalar", changed(1), 2);
    check("a reference to an object", twice(Complex(1, 2), 4) == Complex(2, 4), true);
    check("a reference to a scalar", twice(2.5, 4), 5.);
    return report();
}

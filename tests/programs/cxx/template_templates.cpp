// A template as the argument of a template with a region.
#include "check.hpp"

template <class T>
struct Twice {
    static T run(T x) { return 2 * x; }
};

template <class T>
struct Squared {
    static T run(T x) { return x * x; }
};

template <template <class> class Operation, class T>
void apply(T *x, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = Operation<T>::run(x[i]);
}

template <class T> struct Box {
    T value;
    T get() const { return value; }
};

// The region uses an object of the template that is an argument.
template <template <class> class C> int boxed()
{
    C<int> box{4};
    int r = 0;
#pragma omp target map(tofrom: r)
    r = box.get();
    return r;
}

int main()
{
    check("an object of a template's argument", boxed<Box>(), 4);
    double x[4] = {1, 2, 3, 4};
    int k[3] = {5, 6, 7};
    apply<Twice>(x, 4);
    apply<Squared>(x, 4);
    apply<Twice>(k, 3);
    check("twice and squared", x[3], 64.0);
    check("twice", k[2], 14);
    return report();
}

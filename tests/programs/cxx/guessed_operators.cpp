// A template with a region is next to operators of other classes that throw exceptions, which it does not call.
#include "check.hpp"
#include <stdexcept>

struct Checked
{
    int value;
};
inline bool operator!=(Checked a, Checked b)
{
    if (a.value < 0) throw std::out_of_range("negative");
    return a.value != b.value;
}
template <class T>
bool operator<(Checked a, T)
{
    throw std::logic_error("no order");
}

template <class T>
struct Counter
{
    template <class U>
    int differing(const U *a, const U *b, int n) const;
};

template <class T>
inline int one_if(T a, T b)
{
    return a != b || b < a ? 1 : 0;
}

template <class T>
template <class U>
int Counter<T>::differing(const U *a, const U *b, int n) const
{
    int count = 0;
#pragma omp target teams distribute parallel for map(to : a[0:n], b[0:n]) reduction(+ : count)
    for (int i = 0; i < n; ++i) count += one_if<U>(a[i], b[i]);
    return count;
}

int main()
{
    const double a[4] = {1, 2, 3, 4}, b[4] = {1, 0, 3, 5};
    check("differing", Counter<int>().differing(a, b, 4), 2);
    check("on the host", Checked{1} != Checked{2}, true);
    return report();
}

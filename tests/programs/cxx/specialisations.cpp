// Explicit and partial specialisations of templates that regions use.
#include "check.hpp"

template <class T>
struct Traits {
    static constexpr int size = 1;
    static T twice(T x) { return x + x; }
};
template <>
struct Traits<bool> {
    static constexpr int size = 8;
    static bool twice(bool x) { return !x; }
};
template <class T>
struct Traits<T *> {
    static constexpr int size = 64;
};

template <class T>
int classify(T)
{
    return 1;
}
template <>
int classify(double)
{
    return 2;
}
template <>
inline int classify<char>(char)
{
    return 3;
}

template <int N>
struct Factorial {
    static constexpr int value = N * Factorial<N - 1>::value;
};
template <>
struct Factorial<0> {
    static constexpr int value = 1;
};

template <class T, int N>
struct Small {
    T data[N];
    T sum() const
    {
        T s = 0;
        for (int i = 0; i < N; ++i)
            s += data[i];
        return s;
    }
};
template <class T>
struct Small<T, 1> {
    T data[1];
    T sum() const { return data[0] * 100; }
};

int main()
{
    int out[5];
#pragma omp target map(from: out)
    {
        out[0] = Traits<int>::twice(3) + Traits<int>::size;
        out[1] = Traits<bool>::twice(false) + Traits<bool>::size + Traits<char *>::size;
        out[2] = classify(1) * 100 + classify(1.5) * 10 + classify('c');
        out[3] = Factorial<5>::value;
        const Small<int, 3> three{{1, 2, 3}};
        const Small<int, 1> one{{4}};
        out[4] = three.sum() + one.sum();
    }
    check("primary", out[0], 7);
    check("special", out[1], 73);
    check("functions", out[2], 123);
    check("recursive", out[3], 120);
    check("partial", out[4], 406);
    return report();
}

// Functions of <cmath> that write a second result, for float and double.
#include <cmath>
#include <cstdio>

template <class T> void show(T value)
{
    T results[6] = {value};
#pragma omp target map(tofrom : results)
    {
        T whole;
        int exponent, quotient;
        results[1] = std::modf(results[0], &whole);
        results[2] = whole;
        results[3] = std::frexp(results[0], &exponent) + exponent;
        results[4] = std::remquo(results[0], T(2), &quotient);
        results[5] = quotient & 7;
    }
    std::printf("%g %g %g %g %g\n", results[1], results[2], results[3], results[4], results[5]);
}

int main()
{
    show(5.75);
    show(-2.25f);
}

// Overloads, default arguments, function templates beside functions, argument-dependent lookup.
#include "check.hpp"
#include <cmath>

namespace num {
struct Fix
{
    long raw;
};
Fix abs(Fix f) { return {f.raw < 0 ? -f.raw : f.raw}; }
double to_double(Fix f, double unit = 256.0) { return f.raw / unit; }
} // namespace num

int kind(int) { return 1; }
int kind(long) { return 2; }
int kind(double) { return 3; }
int kind(float) { return 4; }
int kind(const char *) { return 5; }
template <class T> int kind(T *) { return 6; }
int scaled(int a, int b = 10, int c = 1) { return a * b + c; }

int main()
{
    int out[9];
    double d[2];
#pragma omp target map(from : out, d)
    {
        long l = 3;
        float f = 2;
        int i = 1;
        out[0] = kind(1);
        out[1] = kind(l);
        out[2] = kind(1.0);
        out[3] = kind(f);
        out[4] = kind("x");
        out[5] = kind(&i);
        out[6] = scaled(2);
        out[7] = scaled(2, 3);
        out[8] = scaled(2, 3, 4);
        num::Fix x{-512};
        using std::abs;
        d[0] = to_double(abs(x)) + abs(-2.5);
        d[1] = num::to_double(x, 2.0);
    }
    const int want[] = {1, 2, 3, 4, 5, 6, 21, 7, 10};
    for (int i = 0; i < 9; i++)
        check("overload", out[i], want[i]);
    check("d0", d[0], 4.5);
    check("d1", d[1], -256.0);
    return report();
}

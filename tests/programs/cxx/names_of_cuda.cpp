// The unit's own types and functions have names that CUDA declares, too: vectors, dim3, atomics and math functions.
#include "check.hpp"
#include <algorithm>
#include <cmath>
#include <utility>

struct float4  // of other elements than CUDA's
{
    double w, x, y, z;
};
typedef struct
{
    unsigned char r, g, b, a;
} uchar4;
struct dim3
{
    int x = 1, y = 2, z = 3;
    int volume() const { return x * y * z; }
};
enum uint2 { none, some };

inline float4 make_float4(float x, float y, float z, float w) { return {w, x, y, z}; }
inline float rsqrt(float x) { return 100 / std::sqrt(x); }
inline float saturate(float x) { return x < 0 ? -1.0f : x; }
inline double norm3d(double a, double b, double c) { return std::max(a, std::max(b, c)); }
inline int atomicAdd(int *place, int value)  // adds twice
{
    const int before = *place;
    *place += 2 * value;
    return before;
}
// CUDA has functions with these parameters, and others that arguments of these types fit better than the templates.
inline float min(float a, float b) { return a < b ? a + 100 : b + 100; }
inline int max(int a, int b);
inline void sincos(float x, float *s, float *c)
{
    *s = x + ::min(x, 2.0f);
    *c = x - max(1, 2);
}
inline int max(int a, int b) { return a > b ? a + 1000 : b + 1000; }
template <class T>
T fmin(T a, T b)
{
    return a < b ? a + 5 : b + 5;
}
template <class T>
T lowest(T a, T b, T c)
{
    return fmin(fmin(a, b), c);
}
inline int float_as_int(float x) { return static_cast<int>(x); }

namespace app {
struct int2
{
    long a, b;
};
inline int2 make_int2(int a, int b) { return {b, a}; }
inline std::pair<int, int> make_pair(int a, int b) { return std::make_pair(b, a); }
template <class V>
struct Scaled
{
    V value;
    float4 by(float f) const { return make_float4(value.x * f, value.y * f, value.z * f, value.w * f); }
};
}  // namespace app

template <class V>
void scale(V *v, int n, float f)
{
#pragma omp target teams distribute parallel for map(tofrom : v[0 : n])
    for (int i = 0; i < n; ++i) v[i] = app::Scaled<V>{v[i]}.by(f);
}

template <class T>
T of_overloads(T x)
{
    T sum = 0, s, c;
#pragma omp target map(tofrom : sum)
    {
        sincos(x, &s, &c);
        sum = lowest(s, x, T(3)) + fmin(c, T(4)) + max(3, 4);
    }
    return sum;
}

int main()
{
    check("overloads", of_overloads(1.5f), lowest(103.5f, 1.5f, 3.0f) + -995.5f + 1004);
    const int n = 20;
    float4 v[n];
    uchar4 c[n];
    double sums[6] = {};
    int counted = 0;
    for (int i = 0; i < n; ++i) v[i] = make_float4(i, 2 * i, 3 * i, 4 * i), c[i] = {1, 2, 3, 4};
    scale(v, n, 2);
#pragma omp target map(tofrom : v, c, sums, counted)
    {
        dim3 d;
        app::int2 two = app::make_int2(d.volume(), 7);
        for (int i = 0; i < n; ++i) {
            sums[0] += v[i].w - v[i].x;
            sums[1] += c[i].a * rsqrt(4.0f) + saturate(-3);
        }
        sums[2] = norm3d(3, 9, 4) + some;
        sums[3] = two.a * 10 + two.b;
        sums[4] = float_as_int(2.5f) + atomicAdd(&counted, 3);
        sums[5] = app::make_pair(1, 2).first;
    }
    check("vectors", sums[0], 3.0 * 2 * (n * (n - 1) / 2));
    check("colours", sums[1], 199.0 * n);
    check("norm", sums[2], 10.0);
    check("integers", sums[3], 76.0);
    check("bits", sums[4], 2.0);
    check("pair", sums[5], 2.0);
    check("counted", counted, 6);
    return report();
}

// static_cast, reinterpret_cast, const_cast, C casts, functional casts, sizeof, alignof, unions and bits in regions.
#include "check.hpp"
#include <cstdint>
#include <cstring>

struct alignas(16) Q
{
    float v[4];
};

int main()
{
    std::uint32_t bits[16];
    float f[16];
    for (int i = 0; i < 16; i++)
        f[i] = i + 0.5f;
    const float *cf = f;
    long sizes[3];
#pragma omp target map(tofrom : f) map(from : bits, sizes)
    {
        for (int i = 0; i < 16; i++) {
            bits[i] = *reinterpret_cast<std::uint32_t *>(&f[i]);
            std::uint32_t u;
            std::memcpy(&u, f + i, sizeof u);
            bits[i] += u ^ bits[i];
        }
        const_cast<float *>(static_cast<const float *>(f))[0] = float(int(7.9));
        sizes[0] = sizeof(Q);
        sizes[1] = alignof(Q);
        sizes[2] = static_cast<long>(reinterpret_cast<std::uintptr_t>(f + 1) - (std::uintptr_t)f);
    }
    check("f0", cf[0], 7.f);
    check("sizeof", sizes[0], 16L);
    check("alignof", sizes[1], 16L);
    check("diff", sizes[2], 4L);
    for (int i = 1; i < 16; i++) {
        std::uint32_t u;
        std::memcpy(&u, f + i, sizeof u);
        check("bits", bits[i], u);
    }
    void *opaque = f;
#pragma omp target map(tofrom : f)
    {
        float *g = static_cast<float *>(f);
        g[3] = -1;
    }
    check("opaque", static_cast<float *>(opaque)[3], -1.f);
    return report();
}

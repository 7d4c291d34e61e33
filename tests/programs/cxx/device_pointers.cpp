// use_device_ptr, use_device_addr, is_device_ptr and has_device_addr.
#include "check.hpp"
#include <omp.h>

static void scale(int *device, int n, int by)
{
#pragma omp target teams distribute parallel for is_device_ptr(device)
    for (int i = 0; i < n; ++i)
        device[i] *= by;
}

template <class T>
struct Vector {
    T *p;
    int n;
    void twice()
    {
        T *q = p;
#pragma omp target data map(tofrom: q[0:n]) use_device_ptr(q)
        {
            T *d = q;
            int m = n;
#pragma omp target teams distribute parallel for is_device_ptr(d)
            for (int i = 0; i < m; ++i)
                d[i] += d[i];
        }
    }
};

struct Base
{
    int *p;
    int n;
};

const int Places = 4;
struct Members : Base
{
    int first[Places];
    // A member's name in the statement means the device's address, however it is written.
    void work()
    {
#pragma omp target data use_device_ptr(Base::p) use_device_addr(first)
        {
            const int device = omp_get_default_device(), host = omp_get_initial_device();
            omp_target_memcpy(found, p + 1, sizeof(int), 0, 0, host, device);
            omp_target_memcpy(found, this->p + 2, sizeof(int), sizeof(int), 0, host, device);
            omp_target_memcpy(found, Base::p + 3, sizeof(int), 2 * sizeof(int), 0, host, device);
            omp_target_memcpy(found, this->first + 1, sizeof(int), 3 * sizeof(int), 0, host, device);
        }
    }
    void twice()
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i) Base::p[i] *= 2;
    }
    int found[Places];
};

int main()
{
    int a[16], b[16];
    for (int i = 0; i < 16; ++i) a[i] = i + 1;
    Members m;
    m.p = a;
    m.n = 16;
    for (int i = 0; i < 4; ++i) m.first[i] = 50 + i;
#pragma omp target data map(to : m) map(tofrom : m.p[0 : 16])
    {
        m.twice();
        m.work();
    }
    check("members", m.found[0] == 4 && m.found[1] == 6 && m.found[2] == 8, 1);
    check("an array of the object", m.found[3], 51);
    check("brought back", a[15], 32);
    for (int i = 0; i < 16; ++i)
        a[i] = b[i] = i;
    int *p = a;
#pragma omp target data map(tofrom: p[0:16]) use_device_ptr(p)
    scale(p, 16, 3);
    check("use_device_ptr", a[5], 15);
#pragma omp target data map(tofrom: b) use_device_addr(b)
    {
#pragma omp target has_device_addr(b)
        for (int i = 0; i < 16; ++i)
            b[i] += 1;
    }
    check("has_device_addr", b[5], 6);
    Vector<int> v{a, 16};
    v.twice();
    check("template", a[5], 30);
    int device = omp_get_default_device();
    int *raw = static_cast<int *>(omp_target_alloc(16 * sizeof(int), device));
    omp_target_memcpy(raw, a, sizeof a, 0, 0, device, omp_get_initial_device());
    scale(raw, 16, 2);
    omp_target_memcpy(a, raw, sizeof a, 0, 0, omp_get_initial_device(), device);
    omp_target_free(raw, device);
    check("omp_target_alloc", a[5], 60);
    int s = 4;
#pragma omp target data map(tofrom: s) use_device_addr(s)
#pragma omp target has_device_addr(s)
    s += 1;
    check("scalar", s, 5);
    return report();
}

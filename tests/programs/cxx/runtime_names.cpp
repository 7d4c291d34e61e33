// reference: -fopenmp -foffload=disable -DREFERENCE
// Functions of the runtime that gcc 12's omp.h lacks, and those that take strings, which LLVM's runtime has by other names.
#include "check.hpp"
#include <cstring>
#include <omp.h>

template <class T>
bool is_known(const T *p, int device)
{
#ifndef REFERENCE
    return omp_get_mapped_ptr(p, device) != nullptr;
#else
    return p != nullptr && device >= 0;
#endif
}

int main()
{
    const int device = omp_get_default_device();
    int a[10] = {0, 1, 2, 3};
    char text[100];
    omp_set_affinity_format("thread %n");
    check("format", omp_get_affinity_format(text, sizeof text), std::strlen("thread %n"));
    check("the format", std::strcmp(text, "thread %n"), 0);
    check("capture", omp_capture_affinity(text, sizeof text, "omp_display_affinity(%n)") > 0, true);
    check("captured", std::strcmp(text, "omp_display_affinity(0)"), 0);
#ifndef REFERENCE
    check("task", omp_in_explicit_task(), 0);
    int *d = static_cast<int *>(omp_target_alloc(sizeof a, device));
    check("memset", omp_target_memset(d, 0, sizeof a, device) == d, true);
    int first = 7;
#pragma omp target is_device_ptr(d) map(from: first)
    first = d[3];
    check("set", first, 0);
    omp_target_free(d, device);
    (void)omp_target_is_accessible(a, sizeof a, device);
    check("not mapped", omp_get_mapped_ptr(a, device) == nullptr || omp_get_num_devices() == 0, true);
#endif
#pragma omp target data map(to: a)
    check("mapped", is_known(a, device), true);
    return report();
}

// Findings are at their lines, whatever of the C library the unit's functions use.
#include <cstdio>
#define K 8
int main()
{
    double *r = new double[64];
#pragma omp target teams distribute parallel for map(from: r[0:64])
    for (int i = 0; i < 32; ++i) r[i] = i;
    for (int j = 0; j < K; j++)
        for (int i = 0; i < K; i++) {
            std::printf("%f\t", (float)r[K * j + i]); // rex-expect: unset
            double x =
                r[K * j + i]; // rex-expect: unset
            std::printf("%f\n",
                        x + r[K * j + i]); // rex-expect: unset
        }
    delete[] r;
}

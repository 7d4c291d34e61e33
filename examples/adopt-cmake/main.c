#include "mesh.h"

#include <omp.h>
#include <stdio.h>

void add_table(int n, double *x);

int main(void)
{
    double x[64], sum = 0;
    int on_host = 1;

    weigh(64, x);
    add_table(64, x);
#pragma omp target map(from: on_host)
    on_host = omp_is_initial_device();
#pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < 64; i++)
        sum += x[i];
    printf("%g, target regions ran on the %s\n", sum, on_host ? "host" : "device");
    return 0;
}

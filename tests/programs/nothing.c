/* 'nothing' between a construct and its statement: the statement is still the construct's. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int on_host = -1, a[4] = {1, 2, 3, 4};
#pragma omp target map(from: on_host)
#pragma omp nothing
    on_host = omp_is_initial_device();
#pragma omp target map(tofrom: a)
#pragma omp nothing
    for (int i = 0; i < 4; i++)
        a[i] += a[3];
    if (on_host != (omp_get_num_devices() == 0 || omp_get_default_device() == omp_get_initial_device()))
        printf("a statement behind 'nothing' ran on the host\n");
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    return 0;
}

/* A program without target constructs: memory of the devices through the runtime's functions alone. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int device = omp_get_default_device(), host = omp_get_initial_device(), value = 42, back = 0;
    void *memory = omp_target_alloc(sizeof value, device);

    if (memory == NULL || omp_target_memcpy(memory, &value, sizeof value, 0, 0, device, host)
        || omp_target_memcpy(&back, memory, sizeof back, 0, 0, host, device))
        return 1;
    omp_target_free(memory, device);
    printf("back=%d devices=%d initial=%d\n", back, omp_get_num_devices(), host == omp_get_num_devices());
    return 0;
}

/* Data that only one thread of the host knows. Included behind the definitions of N and MUST. */

/* Memory that only one thread knows comes and goes on both sides. */
static void own_memory(int me)
{
    int *a = malloc(N * sizeof(*a)), sum = 0;
    for (int i = 0; i < N; ++i)
        a[i] = me;
#pragma omp target enter data map(to: a[0:N])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        a[i] += i;
#pragma omp target update from(a[0:N / 2])
    MUST(a[3] == me + 3);
    a[5] = 1000;
#pragma omp target update to(a[5:1])
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < N; ++i)
        sum += a[i];
#pragma omp target exit data map(delete: a[0:N])
    MUST(sum == N * me + N * (N - 1) / 2 + 995 - me);
    free(a);
}

/* Memory of the device only. */
static void device_memory(int me)
{
    const int device = omp_get_default_device();
    int *memory = omp_target_alloc(N * sizeof(int), device), back[N];
#pragma omp target teams distribute parallel for is_device_ptr(memory)
    for (int i = 0; i < N; ++i)
        memory[i] = me * i;
    omp_target_memcpy(back, memory, sizeof(back), 0, 0, omp_get_initial_device(), device);
    omp_target_free(memory, device);
    MUST(back[N - 1] == me * (N - 1));
}

/* Kernel times of any CUDA program, however it launches them: CUDA_INJECTION64_PATH names this library.
 *
 * At exit appends to the file KERNELTIME_OUT a line of JSON per kernel: its name, launches, registers per thread, first
 * block and grid size, and its times in nanoseconds: the first launch, all launches, and what its launches in one step
 * take, as the median over the KERNELTIME_STEPS steps that the program says to take. Times come from CUPTI's activity
 * records, that is from the GPU.
 */
#include <cupti.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 22, KERNELS = 64, LAUNCHES = 1 << 20 };

struct kernel {
    char name[256];
    unsigned int count, registers, block, grid;
    uint64_t *times;
};
static struct kernel kernels[KERNELS];
static int known;

static void buffer_wanted(uint8_t **buffer, size_t *size, size_t *records)
{
    *buffer = aligned_alloc(8, BUFFER);
    *size = BUFFER;
    *records = 0;
}

static void record(const CUpti_ActivityKernel9 *k)
{
    int i = 0;
    while (i < known && strncmp(kernels[i].name, k->name, sizeof kernels[i].name - 1))
        ++i;
    if (i == KERNELS)
        return;
    struct kernel *found = &kernels[i];
    if (i == known) {
        ++known;
        snprintf(found->name, sizeof found->name, "%s", k->name);
        found->registers = k->registersPerThread;
        found->block = (unsigned int)(k->blockX * k->blockY * k->blockZ);
        found->grid = (unsigned int)(k->gridX * k->gridY * k->gridZ);
        found->times = malloc(LAUNCHES * sizeof *found->times);
    }
    if (found->count < LAUNCHES)
        found->times[found->count++] = k->end - k->start;
}

static void buffer_full(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    CUpti_Activity *activity = NULL;
    (void)context, (void)stream, (void)size;
    while (cuptiActivityGetNextRecord(buffer, valid, &activity) == CUPTI_SUCCESS)
        if (activity->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
            record((const CUpti_ActivityKernel9 *)activity);
    free(buffer);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void report(void)
{
    const char *path = getenv("KERNELTIME_OUT"), *wanted = getenv("KERNELTIME_STEPS");
    const unsigned int steps = wanted && atoi(wanted) > 0 ? (unsigned int)atoi(wanted) : 1;
    cuptiActivityFlushAll(1);
    FILE *out = path ? fopen(path, "a") : stderr;
    for (int i = 0; out && i < known; ++i) {
        struct kernel *k = &kernels[i];
        const uint64_t first = k->times[0];
        const unsigned int each = k->count / steps;
        uint64_t *sums = calloc(steps, sizeof *sums), step = 0, total = 0;
        for (unsigned int n = 0; n < k->count; ++n)
            total += k->times[n];
        if (k->count % steps == 0) {
            for (unsigned int n = 0; n < k->count; ++n)
                sums[n / each] += k->times[n];
            qsort(sums, steps, sizeof *sums, by_value);
            step = sums[steps / 2];
        } else { /* not the same number in every step */
            step = total / steps;
        }
        free(sums);
        fprintf(out,
                "{\"kernel\": \"%s\", \"launches\": %u, \"registers\": %u, \"block\": %u, \"grid\": %u, \"first_ns\": %llu, "
                "\"total_ns\": %llu, \"step_ns\": %llu}\n",
                k->name, k->count, k->registers, k->block, k->grid, (unsigned long long)first,
                (unsigned long long)total, (unsigned long long)step);
    }
    if (out && path)
        fclose(out);
}

/* Called by the driver when it comes up. */
int InitializeInjection(void)
{
    if (cuptiActivityRegisterCallbacks(buffer_wanted, buffer_full) != CUPTI_SUCCESS ||
        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS)
        fprintf(stderr, "kerneltime: CUPTI does not work here\n");
    atexit(report);
    return 1;
}

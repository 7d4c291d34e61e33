/* What every part needs: a clock, memory, and random numbers that are the same on every machine. */
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double seconds_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Zeroed memory for `count` elements of `size` bytes; ends the program when there is none. */
void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "sample_project: no memory for %zu elements of %zu bytes\n", count, size);
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* Marsaglia's 32-bit xorshift generator. The state must not be zero. */
uint32_t next_random(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

float random_between(uint32_t *state, float low, float high)
{
    return low + (high - low) * (float)(next_random(state) >> 8) / 16777216.0f;
}

/* The deviation relative to the reference, absolute where the reference is smaller than one. */
double relative_error(double value, double reference)
{
    double scale = fabs(reference) > 1.0 ? fabs(reference) : 1.0;
    return fabs(value - reference) / scale;
}

/* Reductions over vectors: a dot product, and the smallest and largest element with the mean in one pass. */
#include "sample.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct vectors {
    int length;
    double *x, *y;
};

struct extrema {
    double smallest, largest, mean;
};

static double dot(const struct vectors *v)
{
    double sum = 0.0;
#pragma omp target teams distribute parallel for map(to: v[0:1], v->x[0:v->length], v->y[0:v->length]) \
    reduction(+: sum)
    for (int i = 0; i < v->length; ++i)
        sum += v->x[i] * v->y[i];
    return sum;
}

static struct extrema extrema_of(const double *x, int length)
{
    double smallest = DBL_MAX, largest = -DBL_MAX, sum = 0.0;
#pragma omp target teams distribute parallel for map(to: x[0:length]) \
    reduction(min: smallest) reduction(max: largest) reduction(+: sum)
    for (int i = 0; i < length; ++i) {
        smallest = fmin(smallest, x[i]);
        largest = fmax(largest, x[i]);
        sum += x[i];
    }
    return (struct extrema){.smallest = smallest, .largest = largest, .mean = sum / length};
}

static struct vectors make_vectors(int length)
{
    struct vectors v = {length, allocate((size_t)length, sizeof(double)), allocate((size_t)length, sizeof(double))};
    uint32_t state = 271828u;

    for (int i = 0; i < length; ++i) {
        v.x[i] = random_between(&state, -1.0f, 3.0f);
        v.y[i] = random_between(&state, 0.0f, 2.0f);
    }
    return v;
}

static void free_vectors(struct vectors *v)
{
    free(v->x);
    free(v->y);
}

struct result dot_part(int scale)
{
    const int length = 2000000 * scale;
    struct result result = {.part = "dot product"};
    struct vectors v = make_vectors(length);
    snprintf(result.problem, sizeof result.problem, "%d elements", length);

    double start = seconds_now();
    const double value = dot(&v);
    result.seconds = seconds_now() - start;

    double reference = 0.0;
    start = seconds_now();
    for (int i = 0; i < length; ++i)
        reference += v.x[i] * v.y[i];
    result.reference_seconds = seconds_now() - start;

    result.error = relative_error(value, reference);
    result.correct = result.error < 1e-10;
    free_vectors(&v);
    return result;
}

struct result extrema_part(int scale)
{
    const int length = 2000000 * scale;
    struct result result = {.part = "extrema and mean"};
    struct vectors v = make_vectors(length);
    snprintf(result.problem, sizeof result.problem, "%d elements", length);

    double start = seconds_now();
    const struct extrema found = extrema_of(v.x, length);
    result.seconds = seconds_now() - start;

    struct extrema reference = {.smallest = DBL_MAX, .largest = -DBL_MAX};
    start = seconds_now();
    for (int i = 0; i < length; ++i) {
        reference.smallest = fmin(reference.smallest, v.x[i]);
        reference.largest = fmax(reference.largest, v.x[i]);
        reference.mean += v.x[i] / length;
    }
    result.reference_seconds = seconds_now() - start;

    result.error = fmax(relative_error(found.mean, reference.mean),
                        fabs(found.smallest - reference.smallest) + fabs(found.largest - reference.largest));
    result.correct = found.smallest == reference.smallest && found.largest == reference.largest
                     && result.error < 1e-10;
    free_vectors(&v);
    return result;
}

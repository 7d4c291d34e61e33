/*
 * Nearest neighbours over records: the distance of every observation from one place is computed on the device, and
 * the host picks the closest ones, as the `nn` benchmark of the Rodinia suite does.
 */
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEIGHBOURS = 8 };

struct place {
    float latitude, longitude;
};

#pragma omp declare target
static float distance_between(const struct observation *observation, struct place place)
{
    const float north = observation->latitude - place.latitude;
    const float east = observation->longitude - place.longitude;
    return sqrtf(north * north + east * east);
}
#pragma omp end declare target

static void distances(const struct observation *observations, int count, struct place place, float *distance)
{
#pragma omp target teams distribute parallel for map(to: observations[0:count]) map(from: distance[0:count])
    for (int i = 0; i < count; ++i)
        distance[i] = distance_between(&observations[i], place);
}

/* The NEIGHBOURS smallest distances in ascending order; equal distances in the order of the records. */
static void pick_nearest(const float *distance, int count, struct neighbour nearest[NEIGHBOURS])
{
    for (int n = 0; n < NEIGHBOURS; ++n)
        nearest[n] = (struct neighbour){.index = -1, .distance = INFINITY};
    for (int i = 0; i < count; ++i) {
        int slot = NEIGHBOURS;
        while (slot > 0 && distance[i] < nearest[slot - 1].distance)
            --slot;
        if (slot == NEIGHBOURS)
            continue;
        for (int n = NEIGHBOURS - 1; n > slot; --n)
            nearest[n] = nearest[n - 1];
        nearest[slot] = (struct neighbour){.index = i, .distance = distance[i]};
    }
}

static struct observation *make_observations(int count)
{
    static const char *const names[] = {"AMELIA", "BORIS", "CRISTINA", "DOUGLAS", "ELIDA", "FAUSTO", "GENEVIEVE"};
    const uint32_t name_count = sizeof names / sizeof names[0];
    struct observation *observations = allocate((size_t)count, sizeof *observations);
    uint32_t state = 1789u;

    for (int i = 0; i < count; ++i) {
        struct observation *o = &observations[i];
        o->year = (int32_t)(1950u + next_random(&state) % 75u);
        o->month = (int16_t)(1u + next_random(&state) % 12u);
        o->day = (int16_t)(1u + next_random(&state) % 28u);
        o->latitude = random_between(&state, -60.0f, 60.0f);
        o->longitude = random_between(&state, -180.0f, 180.0f);
        snprintf(o->name, sizeof o->name, "%s", names[next_random(&state) % name_count]);
    }
    return observations;
}

struct result neighbours_part(int scale)
{
    const int count = 600000 * scale;
    const struct place place = {.latitude = 29.95f, .longitude = -90.07f};
    struct result result = {.part = "nearest neighbours"};
    struct neighbour nearest[NEIGHBOURS], reference[NEIGHBOURS];
    struct observation *observations = make_observations(count);
    float *distance = allocate((size_t)count, sizeof *distance);
    snprintf(result.problem, sizeof result.problem, "%d of %d records", NEIGHBOURS, count);

    double start = seconds_now();
    distances(observations, count, place, distance);
    pick_nearest(distance, count, nearest);
    result.seconds = seconds_now() - start;

    start = seconds_now();
    for (int i = 0; i < count; ++i)
        distance[i] = distance_between(&observations[i], place);
    pick_nearest(distance, count, reference);
    result.reference_seconds = seconds_now() - start;

    /* A device that fuses multiplication and addition may swap two records that are equally far: compare distances,
       and each record found with its own distance. */
    for (int n = 0; n < NEIGHBOURS; ++n) {
        const int index = nearest[n].index;
        const double own = index >= 0 && index < count ? distance[index] : INFINITY;
        result.error = fmax(result.error, relative_error(nearest[n].distance, reference[n].distance));
        result.error = fmax(result.error, relative_error(nearest[n].distance, own));
    }
    result.correct = result.error < 1e-5;

    free(distance);
    free(observations);
    return result;
}

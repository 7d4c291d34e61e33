/* Nearest neighbours: one canonical loop over records, called in a loop over queries. */
#include "../check.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    float latitude, longitude;
} place;

static void distances(const place *places, float *distance, int n, float latitude, float longitude)
{
#pragma omp target teams distribute parallel for map(to: places[0:n]) map(from: distance[0:n])
    for (int i = 0; i < n; ++i) {
        const float north = latitude - places[i].latitude;
        const float east = longitude - places[i].longitude;
        distance[i] = sqrtf(north * north + east * east);
    }
}

static int nearest(const float *distance, int n)
{
    int best = 0;
    for (int i = 1; i < n; ++i)
        if (distance[i] < distance[best])
            best = i;
    return best;
}

int main(void)
{
    const int n = 1200;
    place *places = (place *)malloc((size_t)n * sizeof *places);
    float *distance = (float *)malloc((size_t)n * sizeof *distance);

    for (int i = 0; i < n; ++i)
        places[i] = (place){(float)(i % 40), (float)(i / 40)};
    for (int query = 0; query < 4; ++query) {
        const float at = 3.0f + 7.0f * (float)query;
        distances(places, distance, n, at, at);
        const int best = nearest(distance, n);
        printf("%d: %d %.2f\n", query, best, (double)distance[best]);
        CHECK(distance[best] == 0.0f && places[best].latitude == at);
        CHECK(distance[0] > 0 && fabsf(distance[0] - at * sqrtf(2.0f)) < 1e-4f);
    }
    free(places);
    free(distance);
    return CHECK_RESULT();
}

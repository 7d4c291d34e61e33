/* Structures passed to and returned from device functions, copied, assigned, compared by member, in conditional expressions. */
#include "check.h"

#define N 60

struct vector {
    float x, y, z;
};

struct ray {
    struct vector origin, direction;
    int bounces;
};

struct hit {
    int index;
    float distance;
    struct vector at;
};

static struct vector add(struct vector a, struct vector b)
{
    struct vector sum = {a.x + b.x, a.y + b.y, a.z + b.z};
    return sum;
}

static struct vector scale(struct vector v, float factor)
{
    v.x *= factor;
    v.y *= factor;
    v.z *= factor;
    return v;
}

static struct hit trace(struct ray ray, const struct vector *centres, int n)
{
    struct hit nearest = {.index = -1, .distance = 1e30f};
    for (int i = 0; i < n; ++i) {
        const struct vector offset = add(centres[i], scale(ray.origin, -1));
        const float distance = offset.x * ray.direction.x + offset.y * ray.direction.y + offset.z * ray.direction.z;
        if (distance > 0 && distance < nearest.distance)
            nearest = (struct hit){i, distance, add(ray.origin, scale(ray.direction, distance))};
    }
    return nearest;
}

int main(void)
{
    struct vector centres[16];
    struct ray rays[N], first;
    struct hit hits[N];

    for (int i = 0; i < 16; ++i)
        centres[i] = (struct vector){(float)(i % 4), (float)(i / 4), (float)(i % 7)};
    for (int i = 0; i < N; ++i) {
        struct ray r = {{(float)(i % 5), 0, -1}, {0, i % 2 ? 1.0f : 0.0f, i % 2 ? 0.0f : 1.0f}, i};
        rays[i] = r;
    }
    first = rays[0];

#pragma omp target teams distribute parallel for map(to: centres, rays) map(from: hits)
    for (int i = 0; i < N; ++i) {
        struct ray r = rays[i].bounces > 30 ? first : rays[i];
        hits[i] = trace(r, centres, 16);
        hits[i].at.z = trace(r, centres, 16).at.z;
    }
    for (int i = 0; i < N; ++i) {
        struct hit h = trace(i > 30 ? first : rays[i], centres, 16);
        CHECK(hits[i].index == h.index && hits[i].distance == h.distance);
        CHECK(hits[i].at.x == h.at.x && hits[i].at.y == h.at.y && hits[i].at.z == h.at.z);
    }
    printf("%d %.1f %d %.1f\n", hits[3].index, (double)hits[3].distance, hits[8].index, (double)hits[8].at.z);
    return CHECK_RESULT();
}

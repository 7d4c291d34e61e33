/* Structures as a whole: mapped implicitly and explicitly, nested, in arrays, with array members, through pointers. */
#include "check.h"

#include <stdlib.h>

struct vector {
    double x, y, z;
};

struct particle {
    struct vector position, velocity;
    float mass;
    char tag;
    int history[4];
};

typedef struct {
    short code;
    struct {
        int a, b;
    } inner;
    union {
        int whole;
        unsigned char part[4];
    } bits;
} record;

int main(void)
{
    struct particle one = {{1, 2, 3}, {0.5, 0.25, 0.125}, 2.0f, 'p', {1, 2, 3, 4}};
    enum { N = 70 };
    struct particle many[N];

#pragma omp target
    {
        one.position.x += one.velocity.x;
        one.position.y += one.velocity.y;
        one.history[3] = one.history[0] + one.history[1];
        one.tag = 'q';
    }
    CHECK(one.position.x == 1.5 && one.position.y == 2.25 && one.position.z == 3);
    CHECK(one.history[2] == 3 && one.history[3] == 3 && one.tag == 'q');

    double energy = 0;
#pragma omp target map(to: one) map(from: energy)
    {
        struct vector v = one.velocity;
        energy = 0.5 * one.mass * (v.x * v.x + v.y * v.y + v.z * v.z);
    }
    CHECK(energy == 0.328125);

    for (int i = 0; i < N; ++i) {
        many[i] = one;
        many[i].position.z = i;
    }
#pragma omp target teams distribute parallel for map(tofrom: many)
    for (int i = 0; i < N; ++i) {
        struct particle *p = &many[i];
        struct particle copy = *p;
        copy.position.z *= 2;
        copy.history[i % 4] = -i;
        *p = copy;
    }
    for (int i = 0; i < N; ++i) {
        CHECK(many[i].position.z == 2 * i);
        CHECK(many[i].history[i % 4] == -i);
        CHECK(many[i].mass == 2.0f);
    }

    struct particle *heap = (struct particle *)malloc(N * sizeof *heap);
    for (int i = 0; i < N; ++i)
        heap[i] = many[i];
#pragma omp target teams distribute parallel for map(tofrom: heap[10:20])
    for (int i = 10; i < 30; ++i)
        heap[i].mass = (float)i;
    CHECK(heap[9].mass == 2.0f && heap[10].mass == 10.0f && heap[29].mass == 29.0f && heap[30].mass == 2.0f);

    record r = {.code = 3, .inner = {.a = 4, .b = 5}, .bits = {.whole = 0x01020304}};
    int low = 0;
#pragma omp target map(tofrom: r) map(from: low)
    {
        low = r.bits.part[0];
        r.inner.a = r.inner.b * r.code;
        r.bits.part[3] = 9;
    }
    CHECK(low == 4 && r.inner.a == 15 && r.bits.whole == 0x09020304);
    printf("%.3f %d\n", energy, r.inner.a);
    free(heap);
    return CHECK_RESULT();
}

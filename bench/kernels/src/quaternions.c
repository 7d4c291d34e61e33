/* rotation of points by quaternions, which are integrated over a time step: arrays of structures of four floats */
#include "bench.h"
#define N (1 << 22)
struct quaternion {
    float w, x, y, z;
};
struct point {
    float x, y, z, radius;
};
static const double bytes = 96.0 * N;
static struct quaternion *turn;
static struct point *at, *spin;

static struct point first_point(int i) 
{
    struct point p = {(float)(i % 1021), (float)(i % 509), 1, 2};
    return p;
}
static struct point first_spin(int i) 
{
    struct point s = {(float)(i % 257) / 512, (float)(i % 263) / 512, 0.25f, 0};
    return s;
}

static void setup(void)
{
    turn = NEW(struct quaternion, N), at = NEW(struct point, N), spin = NEW(struct point, N);
    for (int i = 0; i < N; ++i) {
        turn[i].w = 1, turn[i].x = turn[i].y = turn[i].z = 0;
        at[i] = first_point(i), spin[i] = first_spin(i);
    }
}
#ifdef __CUDACC__
#define FN __host__ __device__ static
#else
#define FN static
#endif
FN struct quaternion turned(struct quaternion q, struct point s, float dt)
{
    struct quaternion r = {q.w - dt / 2 * (s.x * q.x + s.y * q.y + s.z * q.z), q.x + dt / 2 * (s.x * q.w + s.y * q.z - s.z * q.y),
                           q.y + dt / 2 * (s.y * q.w + s.z * q.x - s.x * q.z), q.z + dt / 2 * (s.z * q.w + s.x * q.y - s.y * q.x)};
    const float scale = 1 / sqrtf(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
    r.w *= scale, r.x *= scale, r.y *= scale, r.z *= scale;
    return r;
}
FN struct point rotated(struct quaternion q, struct point p)
{
    const float a = 2 * (q.y * p.z - q.z * p.y), b = 2 * (q.z * p.x - q.x * p.z), c = 2 * (q.x * p.y - q.y * p.x);
    struct point r = {p.x + q.w * a + q.y * c - q.z * b, p.y + q.w * b + q.z * a - q.x * c, p.z + q.w * c + q.x * b - q.y * a, p.radius};
    return r;
}
#ifndef __CUDACC__
static void rotate(int n, float dt, struct quaternion *turn, struct point *at, const struct point *spin)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        turn[i] = turned(turn[i], spin[i], dt);
        at[i] = rotated(turn[i], at[i]);
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: turn[0:N], at[0:N], spin[0:N])
}
static void step(void) { rotate(N, 0.01f, turn, at, spin); }
static void end(void)
{
#pragma omp target exit data map(from: turn[0:N], at[0:N]) map(delete: spin[0:N])
}
#else
static float4 *dturn, *dat, *dspin;
__global__ void rotate(int n, float dt, float4 *__restrict__ turn, float4 *__restrict__ at, const float4 *__restrict__ spin)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float4 q = turn[i], s = spin[i], p = at[i];
    const quaternion next = turned({q.x, q.y, q.z, q.w}, {s.x, s.y, s.z, s.w}, dt);
    turn[i] = make_float4(next.w, next.x, next.y, next.z);
    const point to = rotated(next, {p.x, p.y, p.z, p.w});
    at[i] = make_float4(to.x, to.y, to.z, to.radius);
}
static void begin(void)
{
    dturn = device_copy((float4 *)turn, N), dat = device_copy((float4 *)at, N), dspin = device_copy((float4 *)spin, N);
}
static void step(void)
{
    rotate<<<blocks_for(N, 256), 256>>>(N, 0.01f, dturn, dat, dspin);
    device_wait();
}
static void end(void) { from_device((float4 *)turn, dturn, N), from_device((float4 *)at, dat, N); }
#endif
static int check(void)
{
    for (int i = 0; i < N; i += 97) {
        struct quaternion q = {1, 0, 0, 0};
        struct point p = first_point(i);
        for (int k = 0; k < steps; ++k)
            q = turned(q, first_spin(i), 0.01f), p = rotated(q, p);
        if (!is_close(turn[i].w, q.w, 1e-3) || !is_close(at[i].x, p.x, 1e-2) || !is_close(at[i].z, p.z, 1e-2))
            return 0;
    }
    return 1;
}
#include "driver.h"

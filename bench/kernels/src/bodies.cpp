/* gravitation between bodies: structures with operators for vectors, one thread a body */
#include "bench.h"
#define N 16384
static const double bytes = 0;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

struct Vector {
    float x, y, z;
    BOTH Vector operator+(Vector o) const { return {x + o.x, y + o.y, z + o.z}; }
    BOTH Vector operator-(Vector o) const { return {x - o.x, y - o.y, z - o.z}; }
    BOTH Vector operator*(float s) const { return {x * s, y * s, z * s}; }
    BOTH float dot(Vector o) const { return x * o.x + y * o.y + z * o.z; }
};
struct Body {
    Vector place;
    float mass;
    BOTH Vector pull(Vector at) const
    {
        const Vector way = place - at;
        const float d = way.dot(way) + 1e-3f, inverse = 1 / sqrtf(d);
        return way * (mass * inverse * inverse * inverse);
    }
};

static Body *bodies;
static Vector *force;
#ifdef __CUDACC__
static Body *d_bodies;
static Vector *d_force;
__global__ void attract(int n, const Body *__restrict__ bodies, Vector *__restrict__ force)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const Vector at = bodies[i].place;
        Vector sum = {0, 0, 0};
        for (int j = 0; j < n; ++j)
            sum = sum + bodies[j].pull(at);
        force[i] = sum;
    }
}
#else
static void attract(int n, const Body *bodies, Vector *force)
{
#pragma omp target teams distribute parallel for map(to: bodies[0:n]) map(from: force[0:n])
    for (int i = 0; i < n; ++i) {
        const Vector at = bodies[i].place;
        Vector sum = {0, 0, 0};
        for (int j = 0; j < n; ++j)
            sum = sum + bodies[j].pull(at);
        force[i] = sum;
    }
}
#endif

static void setup(void)
{
    bodies = NEW(Body, N), force = NEW(Vector, N);
    for (int i = 0; i < N; ++i)
        bodies[i] = {{(float)(i % 37), (float)(i % 41), (float)(i % 43)}, 1 + (float)(i % 3)};
}
static void begin(void)
{
#ifdef __CUDACC__
    d_bodies = device_copy(bodies, N), d_force = device_new<Vector>(N);
#else
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: bodies[0:N]) map(alloc: force[0:N])
#endif
}
static void step(void)
{
#ifdef __CUDACC__
    attract<<<blocks_for(N, 128), 128>>>(N, d_bodies, d_force);
    device_wait();
#else
    attract(N, bodies, force);
#endif
}
static void end(void)
{
#ifdef __CUDACC__
    from_device(force, d_force, N);
#else
#pragma omp target exit data map(from: force[0:N])
#endif
}
static int check(void)
{
    for (int i = 0; i < N; i += 511) {
        double x = 0;
        for (int j = 0; j < N; ++j)
            x += bodies[j].pull(bodies[i].place).x;
        if (fabs(force[i].x - x) > 0.05 + 1e-3 * fabs(x))
            return 0;
    }
    return 1;
}
#include "driver.h"

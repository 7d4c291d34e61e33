/* finite elements: stiffness and load of linear triangles, computed in local matrices and added to the nodes by atomic updates (a product without the matrix) */
#include "bench.h"
#define N 1024 /* squares along a side */
#define NODES ((N + 1) * (N + 1))
#define ELEMENTS (2 * N * N)
static const double bytes = 0;
typedef struct {
    double x, y;
} Point;
typedef struct {
    int node[3];
} Triangle;
static Point *place;
static Triangle *mesh;
static double *value, *sum;

static void setup(void)
{
    place = NEW(Point, NODES), mesh = NEW(Triangle, ELEMENTS), value = NEW(double, NODES), sum = NEW(double, NODES);
    for (int i = 0; i < NODES; ++i) {
        const double bend = 0.2 * (double)(i % 13) / 13;
        place[i].x = (i % (N + 1) + bend) / N, place[i].y = (i / (N + 1) - bend) / N;
        value[i] = (double)(i % 101) / 101, sum[i] = 0;
    }
    for (int e = 0; e < N * N; ++e) {
        const int corner = e / N * (N + 1) + e % N;
        mesh[2 * e] = (Triangle){{corner, corner + 1, corner + N + 1}};
        mesh[2 * e + 1] = (Triangle){{corner + 1, corner + N + 2, corner + N + 1}};
    }
}
#define LOCAL(e)                                                                                                       \
    double b[3], c[3], stiffness[3][3];                                                                                \
    for (int k = 0; k < 3; ++k) {                                                                                      \
        const Point p = place[mesh[e].node[(k + 1) % 3]], q = place[mesh[e].node[(k + 2) % 3]];                        \
        b[k] = p.y - q.y, c[k] = q.x - p.x;                                                                            \
    }                                                                                                                  \
    const double area = 0.5 * fabs(b[0] * c[1] - b[1] * c[0]);                                                         \
    for (int k = 0; k < 3; ++k)                                                                                        \
        for (int l = 0; l < 3; ++l)                                                                                    \
            stiffness[k][l] = (b[k] * b[l] + c[k] * c[l]) / (4 * area) + area / (k == l ? 6 : 12);
#ifndef __CUDACC__
static void apply(int elements, int nodes, const Point *place, const Triangle *mesh, const double *value, double *sum)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < nodes; ++i)
        sum[i] = 0;
#pragma omp target teams distribute parallel for
    for (int e = 0; e < elements; ++e) {
        LOCAL(e)
        for (int k = 0; k < 3; ++k) {
            double part = 0;
            for (int l = 0; l < 3; ++l)
                part += stiffness[k][l] * value[mesh[e].node[l]];
#pragma omp atomic
            sum[mesh[e].node[k]] += part;
        }
    }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: place[0:NODES], mesh[0:ELEMENTS], value[0:NODES], sum[0:NODES])
}
static void step(void) { apply(ELEMENTS, NODES, place, mesh, value, sum); }
static void end(void)
{
#pragma omp target exit data map(from: sum[0:NODES])
}
#else
static Point *d_place;
static Triangle *d_mesh;
static double *d_value, *d_sum;
__global__ void clear(int nodes, double *sum)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nodes)
        sum[i] = 0;
}
__global__ void apply(int elements, const Point *__restrict__ place, const Triangle *__restrict__ mesh, const double *__restrict__ value, double *__restrict__ sum)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements)
        return;
    LOCAL(e)
    for (int k = 0; k < 3; ++k) {
        double part = 0;
        for (int l = 0; l < 3; ++l)
            part += stiffness[k][l] * value[mesh[e].node[l]];
        atomicAdd(&sum[mesh[e].node[k]], part);
    }
}
static void begin(void)
{
    d_place = device_copy(place, NODES), d_mesh = device_copy(mesh, ELEMENTS), d_value = device_copy(value, NODES);
    d_sum = device_copy(sum, NODES);
}
static void step(void)
{
    clear<<<blocks_for(NODES, 256), 256>>>(NODES, d_sum);
    apply<<<blocks_for(ELEMENTS, 256), 256>>>(ELEMENTS, d_place, d_mesh, d_value, d_sum);
    device_wait();
}
static void end(void) { from_device(sum, d_sum, NODES); }
#endif
static int check(void)
{
    double *wanted = NEW(double, NODES);
    for (int i = 0; i < NODES; ++i)
        wanted[i] = 0;
    for (int e = 0; e < ELEMENTS; ++e) {
        LOCAL(e)
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l)
                wanted[mesh[e].node[k]] += stiffness[k][l] * value[mesh[e].node[l]];
    }
    for (int i = 0; i < NODES; ++i)
        if (!is_close(sum[i], wanted[i], 1e-9))
            return 0;
    return 1;
}
#include "driver.h"

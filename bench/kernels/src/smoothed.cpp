/* smoothed particles: densities, then forces over the particles of 27 cells, with a kernel function that is a class */
#include "bench.h"
#define SIDE 40
#define EACH 4
#define CELLS (SIDE * SIDE * SIDE)
#define COUNT (CELLS * EACH)
static const double bytes = 0;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

struct Vector {
    float x, y, z;
    BOTH Vector operator-(const Vector &o) const { return {x - o.x, y - o.y, z - o.z}; }
    BOTH Vector &operator+=(const Vector &o)
    {
        x += o.x, y += o.y, z += o.z;
        return *this;
    }
    BOTH Vector operator*(float s) const { return {x * s, y * s, z * s}; }
    BOTH float square() const { return x * x + y * y + z * z; }
};
class Poly {
  public:
    BOTH explicit Poly(float radius) : square_(radius * radius), radius_(radius), value_(1.5667f / (radius * radius * radius * radius * radius * radius * radius * radius * radius)), slope_(-14.3239f / (radius * radius * radius * radius * radius * radius)) {}
    BOTH float square() const { return square_; }
    BOTH float value(float square) const { return value_ * (square_ - square) * (square_ - square) * (square_ - square); }
    BOTH float slope(float distance) const { return slope_ * (radius_ - distance) * (radius_ - distance); }

  private:
    float square_, radius_, value_, slope_;
};
static Vector *places, *forces;
static float *densities;
static int *begins; /* of each cell; its particles lie side by side */
static const Poly poly(1);

/* What a particle gets from those around. */
template <class Kernel> BOTH inline float density_at(int i, int side, const Kernel &kernel, const Vector *places, const int *begins)
{
    const Vector here = places[i];
    const int x = (int)here.x, y = (int)here.y, z = (int)here.z;
    float density = 0;
    for (int cz = z > 0 ? z - 1 : 0; cz <= (z < side - 1 ? z + 1 : z); ++cz)
        for (int cy = y > 0 ? y - 1 : 0; cy <= (y < side - 1 ? y + 1 : y); ++cy) {
            const int row = (cz * side + cy) * side;
            for (int j = begins[row + (x > 0 ? x - 1 : 0)]; j < begins[row + (x < side - 1 ? x + 2 : x + 1)]; ++j) {
                const float square = (here - places[j]).square();
                if (square < kernel.square())
                    density += kernel.value(square);
            }
        }
    return density;
}
template <class Kernel> BOTH inline Vector force_at(int i, int side, const Kernel &kernel, const Vector *places, const float *densities, const int *begins)
{
    const Vector here = places[i];
    const float pressure = densities[i] - 4;
    const int x = (int)here.x, y = (int)here.y, z = (int)here.z;
    Vector force{0, 0, -9.81f * densities[i]};
    for (int cz = z > 0 ? z - 1 : 0; cz <= (z < side - 1 ? z + 1 : z); ++cz)
        for (int cy = y > 0 ? y - 1 : 0; cy <= (y < side - 1 ? y + 1 : y); ++cy) {
            const int row = (cz * side + cy) * side;
            for (int j = begins[row + (x > 0 ? x - 1 : 0)]; j < begins[row + (x < side - 1 ? x + 2 : x + 1)]; ++j) {
                const Vector apart = here - places[j];
                const float square = apart.square();
                if (square < kernel.square() && square > 0) {
                    const float distance = sqrtf(square);
                    force += apart * (-(pressure + densities[j] - 4) / (2 * densities[j]) * kernel.slope(distance) / distance);
                }
            }
        }
    return force;
}
static void setup(void)
{
    places = NEW(Vector, COUNT), forces = NEW(Vector, COUNT), densities = NEW(float, COUNT), begins = NEW(int, CELLS + 1);
    int next = 0;
    for (int c = 0; c < CELLS; ++c) {
        begins[c] = next;
        for (int k = (c * 7) % 3 - 1; k < EACH && next < COUNT; ++k)
            places[next++] = {(float)(c % SIDE) + (float)(next_random() / 1024 % 1000) / 1001, (float)(c / SIDE % SIDE) + (float)(next_random() / 1024 % 1000) / 1001, (float)(c / (SIDE * SIDE)) + (float)(next_random() / 1024 % 1000) / 1001};
    }
    begins[CELLS] = next;
    for (; next < COUNT; ++next) /* in no cell */
        places[next] = {0.5f, 0.5f, 0.5f};
}
#ifndef __CUDACC__
template <class Kernel> struct Fluid {
    int count, side;
    Kernel kernel;
    void densities(const Vector *places, const int *begins, float *densities) const
    {
        const int n = count, cells = side;
        const Kernel k = kernel;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            densities[i] = density_at(i, cells, k, places, begins);
    }
    void forces(const Vector *places, const float *densities, const int *begins, Vector *forces) const
    {
        const int n = count, cells = side;
        const Kernel k = kernel;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            forces[i] = force_at(i, cells, k, places, densities, begins);
    }
};
static void begin(void)
{
#pragma omp target enter data map(to: places[0:COUNT], begins[0:CELLS + 1]) map(alloc: densities[0:COUNT], forces[0:COUNT])
}
static void step(void)
{
    const Fluid<Poly> fluid{COUNT, SIDE, poly};
    fluid.densities(places, begins, densities);
    fluid.forces(places, densities, begins, forces);
}
static void end(void)
{
#pragma omp target exit data map(from: densities[0:COUNT], forces[0:COUNT]) map(delete: places[0:COUNT], begins[0:CELLS + 1])
}
#else
static Vector *d_places, *d_forces;
static float *d_densities;
static int *d_begins;
__global__ void get_densities(int n, int side, Poly kernel, const Vector *__restrict__ places, const int *__restrict__ begins, float *__restrict__ densities)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        densities[i] = density_at(i, side, kernel, places, begins);
}
__global__ void get_forces(int n, int side, Poly kernel, const Vector *__restrict__ places, const float *__restrict__ densities, const int *__restrict__ begins, Vector *__restrict__ forces)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        forces[i] = force_at(i, side, kernel, places, densities, begins);
}
static void begin(void)
{
    d_places = device_copy(places, COUNT), d_begins = device_copy(begins, CELLS + 1), d_densities = device_new<float>(COUNT), d_forces = device_new<Vector>(COUNT);
}
static void step(void)
{
    get_densities<<<blocks_for(COUNT, 128), 128>>>(COUNT, SIDE, poly, d_places, d_begins, d_densities);
    get_forces<<<blocks_for(COUNT, 128), 128>>>(COUNT, SIDE, poly, d_places, d_densities, d_begins, d_forces);
    device_wait();
}
static void end(void) { from_device(densities, d_densities, COUNT), from_device(forces, d_forces, COUNT); }
#endif
static int check(void)
{
    for (int i = 0; i < begins[CELLS]; i += 37) {
        if (!is_close(densities[i], density_at(i, SIDE, poly, places, begins), 1e-4))
            return 0;
        const Vector want = force_at(i, SIDE, poly, places, densities, begins), off = forces[i] - want;
        if (sqrtf(off.square()) > 1e-2f * (10 + sqrtf(want.square())))
            return 0;
    }
    return 1;
}
#include "driver.h"

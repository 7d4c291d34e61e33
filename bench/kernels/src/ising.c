/* a lattice of spins: Metropolis updates of one colour of a checkerboard, then of the other; random numbers from the place and the sweep */
#include "bench.h"
#define N 8192
static const double bytes = 0;
static signed char *spin, *start;
static unsigned int sweep;

static void setup(void)
{
    spin = NEW(signed char, N * N), start = NEW(signed char, N * N);
    for (int i = 0; i < N * N; ++i)
        start[i] = spin[i] = next_random() >> 7 & 1 ? 1 : -1;
}
#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif
BOTH static unsigned int hash(unsigned int x)
{
    x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
    return x ^ x >> 16;
}
#define SITE(n, i, j)                                                                                                  \
    const int up = i > 0 ? i - 1 : n - 1, down = i < n - 1 ? i + 1 : 0, left = j > 0 ? j - 1 : n - 1, right = j < n - 1 ? j + 1 : 0; \
    const int sum = spin[up * n + j] + spin[down * n + j] + spin[i * n + left] + spin[i * n + right];                  \
    const int gain = sum * spin[i * n + j];                                                                            \
    if (gain <= 0 || hash((unsigned int)(i * n + j) ^ seed) < (gain == 2 ? often : rarely))                            \
        spin[i * n + j] = (signed char)-spin[i * n + j];
#ifndef __CUDACC__
static void update(int n, signed char *spin, int colour, unsigned int seed, unsigned int often, unsigned int rarely)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = (i + colour) % 2; j < n; j += 2) {
            SITE(n, i, j)
        }
}
static void begin(void)
{
#pragma omp target enter data map(to: spin[0:N * N])
}
static void step(void)
{
    for (int colour = 0; colour < 2; ++colour)
        update(N, spin, colour, ++sweep * 2654435761u, 441505528u, 45386000u);
}
static void end(void)
{
#pragma omp target exit data map(from: spin[0:N * N])
}
#else
static signed char *d_spin;
__global__ void update(int n, signed char *spin, int colour, unsigned int seed, unsigned int often, unsigned int rarely)
{
    const int i = blockIdx.y, j = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + (i + colour) % 2;
    if (j < n) {
        SITE(n, i, j)
    }
}
static void begin(void) { d_spin = device_copy(spin, N * N); }
static void step(void)
{
    for (int colour = 0; colour < 2; ++colour)
        update<<<dim3(N / 512, N), 256>>>(N, d_spin, colour, ++sweep * 2654435761u, 441505528u, 45386000u);
    device_wait();
}
static void end(void) { from_device(spin, d_spin, N * N); }
#endif
static int check(void)
{
    signed char *got = spin;
    const int n = N;
    spin = start;
    for (unsigned int s = 1; s <= 2u * (unsigned int)steps; ++s) {
        const unsigned int seed = s * 2654435761u, often = 441505528u, rarely = 45386000u;
        for (int i = 0; i < n; ++i)
            for (int j = (int)((unsigned int)i + s + 1) % 2; j < n; j += 2) {
                SITE(n, i, j)
            }
    }
    return memcmp(got, spin, (size_t)N * N) == 0;
}
#include "driver.h"

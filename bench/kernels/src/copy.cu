// The bandwidth that memory-bound rows are held against: a copy with 16-byte accesses, each value read and written once.
#include "bench.h"
#define N (1 << 26)
static const double bytes = 16.0 * N;
static double *from, *to, *dfrom, *dto;

static void setup(void)
{
    from = NEW(double, N), to = NEW(double, N);
    for (int i = 0; i < N; ++i)
        from[i] = i;
}
__global__ void copy(int n, const double2 *__restrict__ from, double2 *__restrict__ to)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}
static void begin(void) { dfrom = device_copy(from, N), dto = device_new<double>(N); }
static void step(void)
{
    copy<<<blocks_for(N / 2, 512), 512>>>(N / 2, (const double2 *)dfrom, (double2 *)dto);
    device_wait();
}
static void end(void) { from_device(to, dto, N); }
static int check(void) { return memcmp(from, to, N * sizeof *to) == 0; }
#include "driver.h"

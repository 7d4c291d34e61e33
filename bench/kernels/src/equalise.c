/* histogram equalisation of a grey image: its histogram, the sums of that, and a new value for each pixel */
#include "bench.h"
#define WIDTH 8192
#define HEIGHT 4096
#define LEVELS 256
static const double bytes = 3.0 * WIDTH * HEIGHT;
static unsigned char *image, *result, *table;
static int *counts;

static void setup(void)
{
    image = NEW(unsigned char, WIDTH *HEIGHT), result = NEW(unsigned char, WIDTH *HEIGHT);
    table = NEW(unsigned char, LEVELS), counts = NEW(int, LEVELS);
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        image[i] = (unsigned char)(60 + (i % WIDTH) / 128 + next_random() / 65536 % 64);
}
#ifndef __CUDACC__
static void equalise(int width, int height, const unsigned char *image, unsigned char *result, int *counts,
                     unsigned char *table)
{
    int n = width * height;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < LEVELS; ++i)
        counts[i] = 0;
#pragma omp target teams distribute parallel for reduction(+: counts[0:LEVELS])
    for (int i = 0; i < n; ++i)
        counts[image[i]]++;
#pragma omp target
    {
        int sum = 0;
        for (int i = 0; i < LEVELS; ++i) {
            sum += counts[i];
            table[i] = (unsigned char)((long long)sum * (LEVELS - 1) / n);
        }
    }
#pragma omp target teams distribute parallel for collapse(2)
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            result[y * width + x] = table[image[y * width + x]];
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: image[0:WIDTH * HEIGHT]) map(alloc: result[0:WIDTH * HEIGHT], counts[0:LEVELS], table[0:LEVELS])
}
static void step(void) { equalise(WIDTH, HEIGHT, image, result, counts, table); }
static void end(void)
{
#pragma omp target exit data map(from: result[0:WIDTH * HEIGHT])
}
#else
static unsigned char *dimage, *dresult, *dtable;
static int *dcounts;
__global__ void count(int n, const unsigned char *__restrict__ image, int *counts)
{
    __shared__ int own[LEVELS];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        const uchar4 four = ((const uchar4 *)image)[i];
        atomicAdd(&own[four.x], 1), atomicAdd(&own[four.y], 1);
        atomicAdd(&own[four.z], 1), atomicAdd(&own[four.w], 1);
    }
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
__global__ void sum_up(int n, const int *counts, unsigned char *table)
{
    __shared__ int sums[LEVELS];
    const int i = threadIdx.x;
    int sum = counts[i];
    for (int distance = 1; distance < LEVELS; distance *= 2) {
        sums[i] = sum;
        __syncthreads();
        if (i >= distance)
            sum += sums[i - distance];
        __syncthreads();
    }
    table[i] = (unsigned char)((long long)sum * (LEVELS - 1) / n);
}
__global__ void map(int n, const unsigned char *__restrict__ image, const unsigned char *__restrict__ table,
                    unsigned char *__restrict__ result)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 4)
        return;
    const uchar4 four = ((const uchar4 *)image)[i];
    ((uchar4 *)result)[i] = make_uchar4(table[four.x], table[four.y], table[four.z], table[four.w]);
}
static void begin(void)
{
    dimage = device_copy(image, WIDTH * HEIGHT), dresult = device_new<unsigned char>(WIDTH * HEIGHT);
    dtable = device_new<unsigned char>(LEVELS), dcounts = device_new<int>(LEVELS);
}
static void step(void)
{
    const int n = WIDTH * HEIGHT;
    cuda_check(cudaMemsetAsync(dcounts, 0, LEVELS * sizeof(int)));
    count<<<resident_blocks(LEVELS), LEVELS>>>(n, dimage, dcounts);
    sum_up<<<1, LEVELS>>>(n, dcounts, dtable);
    map<<<blocks_for(n / 4, 256), 256>>>(n, dimage, dtable, dresult);
    device_wait();
}
static void end(void) { from_device(result, dresult, WIDTH * HEIGHT); }
#endif
static int check(void)
{
    int all[LEVELS] = {0}, sum = 0;
    unsigned char wanted[LEVELS];
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        ++all[image[i]];
    for (int i = 0; i < LEVELS; ++i)
        sum += all[i], wanted[i] = (unsigned char)((long long)sum * (LEVELS - 1) / (WIDTH * HEIGHT));
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        if (result[i] != wanted[image[i]])
            return 0;
    return 1;
}
#include "driver.h"

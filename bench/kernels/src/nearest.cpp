/* the nearest four of many points for each query: a small sorted class on the stack, its size a template argument */
#include "bench.h"
#define QUERIES 32768
#define POINTS 8192
#define K 4
static const double bytes = 0;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

struct Point {
    float x, y, z;
    BOTH float distance(const Point &o) const { return (x - o.x) * (x - o.x) + (y - o.y) * (y - o.y) + (z - o.z) * (z - o.z); }
};
template <int Size> class Best {
  public:
    BOTH Best()
    {
        for (int i = 0; i < Size; ++i)
            distances[i] = 1e30f, numbers[i] = -1;
    }
    BOTH void offer(float distance, int number)
    {
        if (distance >= distances[Size - 1])
            return;
        for (int i = Size - 1; i >= 0; --i) {
            if (i > 0 && distances[i - 1] > distance) {
                distances[i] = distances[i - 1], numbers[i] = numbers[i - 1];
            } else {
                distances[i] = distance, numbers[i] = number;
                break;
            }
        }
    }
    BOTH int operator[](int i) const { return numbers[i]; }

  private:
    float distances[Size];
    int numbers[Size];
};

static Point *queries, *points;
static int *found;
#ifdef __CUDACC__
static Point *d_queries, *d_points;
static int *d_found;
template <int Size> __global__ void nearest(int n, int m, const Point *__restrict__ queries, const Point *__restrict__ points, int *__restrict__ found)
{
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q < n) {
        const Point at = queries[q];
        Best<Size> best;
        for (int p = 0; p < m; ++p)
            best.offer(at.distance(points[p]), p);
        for (int i = 0; i < Size; ++i)
            found[q * Size + i] = best[i];
    }
}
#else
template <int Size> void nearest(int n, int m, const Point *queries, const Point *points, int *found)
{
#pragma omp target teams distribute parallel for map(to: queries[0:n], points[0:m]) map(from: found[0:n * Size])
    for (int q = 0; q < n; ++q) {
        const Point at = queries[q];
        Best<Size> best;
        for (int p = 0; p < m; ++p)
            best.offer(at.distance(points[p]), p);
        for (int i = 0; i < Size; ++i)
            found[q * Size + i] = best[i];
    }
}
#endif

static void setup(void)
{
    queries = NEW(Point, QUERIES), points = NEW(Point, POINTS), found = NEW(int, QUERIES * K);
    for (int i = 0; i < QUERIES; ++i)
        queries[i] = {(float)(next_random() >> 12), (float)(next_random() >> 12), (float)(next_random() >> 12)};
    for (int i = 0; i < POINTS; ++i)
        points[i] = {(float)(next_random() >> 12), (float)(next_random() >> 12), (float)(next_random() >> 12)};
}
static void begin(void)
{
#ifdef __CUDACC__
    d_queries = device_copy(queries, QUERIES), d_points = device_copy(points, POINTS), d_found = device_new<int>(QUERIES * K);
#else
#pragma omp target enter data map(to: queries[0:QUERIES], points[0:POINTS]) map(alloc: found[0:QUERIES * K])
#endif
}
static void step(void)
{
#ifdef __CUDACC__
    nearest<K><<<blocks_for(QUERIES, 128), 128>>>(QUERIES, POINTS, d_queries, d_points, d_found);
    device_wait();
#else
    nearest<K>(QUERIES, POINTS, queries, points, found);
#endif
}
static void end(void)
{
#ifdef __CUDACC__
    from_device(found, d_found, QUERIES * K);
#else
#pragma omp target exit data map(from: found[0:QUERIES * K])
#endif
}
static int check(void)
{
    int differ = 0;
    for (int q = 0; q < QUERIES; q += 61) {
        Best<K> best;
        for (int p = 0; p < POINTS; ++p)
            best.offer(queries[q].distance(points[p]), p);
        for (int i = 0; i < K; ++i)
            differ += found[q * K + i] != best[i];
    }
    return differ < 4; /* distances that are nearly equal */
}
#include "driver.h"

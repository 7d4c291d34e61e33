/* search in a tree: a team for each query, whose threads compare one key each, with barriers in a parallel region */
#include "bench.h"
#ifndef __CUDACC__
#include <omp.h>
#endif
#define ORDER 256
#define KNOTS 4096
#define LEVELS 4
#define QUERIES (1 << 16)
static const double bytes = (4.0 * (ORDER + 1) + 8) * LEVELS * QUERIES;

struct Knot {
    int keys[ORDER + 1], next[ORDER];
};
static Knot *tree;
static int *wanted, *found;

static void setup(void)
{
    tree = NEW(Knot, KNOTS), wanted = NEW(int, QUERIES), found = NEW(int, QUERIES);
    for (int k = 0; k < KNOTS; ++k) {
        for (int i = 0; i <= ORDER; ++i)
            tree[k].keys[i] = i * 64 + (i > 0 ? k % 32 : 0);
        for (int i = 0; i < ORDER; ++i)
            tree[k].next[i] = (int)(((long)k * 31 + i * 17 + 1) % KNOTS);
    }
    for (int q = 0; q < QUERIES; ++q)
        wanted[q] = (int)((q * 7919l) % (ORDER * 64));
}
#ifndef __CUDACC__
static void search(int queries, int knots, const Knot *tree, const int *wanted, int *found)
{
#pragma omp target teams num_teams(queries) thread_limit(ORDER) map(to: tree[0:knots], wanted[0:queries]) map(from: found[0:queries])
    {
        int current;
#pragma omp parallel num_threads(ORDER)
        {
            const int thread = omp_get_thread_num(), query = omp_get_team_num(), key = wanted[query];
            if (thread == 0)
                current = query % knots;
#pragma omp barrier
            for (int level = 0; level < LEVELS; ++level) {
                const int here = current;
#pragma omp barrier
                if (tree[here].keys[thread] <= key && key < tree[here].keys[thread + 1])
                    current = tree[here].next[thread];
#pragma omp barrier
            }
            if (thread == 0)
                found[query] = current;
        }
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: tree[0:KNOTS], wanted[0:QUERIES]) map(alloc: found[0:QUERIES])
}
static void step(void) { search(QUERIES, KNOTS, tree, wanted, found); }
static void end(void)
{
#pragma omp target exit data map(from: found[0:QUERIES]) map(delete: tree[0:KNOTS], wanted[0:QUERIES])
}
#else
static Knot *d_tree;
static int *d_wanted, *d_found;
__global__ void search(int knots, const Knot *__restrict__ tree, const int *__restrict__ wanted, int *__restrict__ found)
{
    __shared__ int current;
    const int thread = threadIdx.x, query = blockIdx.x, key = wanted[query];
    if (thread == 0)
        current = query % knots;
    __syncthreads();
    for (int level = 0; level < LEVELS; ++level) {
        const int here = current;
        __syncthreads();
        if (tree[here].keys[thread] <= key && key < tree[here].keys[thread + 1])
            current = tree[here].next[thread];
        __syncthreads();
    }
    if (thread == 0)
        found[query] = current;
}
static void begin(void)
{
    d_tree = device_copy(tree, KNOTS), d_wanted = device_copy(wanted, QUERIES), d_found = device_new<int>(QUERIES);
}
static void step(void)
{
    search<<<QUERIES, ORDER>>>(KNOTS, d_tree, d_wanted, d_found);
    device_wait();
}
static void end(void) { from_device(found, d_found, QUERIES); }
#endif
static int check(void)
{
    for (int q = 0; q < QUERIES; q += 97) {
        int here = q % KNOTS;
        for (int level = 0; level < LEVELS; ++level) {
            int i = 0;
            while (!(tree[here].keys[i] <= wanted[q] && wanted[q] < tree[here].keys[i + 1]))
                ++i;
            here = tree[here].next[i];
        }
        if (found[q] != here)
            return 0;
    }
    return 1;
}
#include "driver.h"

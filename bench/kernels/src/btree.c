/* b+tree: every iteration takes one key (findK) or one range (findRangeK) down to the leaves */
#include "bench.h"
#define ORDER 16
#define HEIGHT 5
#define LEAVES (1 << 20)
#define QUERIES (1 << 20)
static const double bytes = 0;
typedef struct {
    int indices[ORDER + 1];
    int keys[ORDER + 1];
    int is_leaf;
} Node;
static Node *nodes;
static int count, *keys, *ends, *found, *first, *length;

static void setup(void)
{
    /* Level by level: a node covers ORDER children, `width` leaves each. */
    int width = LEAVES, at = 0;
    nodes = NEW(Node, LEAVES / ORDER * 2), keys = NEW(int, QUERIES), ends = NEW(int, QUERIES);
    found = NEW(int, QUERIES), first = NEW(int, QUERIES), length = NEW(int, QUERIES);
    for (int level = 0; level < HEIGHT; ++level, width /= ORDER) {
        const int here = LEAVES / width;
        for (int i = 0; i < here; ++i)
            for (int k = 0; k <= ORDER; ++k) {
                nodes[at + i].keys[k] = i * width + k * (width / ORDER);
                nodes[at + i].is_leaf = level == HEIGHT - 1;
                nodes[at + i].indices[k] = level == HEIGHT - 1 ? nodes[at + i].keys[k] * 3 : at + here + i * ORDER + k;
            }
        at += here;
    }
    count = at;
    for (int i = 0; i < QUERIES; ++i) {
        keys[i] = next_random() % LEAVES;
        ends[i] = keys[i] + 10 < LEAVES ? keys[i] + 10 : LEAVES - 1;
    }
}
#ifndef __CUDACC__
static void find(int n, int count, const Node *nodes, const int *keys, int *found)
{
#pragma omp target teams distribute parallel for map(to: nodes[0:count], keys[0:n]) map(from: found[0:n])
    for (int q = 0; q < n; ++q) {
        int at = 0;
        for (int level = 0; level < HEIGHT - 1; ++level)
            for (int k = 0; k < ORDER; ++k)
                if (nodes[at].keys[k] <= keys[q] && nodes[at].keys[k + 1] > keys[q]) {
                    at = nodes[at].indices[k];
                    break;
                }
        found[q] = -1;
        for (int k = 0; k < ORDER; ++k)
            if (nodes[at].keys[k] == keys[q])
                found[q] = nodes[at].indices[k];
    }
}
static void range(int n, int count, const Node *nodes, const int *keys, const int *ends, int *first, int *length)
{
#pragma omp target teams distribute parallel for map(to: nodes[0:count], keys[0:n], ends[0:n]) map(from: first[0:n], length[0:n])
    for (int q = 0; q < n; ++q) {
        int low = 0, high = 0;
        for (int level = 0; level < HEIGHT - 1; ++level) {
            int next_low = low, next_high = high;
            for (int k = 0; k < ORDER; ++k) {
                if (nodes[low].keys[k] <= keys[q] && nodes[low].keys[k + 1] > keys[q])
                    next_low = nodes[low].indices[k];
                if (nodes[high].keys[k] <= ends[q] && nodes[high].keys[k + 1] > ends[q])
                    next_high = nodes[high].indices[k];
            }
            low = next_low;
            high = next_high;
        }
        first[q] = length[q] = 0;
        for (int k = 0; k < ORDER; ++k)
            if (nodes[low].keys[k] == keys[q])
                first[q] = nodes[low].indices[k];
        for (int k = 0; k < ORDER; ++k)
            if (nodes[high].keys[k] == ends[q])
                length[q] = nodes[high].indices[k] - first[q] + 1;
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: nodes[0:count], keys[0:QUERIES], ends[0:QUERIES]) map(alloc: found[0:QUERIES], first[0:QUERIES], length[0:QUERIES])
}
static void step(void)
{
    find(QUERIES, count, nodes, keys, found);
    range(QUERIES, count, nodes, keys, ends, first, length);
}
static void end(void)
{
#pragma omp target exit data map(from: found[0:QUERIES], first[0:QUERIES], length[0:QUERIES]) map(delete: nodes[0:count], keys[0:QUERIES], ends[0:QUERIES])
}
#else
static Node *dnodes;
static int *dkeys, *dends, *dfound, *dfirst, *dlength;
__global__ void find(int n, const Node *__restrict__ nodes, const int *__restrict__ keys, int *__restrict__ found)
{
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= n)
        return;
    const int key = keys[q];
    int at = 0, result = -1;
    for (int level = 0; level < HEIGHT - 1; ++level)
        for (int k = 0; k < ORDER; ++k)
            if (nodes[at].keys[k] <= key && nodes[at].keys[k + 1] > key) {
                at = nodes[at].indices[k];
                break;
            }
    for (int k = 0; k < ORDER; ++k)
        if (nodes[at].keys[k] == key)
            result = nodes[at].indices[k];
    found[q] = result;
}
__global__ void range(int n, const Node *__restrict__ nodes, const int *__restrict__ keys, const int *__restrict__ ends,
                      int *__restrict__ first, int *__restrict__ length)
{
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= n)
        return;
    const int from = keys[q], to = ends[q];
    int low = 0, high = 0, start = 0, size = 0;
    for (int level = 0; level < HEIGHT - 1; ++level) {
        int next_low = low, next_high = high;
        for (int k = 0; k < ORDER; ++k) {
            if (nodes[low].keys[k] <= from && nodes[low].keys[k + 1] > from)
                next_low = nodes[low].indices[k];
            if (nodes[high].keys[k] <= to && nodes[high].keys[k + 1] > to)
                next_high = nodes[high].indices[k];
        }
        low = next_low, high = next_high;
    }
    for (int k = 0; k < ORDER; ++k)
        if (nodes[low].keys[k] == from)
            start = nodes[low].indices[k];
    for (int k = 0; k < ORDER; ++k)
        if (nodes[high].keys[k] == to)
            size = nodes[high].indices[k] - start + 1;
    first[q] = start, length[q] = size;
}
static void begin(void)
{
    dnodes = device_copy(nodes, count), dkeys = device_copy(keys, QUERIES), dends = device_copy(ends, QUERIES);
    dfound = device_new<int>(QUERIES), dfirst = device_new<int>(QUERIES), dlength = device_new<int>(QUERIES);
}
static void step(void)
{
    find<<<blocks_for(QUERIES, 256), 256>>>(QUERIES, dnodes, dkeys, dfound);
    range<<<blocks_for(QUERIES, 256), 256>>>(QUERIES, dnodes, dkeys, dends, dfirst, dlength);
    device_wait();
}
static void end(void)
{
    from_device(found, dfound, QUERIES), from_device(first, dfirst, QUERIES), from_device(length, dlength, QUERIES);
}
#endif
static int check(void)
{
    for (int q = 0; q < QUERIES; ++q)
        if (found[q] != keys[q] * 3 || first[q] != keys[q] * 3 || length[q] != (ends[q] - keys[q]) * 3 + 1)
            return 0;
    return 1;
}
#include "driver.h"

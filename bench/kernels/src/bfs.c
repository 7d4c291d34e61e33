/* breadth-first search by levels over a random graph: two loops and a flag per level */
#include "bench.h"
#define N (1 << 21)
#define DEGREE 8
static const double bytes = 0;
typedef struct {
    int start, count;
} Node;
static Node *nodes;
static int *edges, *cost, *want;
static char *mask, *update, *visited;

static void reset(void)
{
    memset(mask, 0, N), memset(update, 0, N), memset(visited, 0, N);
    for (int i = 0; i < N; ++i)
        cost[i] = -1;
    mask[0] = visited[0] = 1, cost[0] = 0;
}
static void setup(void)
{
    int *queue = NEW(int, N), head = 0, tail = 1;
    nodes = NEW(Node, N), edges = NEW(int, N * DEGREE), cost = NEW(int, N), want = NEW(int, N);
    mask = NEW(char, N), update = NEW(char, N), visited = NEW(char, N);
    for (int i = 0; i < N; ++i)
        nodes[i].start = i * DEGREE, nodes[i].count = 2 + i % (DEGREE - 1), want[i] = -1;
    for (int i = 0; i < N * DEGREE; ++i)
        edges[i] = next_random() % N;
    want[0] = 0, queue[0] = 0;
    while (head < tail) {
        const int u = queue[head++];
        for (int e = nodes[u].start; e < nodes[u].start + nodes[u].count; ++e)
            if (want[edges[e]] < 0)
                want[edges[e]] = want[u] + 1, queue[tail++] = edges[e];
    }
    reset();
}
#ifndef __CUDACC__
static void bfs(int n, const Node *nodes, const int *edges, char *mask, char *update, char *visited, int *cost)
{
    int again;
#pragma omp target teams distribute parallel for map(tofrom: mask[0:n], visited[0:n], cost[0:n])
    for (int i = 0; i < n; ++i) {
        mask[i] = visited[i] = i == 0;
        cost[i] = i == 0 ? 0 : -1;
    }
    do {
        again = 0;
#pragma omp target teams distribute parallel for map(to: nodes[0:n], edges[0:n * DEGREE]) map(tofrom: mask[0:n], update[0:n], visited[0:n], cost[0:n])
        for (int i = 0; i < n; ++i)
            if (mask[i]) {
                mask[i] = 0;
                for (int e = nodes[i].start; e < nodes[i].start + nodes[i].count; ++e) {
                    const int v = edges[e];
                    if (!visited[v]) {
                        cost[v] = cost[i] + 1; // rex-ignore: race: all write the same
                        update[v] = 1; // rex-ignore: race: all write the same
                    }
                }
            }
#pragma omp target teams distribute parallel for map(tofrom: mask[0:n], update[0:n], visited[0:n], again)
        for (int i = 0; i < n; ++i)
            if (update[i]) {
                mask[i] = 1;
                visited[i] = 1;
                update[i] = 0;
                again = 1; // rex-ignore: race: all write the same
            }
    } while (again);
}
static void begin(void)
{
#pragma omp target enter data map(to: nodes[0:N], edges[0:N * DEGREE], mask[0:N], update[0:N], visited[0:N], cost[0:N])
}
static void step(void) { bfs(N, nodes, edges, mask, update, visited, cost); }
static void end(void)
{
#pragma omp target exit data map(from: cost[0:N]) map(delete: nodes[0:N], edges[0:N * DEGREE], mask[0:N], update[0:N], visited[0:N])
}
#else
static Node *dnodes;
static int *dedges, *dcost, *dagain;
static char *dmask, *dupdate, *dvisited;
__global__ void start(int n, char *__restrict__ mask, char *__restrict__ visited, int *__restrict__ cost)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        mask[i] = visited[i] = i == 0;
        cost[i] = i == 0 ? 0 : -1;
    }
}
__global__ void expand(int n, const Node *__restrict__ nodes, const int *__restrict__ edges, char *__restrict__ mask,
                       char *__restrict__ update, const char *__restrict__ visited, int *__restrict__ cost)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && mask[i]) {
        mask[i] = 0;
        const int first = nodes[i].start, last = first + nodes[i].count, next = cost[i] + 1;
        for (int e = first; e < last; ++e) {
            const int v = edges[e];
            if (!visited[v]) {
                cost[v] = next;
                update[v] = 1;
            }
        }
    }
}
__global__ void advance(int n, char *__restrict__ mask, char *__restrict__ update, char *__restrict__ visited, int *again)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && update[i]) {
        mask[i] = 1;
        visited[i] = 1;
        update[i] = 0;
        *again = 1;
    }
}
static void begin(void)
{
    dnodes = device_copy(nodes, N), dedges = device_copy(edges, N * DEGREE), dcost = device_copy(cost, N);
    dmask = device_copy(mask, N), dupdate = device_copy(update, N), dvisited = device_copy(visited, N), dagain = device_new<int>(1);
}
static void step(void)
{
    int again;
    start<<<blocks_for(N, 256), 256>>>(N, dmask, dvisited, dcost);
    do {
        again = 0;
        to_device(dagain, &again, 1);
        expand<<<blocks_for(N, 256), 256>>>(N, dnodes, dedges, dmask, dupdate, dvisited, dcost);
        advance<<<blocks_for(N, 256), 256>>>(N, dmask, dupdate, dvisited, dagain);
        from_device(&again, dagain, 1);
    } while (again);
}
static void end(void) { from_device(cost, dcost, N); }
#endif
static int check(void) { return memcmp(cost, want, N * sizeof *cost) == 0; }
#include "driver.h"

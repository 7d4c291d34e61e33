/* Breadth-first search with masks: two kernels in a loop that ends when the second one says so. */
#include "../check.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct {
    int start, degree;
} vertex;

int main(void)
{
    enum { N = 400, EDGES = 3 * N };
    vertex *graph = (vertex *)malloc(N * sizeof *graph);
    int *edges = (int *)malloc(EDGES * sizeof *edges), *cost = (int *)malloc(N * sizeof *cost);
    bool *mask = (bool *)calloc(N, sizeof *mask), *updating = (bool *)calloc(N, sizeof *updating);
    bool *visited = (bool *)calloc(N, sizeof *visited);
    bool stop;
    int rounds = 0;

    for (int v = 0; v < N; ++v) {
        graph[v] = (vertex){3 * v, 3};
        edges[3 * v] = (v + 1) % N;
        edges[3 * v + 1] = (2 * v) % N;
        edges[3 * v + 2] = (v * v + 7) % N;
        cost[v] = -1;
    }
    cost[0] = 0;
    mask[0] = visited[0] = true;

#pragma omp target data map(to: graph[0:N], edges[0:EDGES], mask[0:N], updating[0:N], visited[0:N]) map(tofrom: cost[0:N])
    {
        do {
            stop = true;
#pragma omp target teams distribute parallel for
            for (int v = 0; v < N; ++v) {
                if (mask[v]) {
                    mask[v] = false;
                    for (int e = graph[v].start; e < graph[v].start + graph[v].degree; ++e) {
                        const int w = edges[e];
                        if (!visited[w]) {
#pragma omp atomic write
                            cost[w] = rounds + 1;
#pragma omp atomic write
                            updating[w] = true;
                        }
                    }
                }
            }
#pragma omp target teams distribute parallel for map(tofrom: stop)
            for (int v = 0; v < N; ++v) {
                if (updating[v]) {
                    mask[v] = true;
                    visited[v] = true;
                    updating[v] = false;
#pragma omp atomic write
                    stop = false;
                }
            }
            ++rounds;
        } while (!stop);
    }

    /* Every edge costs at most one, and every vertex but the first has a predecessor that is one nearer. */
    long sum = 0;
    for (int v = 0; v < N; ++v) {
        int supported = v == 0;
        for (int u = 0; u < N; ++u)
            for (int e = 0; e < 3; ++e)
                if (edges[3 * u + e] == v) {
                    CHECK(cost[v] <= cost[u] + 1);
                    supported = supported || cost[v] == cost[u] + 1;
                }
        CHECK(supported && cost[v] >= 0);
        sum += cost[v];
    }
    printf("%d rounds, %ld\n", rounds, sum);
    free(graph);
    free(edges);
    free(cost);
    free(mask);
    free(updating);
    free(visited);
    return CHECK_RESULT();
}

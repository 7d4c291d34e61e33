/*
 * Breadth-first search, level by level: one kernel marks the unseen neighbours of the frontier, a second one turns the
 * marks into the next frontier and says whether it is empty. The host only runs the loop around the two.
 */
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

enum { UNSEEN = -1 };

/* The number of edges on a shortest path from `root` to each vertex, UNSEEN where there is none. */
static void search(const struct graph *graph, int root, int *level)
{
    const int vertices = graph->vertices;
    const int *first = graph->first, *target = graph->target;
    bool *frontier = allocate((size_t)vertices, sizeof *frontier);
    bool *reached = allocate((size_t)vertices, sizeof *reached);
    int depth = 0, found = 1;

    for (int v = 0; v < vertices; ++v)
        level[v] = UNSEEN;
    level[root] = 0;
    frontier[root] = true;

#pragma omp target data map(to: first[0:vertices + 1], target[0:graph->edges]) \
    map(to: frontier[0:vertices], reached[0:vertices]) map(tofrom: level[0:vertices])
    while (found > 0) {
#pragma omp target teams distribute parallel for
        for (int v = 0; v < vertices; ++v) {
            if (!frontier[v])
                continue;
            for (int e = first[v]; e < first[v + 1]; ++e) {
                const int neighbour = target[e];
                if (level[neighbour] == UNSEEN) {
                    /* Several vertices of the frontier may reach the same neighbour. */
#pragma omp atomic write
                    reached[neighbour] = true;
                }
            }
        }

        ++depth;
        found = 0;
#pragma omp target teams distribute parallel for reduction(+: found)
        for (int v = 0; v < vertices; ++v) {
            frontier[v] = reached[v];
            if (reached[v]) {
                level[v] = depth;
                reached[v] = false;
                ++found;
            }
        }
    }
    free(reached);
    free(frontier);
}

static void search_serially(const struct graph *graph, int root, int *level)
{
    int *queue = allocate((size_t)graph->vertices, sizeof *queue);
    int head = 0, tail = 0;

    for (int v = 0; v < graph->vertices; ++v)
        level[v] = UNSEEN;
    level[root] = 0;
    queue[tail++] = root;
    while (head < tail) {
        const int v = queue[head++];
        for (int e = graph->first[v]; e < graph->first[v + 1]; ++e) {
            const int neighbour = graph->target[e];
            if (level[neighbour] == UNSEEN) {
                level[neighbour] = level[v] + 1;
                queue[tail++] = neighbour;
            }
        }
    }
    free(queue);
}

/* Between two and six edges from every vertex; one in 64 vertices has none. */
static struct graph make_graph(int vertices)
{
    struct graph graph = {.vertices = vertices};
    uint32_t state = 65537u;

    graph.first = allocate((size_t)vertices + 1, sizeof *graph.first);
    for (int v = 0; v < vertices; ++v) {
        const int degree = v % 64 == 63 ? 0 : 2 + (int)(next_random(&state) % 5u);
        graph.first[v + 1] = graph.first[v] + degree;
    }
    graph.edges = graph.first[vertices];
    graph.target = allocate((size_t)graph.edges, sizeof *graph.target);
    for (int e = 0; e < graph.edges; ++e)
        graph.target[e] = (int)(next_random(&state) % (uint32_t)vertices);
    return graph;
}

struct result search_part(int scale)
{
    const int vertices = 200000 * scale, root = 0;
    struct result result = {.part = "breadth-first search"};
    struct graph graph = make_graph(vertices);
    int *level = allocate((size_t)vertices, sizeof *level);
    int *reference = allocate((size_t)vertices, sizeof *reference);
    snprintf(result.problem, sizeof result.problem, "%d vertices, %d edges", vertices, graph.edges);

    double start = seconds_now();
    search(&graph, root, level);
    result.seconds = seconds_now() - start;

    start = seconds_now();
    search_serially(&graph, root, reference);
    result.reference_seconds = seconds_now() - start;

    for (int v = 0; v < vertices; ++v)
        result.error += level[v] != reference[v];
    result.correct = result.error == 0.0;

    free(reference);
    free(level);
    free(graph.target);
    free(graph.first);
    return result;
}

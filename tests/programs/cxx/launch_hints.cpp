// Bounds that the host reads to shape the grid, also where the device has other values.
// reference: -O1
#include "check.hpp"

constexpr int most = 3000;

struct Sizes {
    int n, parts[2];
};

struct Mesh {
    Sizes sizes;
    int *cells;
    int first;
};

#pragma omp begin declare target
int limit = 7;
#pragma omp end declare target

static int cells[most];

static int set()
{
    int n = 0;
    for (int &cell : cells) {
        n += cell;
        cell = 0;
    }
    return n;
}

static void mark_to(const Mesh &mesh)
{
#pragma omp target teams distribute parallel for map(tofrom: cells)
    for (int i = mesh.first; i < mesh.sizes.parts[1]; ++i)
        cells[i] += 1;
}

static void mark_through(Mesh *mesh)
{
#pragma omp target teams distribute parallel for map(to: mesh[0:1]) map(tofrom: mesh->cells[0:most])
    for (int i = 0; i < mesh->sizes.n; ++i)
        mesh->cells[i] += 1;
}

static void mark_mapped(Mesh *mesh, int *counts, int k)
{
    // rex-ignore: stale: the device keeps its own
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: cells)
    for (int j = 0; j < counts[k]; ++j)
        for (int i = 0; i < mesh->sizes.n; ++i)
#pragma omp atomic
            cells[i] += 1;
}

int main()
{
    Mesh mesh = {{1000, {10, 2000}}, cells, 5};
    int separate = 1; // whether the device has memory of its own
#pragma omp target map(to: separate)
    separate = 0; // rex-ignore: lost-result: that the host keeps its own is asked
    mark_to(mesh);
    check("members", set(), 1995);
    mark_through(&mesh);
    check("a mapped pointer", set(), 1000);

#pragma omp target data map(alloc: mesh)
    { // the device has more, and less, than the host
#pragma omp target map(alloc: mesh)
        {
            mesh.sizes.n = 2500;
            mesh.sizes.parts[1] = 3;
            mesh.first = 1;
        }
        if (separate)
            mesh.sizes.n = -4; // the device keeps 2500
        mark_to(mesh);
        check("fewer on the device", set(), 2);
        int counts[2] = {0, 3};
#pragma omp target data map(to: counts)
        {
            mark_mapped(&mesh, counts, 1);
            check("more on the device", set(), 7500);
        }
    }

#pragma omp target
    limit = 900;
#pragma omp target teams distribute parallel for map(tofrom: cells)
    for (int i = 0; i < limit; ++i)
        cells[i] += 1;
    check("a variable of the device", set(), 900);
    return report();
}

/* Device code that follows a pointer nobody mapped: to the heap, a local variable or static data, by the argument. */
#include <stdlib.h>
#include <string.h>

struct holder {
    int *values;
};
static int global_values[4] = {1, 2, 3, 4};

static void fill(struct holder *h, int *values)
{
    h->values = values;
}

int main(int argc, char **argv)
{
    int local_values[4] = {1, 2, 3, 4}, *heap_values = calloc(4, sizeof(int)), result = 0;
    struct holder h;
    const char *where = argc > 1 ? argv[1] : "mapped";
    int *chosen = !strcmp(where, "heap") ? heap_values : !strcmp(where, "stack") ? local_values : global_values;
    fill(&h, chosen);
    if (!strcmp(where, "mapped")) {
#pragma omp target map(tofrom : h.values[0:4]) map(from : result)
        result = ++h.values[2];
    } else {
#pragma omp target map(to : h) map(from : result)
        result = ++h.values[2];
    }
    free(heap_values);
    return result == 0;
}

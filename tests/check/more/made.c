// Structures that calls return. Each wrong line says so.
#include <stdlib.h>

struct particles {
    int n;
    double *x, *y;
};

static struct particles made(int n)
{
    struct particles p = {n, calloc(n, sizeof(double)), calloc(n, sizeof(double))};
    return p;
}

static void move(struct particles *p, double step)
{
    int n = p->n;
#pragma omp target teams distribute parallel for map(tofrom: p[0:1], p->x[0:n])
    for (int i = 0; i < n; i++) {
        p->x[i] += step;
        p->y[i] -= step; // rex-expect: unmapped-pointer
    }
}

static void move_both(struct particles *p, double step)
{
    int n = p->n;
#pragma omp target teams distribute parallel for map(tofrom: p[0:1], p->x[0:n], p->y[0:n])
    for (int i = 0; i < n; i++) {
        p->x[i] += step;
        p->y[i] -= step;
    }
}

/* An update in the wrong direction. */
static void load(double *x, int n, double value)
{
    for (int i = 0; i < n; i++)
        x[i] = value;
#pragma omp target update from(x[0:n]) // rex-expect: stale (likely)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        x[i] *= 2;
}

static void load_and_store(double *x, int n, double value)
{
    for (int i = 0; i < n; i++)
        x[i] = value;
#pragma omp target update to(x[0:n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        x[i] *= 2;
#pragma omp target update from(x[0:n])
}

int main(void)
{
    double *values = calloc(64, sizeof(double));
#pragma omp target enter data map(to: values[0:64])
    load(values, 64, 1);
    load_and_store(values, 64, 2);
    load_and_store(values, 64, 3);
#pragma omp target exit data map(from: values[0:64])
    struct particles p = made(100), q = made(50);
    move(&p, 1);
    move_both(&q, 1);
    q = p;
    move_both(&q, 1);
}

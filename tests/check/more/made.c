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

int main(void)
{
    struct particles p = made(100), q = made(50);
    move(&p, 1);
    move_both(&q, 1);
    q = p;
    move_both(&q, 1);
}

/* Right functions with pointers in arrays and in structures of arrays: two of them lead to different memory. */
#include <stdlib.h>
enum { N = 500 };
/* Two buffers take turns, by an index or by a function that exchanges their pointers. */
double by_index(void) {
    double *buf[2] = {malloc(N * 8), malloc(N * 8)}; int cur = 0;
    for (int i = 0; i < N; ++i) buf[0][i] = i, buf[1][i] = 0;
    double *p0 = buf[0], *p1 = buf[1];
#pragma omp target enter data map(to: p0[0:N], p1[0:N])
    for (int k = 0; k < 7; ++k) {
        double *in = buf[cur], *out = buf[cur ^ 1];
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i) out[i] = in[i] + 1;
        cur ^= 1;
    }
    double *res = buf[cur];
#pragma omp target update from(res[0:N])
#pragma omp target exit data map(delete: p0[0:N], p1[0:N])
    double s = res[3];
    free(buf[0]); free(buf[1]);
    return s;
}
static double two[2][N];
double by_row(void) {
    int cur = 0;
    for (int i = 0; i < N; ++i) two[0][i] = i;
#pragma omp target data map(tofrom: two)
    for (int k = 0; k < 7; ++k) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i) two[1 - cur][i] = two[cur][i] + 1;
        cur = 1 - cur;
    }
    return two[cur][3];
}
typedef struct { double *now, *next; int n; } grid;
static void swap(grid *g) { double *t = g->now; g->now = g->next; g->next = t; }
static void grid_step(grid *g) {
    double *a = g->now, *b = g->next; const int n = g->n;
#pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; ++i) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    swap(g);
}
double grid_run(int n) {
    grid g = {calloc(n, 8), calloc(n, 8), n};
    g.now[n / 2] = 1;
    double *a = g.now, *b = g.next;
#pragma omp target enter data map(to: a[0:n], b[0:n])
    for (int k = 0; k < 9; ++k) grid_step(&g);
    double *now = g.now;
#pragma omp target update from(now[0:n])
    double s = now[n / 2];
#pragma omp target exit data map(release: a[0:n], b[0:n])
    free(g.now); free(g.next);
    return s;
}
double grid_data(int n) {
    grid g = {calloc(n, 8), calloc(n, 8), n};
    g.now[n / 2] = 1;
#pragma omp target data map(tofrom: g.now[0:n], g.next[0:n])
    {
        for (int k = 0; k < 9; ++k) grid_step(&g);
    }
    double s = g.now[n / 2];
    free(g.now); free(g.next);
    return s;
}
/* A pointer gets an element of an array of pointers. */
double one_of_array(void) {
    double *buf[2] = {malloc(N * 8), malloc(N * 8)}, s = 0;
    for (int i = 0; i < N; ++i) buf[0][i] = i, buf[1][i] = 0;
    double *p0 = buf[0], *p1 = buf[1];
#pragma omp target data map(to: p0[0:N])
    {
        p1[3] = 5;
#pragma omp target map(tofrom: s)
        s += p0[3];
    }
    s += p1[3];
#pragma omp target data map(to: p0[0:N]) map(from: p1[0:N])
    {
#pragma omp target
        for (int i = 0; i < N; ++i) p1[i] = p0[i];
    }
    s += p1[3];
    free(buf[0]); free(buf[1]);
    return s;
}
double direct(void) {
    double *buf[2], s = 0;
    buf[0] = malloc(N * 8); buf[1] = malloc(N * 8);
    for (int i = 0; i < N; ++i) buf[0][i] = i, buf[1][i] = 0;
#pragma omp target enter data map(to: buf[0][0:N])
#pragma omp target enter data map(alloc: buf[1][0:N])
    double *in = buf[0], *out = buf[1];
#pragma omp target
    for (int i = 0; i < N; ++i) out[i] = in[i];
#pragma omp target exit data map(release: buf[0][0:N])
#pragma omp target exit data map(from: buf[1][0:N])
    s += out[2];
    free(buf[0]); free(buf[1]);
    return s;
}
double two_arrays(double **rows, int n, int m) {
    double s = 0;
    for (int i = 0; i < n; ++i) rows[i] = malloc(m * 8);
    for (int i = 0; i < n; ++i) {
        double *r = rows[i];
        for (int j = 0; j < m; ++j) r[j] = j;
#pragma omp target enter data map(to: r[0:m])
    }
    for (int i = 0; i < n; ++i) {
        double *r = rows[i];
#pragma omp target teams distribute parallel for
        for (int j = 0; j < m; ++j) r[j] += i;
    }
    for (int i = 0; i < n; ++i) {
        double *r = rows[i];
#pragma omp target exit data map(from: r[0:m])
        s += r[1];
        free(r);
    }
    return s;
}
typedef struct { double *a[3]; int n; } fields;
double in_struct(fields *f) {
    double *x = f->a[0], *y = f->a[1], *z = f->a[2]; const int n = f->n;
    for (int i = 0; i < n; ++i) x[i] = y[i] = i;
#pragma omp target data map(to: x[0:n], y[0:n]) map(from: z[0:n])
    {
#pragma omp target
        for (int i = 0; i < n; ++i) z[i] = x[i] + y[i];
        x[3] = 4;
#pragma omp target
        z[0] = y[3];
    }
    return z[3] + x[3];
}
double choose(double *a, double *b, int n) {
    double *list[] = {a, b}, s = 0;
#pragma omp target data map(tofrom: a[0:n]) map(to: b[0:n])
    for (int k = 0; k < 2; ++k) {
        double *p = list[k];
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i) p[i] += 1;
    }
    s = a[2];
    list[0][3] = 4;
    return s;
}
double released(int n) {
    double *v[2] = {calloc(n, 8), calloc(n, 8)}, s = 0;
    double *p = v[0], *q = v[1];
#pragma omp target enter data map(to: p[0:n], q[0:n])
#pragma omp target exit data map(release: p[0:n])
#pragma omp target map(tofrom: s)
    s += q[2];
    free(p);
#pragma omp target exit data map(release: q[0:n])
    free(q);
    return s;
}
/* And a member of one of several structures. */
typedef struct { double *x; int n; } part;
typedef struct { part in; } outer;
double structs(void) {
    part g[2] = {{calloc(N, 8), N}, {calloc(N, 8), N}};
    double s = 0, *p0 = g[0].x, *p1 = g[1].x;
#pragma omp target data map(to: p0[0:N])
    {
        p1[3] = 5;
#pragma omp target map(tofrom: s)
        s += p0[3];
    }
    s += p1[3];
#pragma omp target enter data map(to: g[0].x[0:N])
#pragma omp target enter data map(to: g[1].x[0:N])
    g[0].x[1] = 4;
#pragma omp target update to(g[0].x[1:1])
#pragma omp target exit data map(release: g[0].x[0:N])
    s += g[1].x[1] + g[0].x[1];
#pragma omp target exit data map(release: g[1].x[0:N])
    free(g[0].x); free(g[1].x);
    return s;
}
double pointers(part *g, int n) {
    double s = 0;
    for (int i = 0; i < n; ++i) {
        part *p = &g[i];
        p->x = malloc(N * 8); p->n = N;
        for (int j = 0; j < N; ++j) p->x[j] = j;
        double *x = p->x;
#pragma omp target enter data map(to: x[0:N])
    }
    for (int i = 0; i < n; ++i) {
        part *p = g + i;
        double *x = p->x; 
#pragma omp target teams distribute parallel for
        for (int j = 0; j < N; ++j) x[j] *= 2;
    }
    g[0].x[0] = 3;
    for (int i = 0; i < n; ++i) {
        double *x = g[i].x;
        if (i) {
#pragma omp target update from(x[0:N])
            s += x[2];
        }
#pragma omp target exit data map(release: x[0:N])
        free(x);
    }
    return s;
}
double outers(outer *o) {
    double *a = o[0].in.x, *b = o[1].in.x, s = 0;
#pragma omp target data map(to: a[0:N]) map(from: b[0:N])
    {
#pragma omp target
        for (int i = 0; i < N; ++i) b[i] = a[i];
        a[3] = 1;
    }
    s = b[3];
    return s;
}

/* A pointer to a member: the section and the accesses are counted from where it leads. */
struct counted {
    int count;
    double values[3];
};
static double of_member(struct counted *o, int n)
{
    double sum = 0, *y = o->values;
#pragma omp target teams distribute parallel for map(to: y[0:3]) reduction(+: sum) map(tofrom: sum)
    for (int i = 0; i < 3; ++i)
        sum += y[i];
#pragma omp target map(to: y[0:2]) map(tofrom: sum)
    for (int i = 0; i < 3; ++i)
        sum += y[i]; // rex-expect: bounds (likely)
#pragma omp target map(to: y[1:2]) map(tofrom: sum)
    sum += y[n - n]; // rex-expect: bounds (likely)
    return sum;
}

/* Nodes are objects of their own: a region that goes from one to the next needs all of them. */
struct chain { int value; struct chain *next; };
int walks(void)
{
    int sum = 0;
    struct chain *head = calloc(1, sizeof *head), *n = calloc(1, sizeof *n);
    head->next = n;
#pragma omp target map(tofrom: sum)
    for (struct chain *p = head; p; p = p->next)
        sum += p->value; // rex-expect: unmapped-pointer
#pragma omp target map(tofrom: sum)
    {
        struct chain *p = head;
        while (p->next) // rex-expect: unmapped-pointer
            p = p->next;
        sum += 1;
    }
#pragma omp target map(to: head[0:1]) map(tofrom: sum)
    sum += head->next->value; // rex-expect: unmapped-pointer
#pragma omp target map(to: head[0:1]) map(tofrom: sum)
    for (struct chain *p = head; p; p = p->next)
        sum += p->value; // rex-expect: unmapped-pointer
#pragma omp target map(to: head[0:1], head->next[0:1]) map(tofrom: sum)
    for (struct chain *p = head; p; p = p->next)
        sum += p->value;
    free(n);
    free(head);
    return sum;
}

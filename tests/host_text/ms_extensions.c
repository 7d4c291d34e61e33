/* Unnamed members with tags. */
// cflags: -fms-extensions

/* ms extensions */
struct base { int a, b; };
struct derived { struct base; int c; };
typedef struct { int x; } tb;
struct d2 { tb; union { int u; float v; }; };
static int ga(struct base *b) { return b->a; }
int f_ms_extensions(int n, struct derived *d, struct d2 *e_ms_extensions) {
    struct derived l = { { 1, 2 }, 3 };
    n = d->a + d->c + e_ms_extensions->x + e_ms_extensions->u + l.b;
#pragma omp target map(tofrom: n)
    n++;
    return n;
}

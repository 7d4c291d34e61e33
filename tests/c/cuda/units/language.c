#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <stdio.h>
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
enum color { RED, GREEN = 5, BLUE };
enum neg { NEG = -1, POS };
typedef struct { float x, y, z; } vec3;
struct node { int v; struct node *next; struct { int a; union { int i; float f; }; } in; const char name[8]; };
static const double W[3] = {1, 2, 3};
static int table[] = {[2] = 5, [0] = 1};
static struct node nodes[2] = {{.v = 1, .next = 0}, {2, .in.a = 3, .in.i = 4, .name = "abc"}};
enum color next_color(enum color c) { return c == BLUE ? RED : c + 1; }
double sumw(int n) { double s = 0; for (int i = 0, j = 1; i < n; i++, j++) s += W[i] * j; return s; }
int *mk(int n) { int *p = malloc(n * sizeof *p); if (!p) return NULL; memset(p, 0, n * sizeof(*p)); return p; }
vec3 addv(vec3 a, const vec3 *b) { return (vec3){.z = a.z + b->z, .x = a.x + b->x, .y = a.y + b->y}; }
int class(int new, unsigned this) { int template = new < this; return template; }
void f2(int n, int m, double a[n][m], double (*restrict b)[m]) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = b[i][j] + a[i][0]; double (*q)[m] = (double (*)[m])a; q++; q[1][2] = *(*q + 1); }
int sw(int x) { switch (x) { case 1: x++; case 2: { x += 2; break; } case 3: ; int y = x * 2; x = y; break; default: return -1; } return x; }
int gt(int n) { int r = 0; if (n > 3) goto out; int k[3] = {1, 2}; struct node nd = {.v = 3}; r = k[1] + nd.v; out: return r; }
int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }
float mathy(float x) { assert(x > 0); return fabs(x) + sqrt(x) + fmaxf(x, 2) + (isnan(x) ? 1 : 0) + (isinf(x) != 0) + powf(x, 2) + INFINITY + signbit(x); }
void pr(int n) { printf("%d %s\n", n, "abc"); const char *s = "x"; char *t = "y"; (void)s; (void)t; }
size_t sz(int n) { int a[4]; return sizeof('a') + sizeof a / sizeof a[0] + sizeof(n > 2) + sizeof(vec3); }
bool bb(bool b) { b++; --b; bool c = b++; return c && !b; }
struct node *find(struct node *p, int v) { while (p && p->v != v) p = p->next; return p; }
int addr(int x) { int *p = &(int){x}; int *q = (int[]){1, 2, x}; vec3 *v = &(vec3){1, 2}; return *p + q[2] + (int)v->y; }
void *vp(void *p, int n) { p = p + n; p += 3; p++; return p ? p : 0; }
int glob(int i) { return table[i] + nodes[1].in.i; }
uint64_t h(uint64_t x) { x ^= x >> 33; x *= 0xff51afd7ed558ccdULL; return x & -1; }
int (*fp(int k))(int) { return k ? fact : NULL; }
int dow(int n) { int s = 0; do { if (n & 1) continue; s += n; } while (n-- > 0); while (n < 5) n++; for (;;) { if (s++ > 3) break; } return s; }
char cc(int i) { static const char msg[3] = "abc"; const char *p[] = {"a", "b"}; return msg[i] + p[i][0] + "xyz"[i]; }
int se(int a) { return ({ int t = a * 2; t + 1; }); }

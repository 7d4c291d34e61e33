#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#undef offsetof
#include <omp.h>
#include <sys/time.h>
#include <byteswap.h>
typedef struct float2 { float a, b; } float2;
typedef struct point point; struct point { int x, y; point *self; };
struct opaque; struct cyc_a; struct cyc_b { struct cyc_a *a; }; struct cyc_a { struct cyc_b b; struct opaque *o; };
typedef union { int i; double d; unsigned char c[8]; } any;
struct bits { unsigned a : 3; int b : 5; unsigned : 0; _Bool f : 1; };
struct __attribute__((packed)) pk { char c; int i; };
#pragma pack(push, 2)
struct pk2 { char c; int i; };
#pragma pack(pop)
struct flex { int n; double d[]; };
typedef int (*op_t)(int, int);
struct ops { op_t add, div; const int tag; };
static int add(int a, int b) { return a + b; }
static int mydiv(int a, int b) { return a / b; }
static const struct ops OPS = { .div = mydiv, .add = add, .tag = 3 };
static any ANY = {.d = 2.5};
static int *PTR = (int[]){1, 2, 3};
int max(int a, int b) { return a > b ? a : b; }
float dot(float2 a, float2 b) { return a.a * b.a + a.b * b.b; }
double y1(double index) { int round = index; return round; }
int bitsf(struct bits s, int k) { s.a = k; s.b--; return s.a - 5 < 0 ? s.b : s.f; }
int pkf(struct pk *p) { struct pk2 q = {1, 2}; return p->i + q.i + p->c + (int)offsetof(point, y) + (int)sizeof(struct bits); }
double fx(struct flex *f) { double s = 0; for (int i = 0; i < f->n; ++i) s += f->d[i]; return s; }
double anyf(any a) { any b = {.c = {1, 2}}; any c = {3}; return a.d + b.c[1] + c.i + ANY.d; }
int opf(int a) { struct ops o = OPS; return o.add(a, 1) + o.div(a, 2) + (*o.add)(1, 2) + PTR[1]; }
int gen(double d) { return _Generic(d, float: 1, double: 2, default: 3) + _Generic('a', int: 10, char: 20); }
long om(void) { omp_sched_t k; int c; omp_get_schedule(&k, &c); omp_set_schedule(omp_sched_static, 4); omp_lock_t l; omp_init_lock(&l); omp_set_lock(&l); omp_unset_lock(&l); return omp_get_thread_num() + (long)omp_get_wtime(); }
long tv(struct timeval t) { struct timeval u = {1, 2}; return t.tv_sec + u.tv_usec; }
uint32_t sw(uint32_t x) { return bswap_32(x) ^ __builtin_bswap32(x + 1); }
int bt(unsigned x, unsigned long y) { return __builtin_popcount(x) + __builtin_popcountl(y) + __builtin_ctz(x) + __builtin_clzl(y) + __builtin_ctzl(y) + __builtin_parity(x) + __builtin_ffs(x); }
int cls(double x, float y) { return isnan(x) + isnormal(y) + fpclassify(x) + isgreater(x, y++) + islessgreater(x, y) + isunordered(x, y) + (x == HUGE_VAL) + isfinite(y) + (y == NAN); }
int shadow(int n) { int r = 0; for (int i = 0; i < n; i++) { int i = 5; r += i; } return r; }
int nested(void) { struct point { double d; }; struct point p = { 1.5 }; enum { A = 3, B }; { struct point { char c; } q = { 'x' }; return q.c + (int)p.d + B; } }
int localp(int k) { point ps[3] = {[1].x = 1, [1].y = 2, 5}; point *p = &ps[1], q = *p; int a[2][3] = {1, 2, 3, {4}}; return p->x + q.y + ps[2].x + a[1][0] + a[k][1]; }
int duff(int n) { int c = 0; switch (n % 4) { do { c++; case 3: c++; case 2: c++; case 1: c++; default: ; } while ((n -= 4) > 0); } return c; }
int gotos(int n) { int i = 0; again: ; int sq = i * i; if (sq < n) { i++; goto again; } { if (n == 7) goto done; point p = {1, 2}; i += p.y; } done: return i; }
int fall(int c) { switch (c) { case -1: case 'a': return 1; case 2: if (c) break; case 3: c = 9; default: c++; } return c; }
int neg(unsigned u, int i, unsigned char uc, short s, long l, unsigned long ul) { return (u > i) + (i < (int)u) + (uc < i) + (s == u) + (l < u) + (ul > l) + (-1 < u) + (i ? u : i) + (u * -1 > 3) + ((i == 1) != (u == 2)) + (!i == u) + ~(i < 3) + (i < 3 < 2) + (1 << (i > 2)); }
float flt(int i, double d) { float a[3] = {i, d, 1.5}; long l[2] = {i, u'a'}; char c[] = {i, 300 & 255, 'x'}; unsigned char uc = 255, ud = -1; unsigned un = -1; struct { float f; int i; } s = {d, (int)d}; return a[0] + l[0] + c[0] + uc + ud + un + s.f; }
void chars(char *dst) { char b[8] = "hi"; char e[] = "abc\0def"; char t[2] = "no"; char m[3][4] = {"ab", "c"}; strcpy(dst, b); strcat(dst, e); dst[0] = t[1]; dst[1] = m[1][0]; const char *r = dst ? "yes" : "no"; dst[2] = r[0]; }
int idx(const char *s) { int h[256] = {0}; for (; *s; s++) h[(unsigned char)*s]++; char c = 'a'; return h[c] + 3[h] + sizeof(h) / sizeof(*h) + sizeof "abc" + __alignof__(double); }
void *ptrs(void *v, const int *ci, int *i, char **cpp, unsigned *up) { void *p = i; int *q = v; *q = *ci; const void *cv = ci; long d = (char *)v - (char *)p; uintptr_t a = (uintptr_t)v; if (v == i || ci == q || cv != NULL || !cpp || up == (unsigned *)q || a) return (void *)d; if (p > v) return (void *)0; unsigned *w = (unsigned *)i; return i < q ? i : (void *)w; }
int comma(int a) { int b = (a++, a + 1); for (int i = 0, *p = &b; i < 3; i++, p = &a) b += *p; if ((b = a) != 0 && (a = 3)) b++; while ((a -= 1)); return a, b; }
unsigned long long big(void) { return 18446744073709551615ULL + 0x7fL + 010 + 0b11 + 'a' + '\n' + '\\' + '\'' + 'ab' * 0; }
int v3(int n, int m, int k, int a[n][m][k], int (*b)[m][k]) { int (*row)[k] = a[1]; int *e = &a[1][2][3]; b = a + 1; int (*c)[m][k] = &a[n - 1]; row++; (*row)[0] = 1; return a[1][2][3] + *e + row[1][0] + (*b)[1][2] + (int)(c - a) + (int)(row - a[0]) + c[0][0][0] + **a[0] + (int)sizeof(a[0]) + ((int (*)[k])e)[1][2] + a[0][1][2]--; }
static inline int inl(int x) { return x; } int useinl(void) { return inl(3); }
int kr(a, b) int a; float b; { return a + (int)b; } int callkr(void) { return kr(1, 2.0); }
int implicit(a, b) { return a - b; } int callimplicit(void) { return implicit(9, 2); }
_Bool bo(int *p, double d, int i) { _Bool b = p; b |= i; _Bool c = d; b = i & 4; b = !b; struct { _Bool x; } s = { i }; return p && d && b + c + s.x; }
long long ll(int i) { long long x = i ? 1LL : i; return llabs(x) + labs(i) + abs(-i); }
double mth(int i, float f) { return pow(i, 2) + sqrt(i) + fmod(f, 2) + fabs(f) + fmin(i, f) + atan2(f, 1) + ldexp(f, i) + floorf(i) + exp(1); }
const char *fn(void) { return __func__; }
int volat(volatile int *p) { volatile int x = 3; x++; *p += x; return *p; }
struct point rec(struct point p) { return p.x > 0 ? p : (struct point){ .y = 2 }; }
int strx(void) { return rec((point){1, 2}).x + (int){3} + ((point){.x = 4}).x; }
int twod(double a[][4], double (*b)[4]) { return a[1][2] > b[0][1]; }
int emp(int n) { if (n) ; else n++; for (int i = 0; i < n; i++) ; while (n-- > 0) {} if (n > 0) if (n > 1) n = 1; else n = 2; ;; return n; }
int arrs(void) { typedef int row[3]; row r = {1, 2, 3}; const row c = {4, 5}; row *p = &r; typeof(r[0]) z = (*p)[1]; return c[1] + z; }
void unusedexpr(int n) { n; (void)n; n == 3; }

/* A name like any other in C. */
void main(int n, char **words)
{
    if (n > 1)
        main(n - 1, words + 1);
}

int of_nothing(void *p, const void *q) { *p; (void)*q; return &*p == &*q ? 1 : (p ? *p : (void)0, 2); }

/* Qualifiers that a conversion drops, of which gcc only warns: also those of an array's elements. */
long test_dropped_qualifiers(int k)
{
    volatile int list[3] = {k, k + 1, k + 2};
    const int fixed[2] = {k, 1};
    void *whole = &list, *other = &fixed;
    int *part = list;
    part = &list[1];
    return *(int *)whole + 10 * *part + 100 * *(int *)other;
}

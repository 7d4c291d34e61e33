/* Each test_* function gives the same value as C and as the CUDA C++ printed for it. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum kind { LEAF = -2, NODE, ROOT = 7 };
typedef struct item { int key; struct item *next; double w[3]; enum kind kind; union { int i; float f; } u; } item;
struct bits { unsigned a : 3; signed b : 4; _Bool c : 1; unsigned : 0; unsigned d : 31; };
static const double WEIGHTS[] = {[3] = 0.5, [1] = 2, 7};
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static int (*const TABLE[])(int) = {twice, [2] = thrice};

long test_unsigned(int k)
{
    unsigned u = 3, v = k; long l = -k; unsigned char c = 250 + k; short s = -5;
    return (u > k - 5) + 2 * (v - 10 > 0) + 4 * (l < u) + 8 * (c + 10 > 255) + 16 * (s < u) + 32 * (-1 < (int)v)
         + 64 * ((k ? u : k - 9) > 100) + (u * -1 >> 28) + (unsigned char)(c + 9) + (s >> 1) + (~c & 0xff);
}
long test_bits(int k)
{
    struct bits b = {.b = -3, .d = 5, 1}; b.a += k; b.b -= k; b.c = k & 6;
    return (b.a - 5 < 0) + b.b * 10 + b.c * 100 + (b.a > -1) * 1000 + (b.d - 6 < 0) * 10000 + sizeof(struct bits);
}
long test_enum(int k) { enum kind e = k % 2 ? LEAF : ROOT; e++; e |= NODE == -1; return e * 3 + (e == NODE) + sizeof(e); }
long test_bool(int k)
{
    bool b = k - 2, c = k * 0.25; b++; c--; --c; _Bool d = c++; b &= k; d ^= 3; int n = !k == !b;
    return b + 2 * c + 4 * d + 8 * n + 16 * ((k < 3) < 2) + 32 * (~(k < 3)) + ((k > 1) << 7);
}
long test_switch(int k)
{
    int r = 1;
    switch (k) {
        int hidden;
    case 0: r += 2; case 1: { int t = r * 3; r = t; } case 2: hidden = 5; r += hidden; break;
    case 3: ; int x = 9, a[3] = {1, 2}; r = x + a[1]; break;
    case 'A' - 61: r = 77; if (r) break;
    default: r = x = 4; r += x;
    }
    return r;
}
long test_duff(int k)
{
    int c = 0, n = k + 5;
    switch (n % 3) { case 0: do { int t = 1; c += t; case 2: c += 10; case 1: c += 100; } while ((n -= 3) > 0); }
    return c;
}
long test_goto(int k)
{
    long r = 0; int i = 0;
    if (k > 4) goto out;
again:;
    int sq[4] = {i, i * i}; item it = {.key = sq[1], .w = {1, [2] = 3}}; char s[6] = "abc"; const int c = 3;
    r += sq[1] + it.w[2] + s[1] + sq[3] + s[5] + c;
    if (++i < k) goto again;
    for (int j = 0; j < 3; j++) { if (j == k) goto out; int q = j; r += q; }
out:
    return r;
}
long test_initialisers(int k)
{
    int a[2][3] = {1, 2, 3, {4}}, b[] = {[4] = k, 1, [1] = 2, 3}; char t[3] = "xyz", m[2][4] = {"ab", {'c', k}};
    item list[3] = {[1] = {k, .u.f = 2.5f, .w[1] = 8, 9, LEAF}, {5, 0, 1, 2, 3, ROOT, 4}};
    struct { int x; struct { int y, z; }; int w[2]; } n = {1, .z = k, .w = {[1] = 6}};
    float f[3] = {k, k / 2.0, 3}; uint8_t u[2] = {k + 300, -1};
    long r = 0; for (int i = 0; i < 6; i++) r = r * 3 + b[i];
    return r + a[1][0] + a[0][2] + t[2] + m[1][1] + list[1].u.f * 2 + list[1].w[1] + list[1].w[2] + list[1].kind
         + list[2].u.i + list[2].kind + n.y + n.z + n.w[1] + f[1] * 4 + u[0] + u[1] + sizeof b + WEIGHTS[1] * WEIGHTS[3];
}
long test_literals(int k)
{
    int *p = (int[]){k, 2, 3}, *q = &(int){k}; item *it = &(item){.key = k, .w = {[1] = 5}}; long r = 0;
    for (int i = 0; i < 3; i++) { int *z = (int[3]){i}; z[1] += i; r += z[0] + z[1] * 10 + z[2]; *q += 1; }
    it->w[1]++; return r + p[0] + p[2] + *q + it->w[1] + (item){.key = 4}.key + ((item[2]){{1}, {.key = k}})[1].key;
}
long test_pointers(int k)
{
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}; void *v = a; const void *cv = a + 1; int *p = v, *e = &a[8];
    v += 4; v++; v--; const int *c = cv; char *bytes = (char *)a; unsigned *up = (unsigned *)a + 1;
    long r = (char *)v - (char *)a; r += *(int *)v * 10 + (e - p) + (c == p + 1) + (v == cv) + (p && !(e == NULL));
    r += *p++; r += *++p; r += (*p)-- + 2[a] + a[k % 8] + *(&a[1] + 1) + bytes[4] + up[1] + (up == (unsigned *)v);
    int *z = k ? p : 0, *y = k > 90 ? NULL : a; return r + (z ? *z : 0) + *y + (uintptr_t)v % 4;
}
static long total(int n, int m, int a[n][m], int (*b)[m])
{
    long s = 0; n++; for (int i = 0; i < n - 1; i++) for (int j = 0; j < m; j++) s += a[i][j] * (b[i][j] + *(*(a + i) + j));
    int (*row)[m] = a; row++; m = 1; return s + (*row)[1] + row[-1][2] + (long)(row - a) + sizeof(*row) + sizeof a[0][0];
}
static long cube(int n, double c[n][n + 1][2])
{
    double (*plane)[n + 1][2] = &c[1]; double *first = c[1][1], (*pair)[2] = c[0];
    return plane[0][1][1] * 10 + first[0] + (*plane)[0][1] + pair[1][1] + (*pair)[1] + **c[1] + (plane - c) + (pair + 1)[0][0];
}
long test_vla(int k)
{
    int a[3][4]; double c[2][3][2]; for (int i = 0; i < 12; i++) { a[i / 4][i % 4] = i + k; c[i / 6][i / 2 % 3][i % 2] = i * k; }
    return total(3, 4, a, a) + cube(2, c);
}
long test_calls(int k)
{
    float f = k; double d = fabs(-f) + sqrt(k) + pow(k, 2) + fmax(k, 2.5f) + floor(k / 2.0) + fmodf(7, 4) + ldexp(1, k);
    int (*fn)(int) = TABLE[k % 2 * 2]; int (*none)(int) = TABLE[1];
    return d * 1000 + abs(k - 3) + labs(-k) + fn(k) + (*fn)(1) + (none == NULL) + (fn ? twice : thrice)(4) + llabs(-2);
}
long test_classify(int k)
{
    double inf = HUGE_VAL, x = k ? k / 0.3 : NAN; float f = 1e-42f;
    return isnan(x) + 2 * !!isinf(-inf) + 4 * !!isfinite(x) + 8 * !!signbit(-x) + 16 * (isnormal(f) != 0) + 32 * isgreater(x, 1)
         + 64 * islessgreater(x, k++) + 128 * isunordered(NAN, x) + 256 * (inf == INFINITY);
}
long test_strings(int k)
{
    char b[32] = "head"; const char *w = k > 2 ? "yes" : "no"; char *s = "tail"; strcat(b, w); strcat(b, s);
    size_t n = strlen(b); memmove(b + 1, b, n); return n + b[3] + "literal"[k] + strcmp(b, s) % 2 + (strchr(b, 'a') - b)
         + sizeof "four" + sizeof('a') + '\377' + '\x7f' + 'ab' % 100 + *s + __func__[0];
}
long test_builtins(int k)
{
    unsigned u = 40u << k; unsigned long l = 1ul << (40 + k);
    return __builtin_popcount(u) + __builtin_ctz(u) * 2 + __builtin_clz(u) * 3 + __builtin_popcountl(l - 1) * 5 + __builtin_ctzl(l)
         + __builtin_clzl(l) + __builtin_ffs(k) + __builtin_parity(u + 1) + __builtin_bswap32(u++) % 1000 + __builtin_bswap16(k)
         + __builtin_bswap64(l) % 77 + __builtin_expect(k > 1, 1) + u;
}
long test_statement_expressions(int k)
{
    int m = ({ int a = k, b = 3; a > b ? a : b; }); item i = ({ item t = {.key = m}; t; });
    return m + i.key + ({ int s = 0; for (int j = 0; j < k; j++) s += ({ j * j; }); s; }) + _Generic(k, long: 1, int: 2);
}
long test_shadowing(int k)
{
    int class = k, new = 2, this = class + new, threadIdx = 5, max = 3; struct item { int operator; } template = {this};
    long r = 0; for (int i = 0; i < k; i++) { int i = 3; r += i; } { struct item { char c[3]; }; r += sizeof(struct item); }
    enum { class_a = 4, ROOT = 11 }; goto delete; delete: return r + template.operator + threadIdx + max + ROOT + sizeof(template);
}
long test_assignments(int k)
{
    int a = 5, b; char c = 100; float f = 2.5f; long long l = 1; int v[2] = {0}; volatile int vol = k;
    b = a += k; c += 100; a -= 1.75; f *= k; l <<= 33 + k; l |= a ^ b; v[a > 2]++; a %= 4; if ((b = k) && (a = 2)) l++;
    while ((k -= 1) > 0) v[0] += k; vol++; vol += 2; return a + b + c + f + l + v[0] * 3 + v[1] + (a, b, vol) + -(-a) - -b;
}
static inline item made(int k) { return k & 1 ? (item){k} : (item){.w = {1, 2, 3}}; }
long test_records(int k)
{
    item a = made(k), b = a, *p = &b, list[2] = {a, made(k + 1)}; p->next = &a; p->next->key += 4; const item c = *p;
    return b.next->key + made(2).w[1] + list[1].w[2] + (k ? a : b).key + c.next->w[0] + (p == &b) + sizeof(item);
}

/* Odd corners of C in device code: names that CUDA has, old definitions, jumps, ranges, bit-fields, promotions. */
// cflags: -std=gnu11 -Wno-multichar -Wno-overflow
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct dim3 {
    int x;
};
typedef struct {
    int a, b;
} float4;
enum { warpSize = 7, blockDim };
static int threadIdx = 3, gridDim;
static int min(int a, int b) { return a < b ? a : b; }
static int max(a, b)
int a;
int b;
{
    return a > b ? a : b;
}
static int atomicAdd(int *p, int v)
{
    int o = *p;
    *p += v;
    return o;
}
inline int ext(int x) { return x + 1; }
extern inline int ext(int x);
static int and(int or, int not) { return or + not; }
typedef struct node {
    struct node *next;
    int this;
    union {
        int i;
        float f;
    };
    struct {
        short lo, hi;
    };
    int flex[];
} node;
static int columns = 1;
static int count(int *n) { return ++*n; }
/* What the sizes of parameters do is done where the function begins. */
static int sizes(int n, int a[n++], int b[static 1 + count(&n)], int rows[][2 + 0 * columns])
{
    return n * 100 + a[0] + 0 * b[0] + rows[0][1] + (int)sizeof(rows[0]);
}
static int duff(char *to, const char *from, int n)
{
    int k = (n + 7) / 8, c = 0;
    switch (n % 8) {
    case 0:
        do {
            *to++ = *from++;
            c++;
        case 7:
            *to++ = *from++;
        case 6:
            *to++ = *from++;
        case 5:
            *to++ = *from++;
        case 4:
            *to++ = *from++;
        case 3:
            *to++ = *from++;
        case 2:
            *to++ = *from++;
        case 1:
            *to++ = *from++;
        } while (--k > 0);
    }
    return c;
}
static int isodd(unsigned n);
static int iseven(unsigned n) { return n == 0 ? 1 : isodd(n - 1); }
static int isodd(unsigned n) { return n == 0 ? 0 : iseven(n - 1); }
static int vla(int n, int m, int a[n][m], int (*p)[m])
{
    int s = 0;
    int b[m];
    for (int i = 0; i < m; i++)
        b[i] = i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j] * b[j] + p[i][j];
    return s + (int)(sizeof b / sizeof *b);
}
static int jump(int n)
{
    int i = 0;
    if (n > 5)
        goto inside;
    for (i = 0; i < 10; i++) {
        int q = 4;
        if (0) {
        inside:
            q = 2;
        }
        if (i == n)
            goto out;
        i += q;
    }
out:
    return i;
}
static const char *const names[] = {"zero", "one", [4] = "four", [2 ... 3] = "few"};
struct cfg {
    int id;
    struct {
        int a[4];
        char n[8];
    } in;
    double d;
};
static struct cfg cfgs[3] = {[1] = {.in.a[2] = 5, .in.n = "abc", .d = 2.5, .id = 7}, [0].id = 4};
enum color { RED, GREEN = 5, BLUE };
static enum color next(enum color c) { return c == BLUE ? RED : c + 1; }
static unsigned long long mulh(unsigned long long a, unsigned long long b)
{
    unsigned __int128 p = (unsigned __int128)a * b;
    return (unsigned long long)(p >> 64);
}
static int up_to(size_t last, unsigned step) /* no unsigned number is less than where the loop begins */
{
    int n = 0;
#pragma omp target teams distribute parallel for reduction(+: n) collapse(2)
    for (size_t i = 0; i <= last; ++i)
        for (unsigned j = 0; j <= step; j += 2)
            n += 1 + (int)(i * j);
    return n;
}
/* A compound literal is an object, which can be changed. */
static int changed_literals(double d)
{
    int n = 0, o[24];
#pragma omp target map(from: o) map(tofrom: n)
    {
        int *p = &o[0];
        (int){0} += 5;
        o[n++] = (int){4} += 5;
        o[n++] = (__typeof__(d)){4} *= 1.5;
        o[n++] = ((int){4})++;
        o[n++] = ++(int){4};
        o[n++] = (short){4}--;
        o[n++] = (struct dim3){1}.x += 3;
        o[n++] = ((struct cfg){.in = {.n = {1, 2, 3}}}).in.n[2] -= 7;
        o[n++] = ((int[]){1, 2, 3})[1] += 3;
        o[n++] = (unsigned char){255} += 1;
        o[n++] = (signed char){0} = 200;
        o[n++] = ((struct dim3){1} = (struct dim3){3}).x;
        *((int *){p + n} += 1) = 77;
        o[n] = 66, n += 2;
        o[n++] = (int){3} <<= 2;
        o[n++] = ((float){3} /= 2) * 100;
        o[n++] = 1 ? (int){d} += (int){d} : 2;
    }
    for (int i = 0; i < n; i++)
        printf("%d ", o[i]);
    return n;
}
int main(void)
{
    static int o[80];
    static unsigned long long h;
    static char txt[64];
#pragma omp target map(tofrom: o, h, txt)
    {
        int n = 0;
        struct dim3 d3 = {4};
        float4 f4 = {1, 2};
        o[n++] = d3.x + f4.b + warpSize + blockDim + threadIdx + gridDim + min(3, 4) + max(5, 6) +
                 atomicAdd(&f4.a, 2) + ext(1) + and(1, 2);
        char to[32] = {0};
        o[n++] = duff(to, "abcdefghijklmnopqrstuvwxyz", 21);
        strcpy(txt, to);
        o[n++] = iseven(11);
        o[n++] = jump(3);
        o[n++] = jump(8);
        int a[2][3] = {{1, 2, 3}, {4, 5, 6}};
        o[n++] = vla(2, 3, a, a);
        node *p = malloc(sizeof *p + 4 * sizeof(int));
        p->next = p;
        p->this = 9;
        p->f = 1.0f;
        p->hi = -2;
        p->flex[3] = 11;
        o[n++] = p->next->this + p->i % 1000 + p->hi + p->flex[3];
        free(p);
        o[n++] = (int)strlen(names[4]) + (int)strlen(names[3]) + (names[1][1] == 'n');
        o[n++] = cfgs[1].in.a[2] + cfgs[1].in.n[1] + (int)cfgs[1].d + cfgs[0].id + cfgs[2].id;
        enum color c = 5;
        c++;
        o[n++] = next(c) + next(GREEN);
        c = 3;
        o[n++] = c;
        h = mulh(~0ull, 12345678901234567ull);
        __int128 w = -5;
        w *= 3;
        o[n++] = (int)w;
        o[n++] = (int)(w >> 1);
        _Bool b = 0.1;
        b += 5;
        o[n++] = b;
        b--;
        o[n++] = b;
        o[n++] = (char)200 + (unsigned char)300 + (short)70000;
        o[n++] = -7 / 2 + -7 % 3 + (-7 >> 1);
        o[n++] = (int)(1u << 31 >> 3);
        o[n++] = 'ab';
        o[n++] = sizeof(int[3]) + _Alignof(double) + sizeof "hello" + sizeof(struct cfg);
        void *v = a;
        int *ip = v;
        o[n++] = ip[4];
        const int *cip = ip;
        ip = (int *)cip;
        char *s = "lit";
        o[n++] = s[1];
        unsigned char *uc = (void *)s;
        o[n++] = uc[0];
        o[n++] = ({
            int t = 4;
            if (t > 3)
                t *= 2;
            t;
        });
        typeof(n) t2 = 3;
        __auto_type t3 = 2.5;
        o[n++] = t2 + (int)(t3 * 2);
        int arr[] = {[5] = 1, 2, [0] = 3};
        o[n++] = sizeof arr / sizeof *arr + arr[6];
        _Static_assert(sizeof(int) == 4, "x");
        for (int i = 0, *q = arr; i < 2; i++, q++)
            o[n++] = *q + i;
        int x = 3, y = x++ + 1;
        o[n++] = x;
        o[n++] = (x, y = 4, y * 2);
        struct {
            unsigned f : 3;
            int g : 5;
            unsigned long l : 40;
        } bf = {9, 17, -1};
        bf.f++;
        bf.g -= 3;
        o[n++] = bf.f * 100 + bf.g + (int)(bf.l >> 20);
        o[n++] = bf.f - 5 < 0;
        o[n++] = __builtin_popcountl(255) + __builtin_ctz(8) + __builtin_clzll(1) +
                 (int)__builtin_bswap32(0x01000000) + __builtin_ffs(16) + __builtin_parity(7) +
                 (int)__builtin_expect(3, 1);
        int sw = 0;
        switch (n) {
        default:
            sw = 1;
            break;
        case 1: {
            int z;
            z = 2;
            sw = z;
        }
        }
        o[n++] = sw;
        do {
            if (sw++ > 2)
                break;
            continue;
        } while (sw < 5);
        o[n++] = sw;
        volatile int vo = 3;
        vo += 2;
        o[n++] = vo;
        int pair[1][2] = {{5, 6}};
        o[n++] = sizes(7, o, o, pair);
        register int rg = 2;
        o[n++] = rg;
        o[n++] = (int)offsetof(struct cfg, in.n[2]);
        int (*fn)(int, int) = min;
        o[n++] = fn(4, 2) + (*fn)(9, 8) + (**fn)(3, 1);
        union {
            float f;
            unsigned u;
            unsigned char c[4];
        } un = {.f = 1.5f};
        o[n++] = un.u >> 16;
        o[n++] = un.c[3];
        o[n++] = ((struct cfg){.id = 3}).id + ((int[]){1, 2, 3})[2] + *(&(int){6});
        long long big = 1LL << 40;
        o[n++] = (int)(big >> 35);
        o[n++] = (unsigned)-1 > 0;
        o[n++] = -1 < 0u;
        o[n++] = (short)-1 < (unsigned short)1;
        o[n++] = sizeof(1 ? 1 : 2.0) + sizeof('a') + sizeof(1 == 1);
        o[n] = n;
    }
    for (int i = 0; i < 80; i++)
        printf("%d ", o[i]);
    printf("%llu %s %d\n", h, txt, up_to(9, 5) + changed_literals(2.5));
    return 0;
}

/* Objects of all kinds: of variable length, on alloca, unaligned, bit-fields, complex, copied as a whole, strings, pages, and memory
 * that comes again. Each wrong use follows right ones. */
#include <alloca.h>
#include <complex.h>
#include <omp.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static double seen;

static void vla(int n)
{
    double a[n], b[n];
    for (int i = 0; i < n; ++i)
        a[i] = i;
#pragma omp target map(to: a) map(from: b)
    for (int i = 0; i < n; ++i)
        b[i] = a[i];
    seen += b[n - 1];
#pragma omp target map(to: a) map(from: b)
    for (int i = 0; i < n - 1; ++i)
        b[i] = a[i];
    seen += b[n - 1]; // rex-expect: uninitialised-read
}

static void vla_on_device(int n)
{
    double s = 0;
#pragma omp target map(tofrom: s)
    {
        double a[n];
        for (int i = 0; i < n; ++i)
            a[i] = i;
        for (int i = 0; i < n; ++i)
            s += a[i];
    }
    seen += s;
}

static void on_alloca(int n)
{
    int *a = alloca(n * sizeof *a);
    for (int i = 0; i < n; ++i)
        a[i] = i;
#pragma omp target map(tofrom: a[0:n])
    a[1] = 3;
    seen += a[1];
#pragma omp target map(to: a[0:n])
    a[1] = 4;
    seen += a[1]; // rex-expect: dropped-result
}

static jmp_buf jump;
static void jumps(int *a, int n)
{
    if (n)
        longjmp(jump, 1);
    a[0] = 1;
}
static void with_setjmp(void)
{
    volatile int turns = 0;
    int a[32] = {0};
#pragma omp target data map(tofrom: a)
    {
        if (!setjmp(jump)) {
            turns = turns + 1;
#pragma omp target
            a[3] = 1;
            jumps(a, 1);
        }
    }
    seen += a[3] + turns;
    if (!setjmp(jump))
        jumps(a, 1);
#pragma omp target map(to: a)
    a[5] = 1;
    seen += a[5]; // rex-expect: dropped-result
}

struct __attribute__((packed)) packed {
    char c;
    int i;
    double d;
    short s;
};
static void unaligned(void)
{
    static struct packed p[64];
    for (int i = 0; i < 64; ++i)
        p[i] = (struct packed){1, i, i, 2};
#pragma omp target teams distribute parallel for map(tofrom: p)
    for (int i = 0; i < 64; ++i) {
        p[i].i += 1;
        p[i].d *= 2;
        p[i].s = p[i].c;
    }
    seen += p[3].i + p[4].d;
#pragma omp target teams distribute parallel for map(to: p)
    for (int i = 0; i < 64; ++i)
        p[i].d *= 2;
    seen += p[3].i;
    seen += p[3].d; // rex-expect: dropped-result
    for (int i = 0; i < 64; ++i)
        p[i].d = i;
#pragma omp target teams distribute parallel for map(tofrom: p)
    for (int i = 0; i < 63; ++i)
        p[i].d = p[i + 1].d; // rex-expect: race
}

struct bits {
    unsigned a : 3, b : 5, c : 9;
    int d : 15;
    unsigned long long e : 40;
};
static void bit_fields(void)
{
    static struct bits f[32];
    struct bits one = {1, 2, 3, 4, 5};
#pragma omp target teams distribute parallel for map(tofrom: f)
    for (int i = 0; i < 32; ++i) {
        f[i].a = i & 7;
        f[i].e += f[i].a;
    }
    seen += f[3].e;
#pragma omp target map(tofrom: one)
    one.c = 7;
    seen += one.c;
#pragma omp target map(to: one)
    one.c = 8;
    seen += one.c; // rex-expect: dropped-result
    struct bits two = {0};
#pragma omp target teams distribute parallel for map(tofrom: two)
    for (int i = 0; i < 32; ++i)
        two.b = i; // rex-expect: race
    seen += two.b;
}

static void complexes(void)
{
    static double _Complex z[64];
    static long double l[64];
    for (int i = 0; i < 64; ++i)
        z[i] = i + I, l[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: z)
    for (int i = 0; i < 64; ++i) {
        z[i] *= 2 + I;
    }
    seen += creal(z[5]) + (double)l[5];
#pragma omp target map(to: z)
    {
        z[6] = 1;
    }
    seen += creal(z[6]); // rex-expect: dropped-result
}

struct inner { int a, b[4]; };
struct outer { struct inner i[4]; double d; };
static void copies(void)
{
    struct outer o = {0}, p = {0}, q = {0};
    o.i[2].b[3] = 7;
#pragma omp target map(to: o) map(from: p)
    p = o;
    seen += p.i[2].b[3];
#pragma omp target map(to: o) map(tofrom: p)
    memcpy(&p.i[1], &o.i[2], sizeof(struct inner));
    seen += p.i[1].b[3];
#pragma omp target map(tofrom: p)
    memset(&p.i[1], 0, sizeof(struct inner));
    seen += p.i[1].b[3];
#pragma omp target map(tofrom: p)
    memmove(&p.i[1], &p.i[0], 2 * sizeof(struct inner));
    seen += p.i[1].b[3];
#pragma omp target map(to: p)
    memset(&p.i[1], 1, sizeof(struct inner));
    memcpy(&q, &p, sizeof q); // rex-expect: dropped-result
    struct outer r;
#pragma omp target map(from: r)
    r.i[0].a = 1;
    seen += r.i[0].a;
    seen += r.d; // rex-expect: uninitialised-read
    struct outer s = {0}, t;
#pragma omp target map(to: s)
    s.d = 4;
    t = s; // rex-expect: dropped-result
    seen += t.d;
}

static void strings(void)
{
    char a[64] = "hello", b[64] = "";
    int n = 0;
#pragma omp target map(to: a) map(tofrom: b, n)
    {
        strcpy(b, a);
        n = (int)strlen(b);
    }
    seen += n + strlen(b);
#pragma omp target map(to: b)
    b[0] = 'x';
    seen += strcmp(b, "hello"); // rex-expect: dropped-result
#pragma omp target data map(to: a)
    {
        strcpy(a, "other");
#pragma omp target map(tofrom: n)
        n = a[0]; // rex-expect: stale-read-on-device
    }
    seen += n;
}

static void mapped_file(void)
{
    int *a = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    a[3] = 1;
#pragma omp target map(tofrom: a[0:64])
    a[3] += 1;
    seen += a[3];
#pragma omp target map(to: a[0:64])
    a[3] += 1;
    seen += a[3]; // rex-expect: dropped-result
    munmap(a, 1 << 16);
    a = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    seen += a[3];
    munmap(a, 1 << 16);
}

static void grown(void)
{
    int *a = malloc(64 * sizeof *a);
    for (int i = 0; i < 64; ++i)
        a[i] = i;
#pragma omp target map(to: a[0:64])
    a[3] = 1;
    a = realloc(a, 128 * sizeof *a);
    for (int i = 0; i < 128; ++i)
        a[i] = i;
#pragma omp target map(tofrom: a[0:128])
    a[100] = 1;
    seen += a[3] + a[100];
    free(a);
    a = malloc(128 * sizeof *a);
    a[3] = 0;
#pragma omp target map(tofrom: a[0:64])
    a[3] = a[4]; // rex-expect: uninitialised-read
    seen += a[3];
    free(a);
}

static void reused(void)
{
    for (int k = 0; k < 3; ++k) {
        int *a = malloc(64 * sizeof *a);
        a[3] = k;
#pragma omp target map(to: a[3:1])
        a[3] = 1;
        free(a);
    }
    int *a = malloc(64 * sizeof *a);
    for (int i = 0; i < 64; ++i)
        a[i] = i;
    seen += a[3];
    free(a);
}

static __attribute__((noinline)) void first_frame(void)
{
    int a[200];
    for (int i = 0; i < 200; ++i)
        a[i] = i;
#pragma omp target map(to: a)
    a[100] = 1;
}
static __attribute__((noinline)) void second_frame(void)
{
    int a[200];
    for (int i = 0; i < 200; i += 2)
        a[i] = i, a[i + 1] = 0;
    seen += a[100];
    double b = 0;
#pragma omp target map(tofrom: b) map(to: a)
    b = a[100];
    seen += b;
}

int main(void)
{
    vla(64);
    vla_on_device(64);
    on_alloca(64);
    with_setjmp();
    unaligned();
    bit_fields();
    complexes();
    copies();
    strings();
    mapped_file();
    grown();
    reused();
    first_frame();
    second_frame();
    printf("%g\n", seen);
    return 0;
}

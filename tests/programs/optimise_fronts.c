// cflags: -std=gnu11 -w
/* Statements in front of an inner loop that change what they read: such a loop must not share the grid with the loop
 * around it, because the statements would run again for each of its iterations. */
#include <stdio.h>
#include <string.h>

#define W 300
static int a[W * 4];
struct pair { int x, y[2]; };

static void show(const char *name)
{
    unsigned long sum = 0;
    for (int i = 0; i < W * 4; ++i)
        sum = sum * 31 + a[i];
    printf("%s %lu\n", name, sum);
    memset(a, 0, sizeof a);
}

static int bump(int *p) { return *p = *p * 3 + 1; }
static int twice(int *p, int *q) { return *p += *q; }
static int of_pair(struct pair *s) { return s->x = s->x * 5 + 1; }

static void front_1(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q=k++;
        for (int j = 0; j < W; j++) a[j]=q+j;
    }
    show("decl");
}

static void front_2(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q=(k+=3,k);
        for (int j = 0; j < W; j++) a[j]=q+j;
    }
    show("decl2");
}

static void front_3(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q=0; if(bump(&k)>5) q=1;
        for (int j = 0; j < W; j++) a[j]=q+j+k;
    }
    show("call in if");
}

static void front_4(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        if(bump(&k)>5)
        for (int j = 0; j < W; j++) a[j]=j+k;
    }
    show("cond call");
}

static void front_5(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        if(k++<100)
        for (int j = 0; j < W; j++) a[j]=j+k;
    }
    show("cond step");
}

static void front_6(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        (void)bump(&k);
        for (int j = 0; j < W; j++) a[j]=j+k;
    }
    show("void");
}

static void front_7(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        (void)(k=k*2);
        for (int j = 0; j < W; j++) a[j]=j+k;
    }
    show("cast");
}

static void front_8(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        k*=2, kk+=k;
        for (int j = 0; j < W; j++) a[j]=j+k+kk;
    }
    show("comma");
}

static void front_9(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q=of_pair(&st);
        for (int j = 0; j < W; j++) a[j]=j+q;
    }
    show("struct call");
}

static void front_10(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q=st.x++;
        for (int j = 0; j < W; j++) a[j]=j+q;
    }
    show("struct member");
}

static void front_11(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q=st.y[1]++;
        for (int j = 0; j < W; j++) a[j]=j+q;
    }
    show("struct array");
}

static void front_12(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q=v[0]++;
        for (int j = 0; j < W; j++) a[j]=j+q;
    }
    show("array");
}

static void front_13(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int *p=&k; int q=(*p)++;
        for (int j = 0; j < W; j++) a[j]=j+q;
    }
    show("pointer");
}

static void front_14(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int *p=&v[1]; int q=++*p;
        for (int j = 0; j < W; j++) a[j]=j+q;
    }
    show("pointer2");
}

static void front_15(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int *p=v; int q=++p[1];
        for (int j = 0; j < W; j++) a[j]=j+q;
    }
    show("array ptr");
}

static void front_16(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q=3; int *p=&q;
        for (int j = 0; j < W; j++) { (*p)++; a[j]=q; }
    }
    show("own ptr in");
}

static void front_17(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q=3; int *p=&q;
        for (int j = 0; j < W; j++) { int *r=p; *r+=j; a[j]=q; }
    }
    show("own ptr in2");
}

static void front_18(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q[2]={1,2}; int *p=q;
        for (int j = 0; j < W; j++) { p[1]++; a[j]=q[1]; }
    }
    show("own arr in");
}

static void front_19(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q=twice(&k,&v[0]);
        for (int j = 0; j < W; j++) a[j]=q+k;
    }
    show("twice");
}

static void front_20(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        if(n>5) k=7; k=k+1;
        for (int j = 0; j < W; j++) a[j]=k;
    }
    show("cond written");
}

static void front_21(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q= n>0 ? k++ : 3;
        for (int j = 0; j < W; j++) a[j]=k+q;
    }
    show("ternary");
}

static void front_22(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q= n>0 && k++;
        for (int j = 0; j < W; j++) a[j]=k+q;
    }
    show("andand");
}

static void front_23(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q= sizeof(k++)+k;
        for (int j = 0; j < W; j++) a[j]=k+q;
    }
    show("sizeof");
}

static void front_24(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        kk=kk*3+k; int q=kk;
        for (int j = 0; j < W; j++) a[j]=kk+q;
    }
    show("kk");
}

static void front_25(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        if(k<5) k+=2; else k-=1;
        for (int j = 0; j < W; j++) a[j]=k;
    }
    show("stmt if");
}

static void front_26(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        { int z=k; k=z*2; }
        for (int j = 0; j < W; j++) a[j]=k;
    }
    show("block");
}

static void front_27(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < W; j++) { int q=k++; for(int l=0;l<1;l++) a[j+l]=q; }
    }
    show("two level");
}

static void front_28(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        k++;
        for (int j = 0; j < W; j++) { int q=k; for(int l=0;l<4;l++) a[j*4+l]=q+l; }
    }
    show("two level2");
}

static void front_29(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q=k*2; k=q; q+=k;
        for (int j = 0; j < W; j++) a[j]=q;
    }
    show("fine");
}

static void front_30(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        if(k++>100) continue;
        for (int j = 0; j < W; j++) a[j]=k;
    }
    show("cont");
}

static void front_31(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q = k += 4;
        for (int j = 0; j < W; j++) a[j]=q+k;
    }
    show("opassign init");
}

static void front_32(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q[2] = {k++, k};
        for (int j = 0; j < W; j++) a[j]=q[0]+k;
    }
    show("initlist");
}

static void front_33(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        struct pair z = {k++, {1,2}};
        for (int j = 0; j < W; j++) a[j]=z.x+k;
    }
    show("struct init");
}

static void front_34(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        int q = (struct pair){k++}.x;
        for (int j = 0; j < W; j++) a[j]=q+k;
    }
    show("compound lit");
}

static void front_35(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < W; j++) { a[j]=k; } for(int j=0;j<W;j++) { a[j]+=k; k=j; }
    }
    show("side by side");
}

static void front_36(int n, int k, long kk, struct pair st)
{
    int v[2] = {4, 5};
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(k, st, v, kk)
    for (int i = 0; i < n; i++) {
        k=k+1; int m=W-k;
        for (int j = 0; j < W; j++) if(j<m) a[j]=k;
    }
    show("outer bound");
}

int main(void)
{
    struct pair st = {1, {2, 3}};
    front_1(1, 2, 3, st);
    front_2(1, 2, 3, st);
    front_3(1, 2, 3, st);
    front_4(1, 2, 3, st);
    front_5(1, 2, 3, st);
    front_6(1, 2, 3, st);
    front_7(1, 2, 3, st);
    front_8(1, 2, 3, st);
    front_9(1, 2, 3, st);
    front_10(1, 2, 3, st);
    front_11(1, 2, 3, st);
    front_12(1, 2, 3, st);
    front_13(1, 2, 3, st);
    front_14(1, 2, 3, st);
    front_15(1, 2, 3, st);
    front_16(1, 2, 3, st);
    front_17(1, 2, 3, st);
    front_18(1, 2, 3, st);
    front_19(1, 2, 3, st);
    front_20(1, 2, 3, st);
    front_21(1, 2, 3, st);
    front_22(1, 2, 3, st);
    front_23(1, 2, 3, st);
    front_24(1, 2, 3, st);
    front_25(1, 2, 3, st);
    front_26(1, 2, 3, st);
    front_27(1, 2, 3, st);
    front_28(1, 2, 3, st);
    front_29(1, 2, 3, st);
    front_30(1, 2, 3, st);
    front_31(1, 2, 3, st);
    front_32(1, 2, 3, st);
    front_33(1, 2, 3, st);
    front_34(1, 2, 3, st);
    front_35(1, 2, 3, st);
    front_36(1, 2, 3, st);
    return 0;
}

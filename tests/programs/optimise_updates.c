// cflags: -std=gnu11 -w
/* Updates of reduced variables inside an iteration: some may be made in any order, the others must be made in theirs. */
#include <math.h>
#include <stdio.h>

#define W 200
static int a[W + 4], b[W + 4];
static double d[W + 4];
static float f[W + 4];
static unsigned char u[W + 4];
static long l[W + 4];
static signed char sc[W + 4];

static int id(int x) { return x; }
static int inc(int *p) { return ++*p; }

static void init(void)
{
    for (int i = 0; i < W + 4; i++) {
        a[i] = (i * 37) % 61, b[i] = 0, d[i] = -0.25 * (i % 7), f[i] = (i * 7) % 13 + 0.5f;
        u[i] = i * 7, l[i] = (long)i * 0x300000001L, sc[i] = i * 5;
    }
}

static unsigned long sum(void)
{
    unsigned long s = 0;
    for (int i = 0; i < W; i++)
        s = s * 31 + b[i];
    return s;
}

static void update_1(int n, int k)
{
    init();
    int s = 100;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s+=d[j];
    printf("int += double: %d %lu\n", s, sum());
}

static void update_2(int n, int k)
{
    init();
    int s = 100;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s=s+d[j];
    printf("int = int + double: %d %lu\n", s, sum());
}

static void update_3(int n, int k)
{
    init();
    int s = 100;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s-=d[j];
    printf("int -= double: %d %lu\n", s, sum());
}

static void update_4(int n, int k)
{
    init();
    int s = 3;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(*: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s*=(j==5?2.5:1.0);
    printf("int *= double: %d %lu\n", s, sum());
}

static void update_5(int n, int k)
{
    init();
    signed char s = 3;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s+=d[j];
    printf("char += double: %d %lu\n", s, sum());
}

static void update_6(int n, int k)
{
    init();
    _Bool s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s+=a[j]==5;
    printf("bool +=: %d %lu\n", s, sum());
}

static void update_7(int n, int k)
{
    init();
    _Bool s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(|: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s|=(j==7)*2;
    printf("bool |=: %d %lu\n", s, sum());
}

static void update_8(int n, int k)
{
    init();
    _Bool s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(^: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s^=a[j]==5?2:0;
    printf("bool ^=: %d %lu\n", s, sum());
}

static void update_9(int n, int k)
{
    init();
    _Bool s = 1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(&: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s&=a[j]|1;
    printf("bool &=: %d %lu\n", s, sum());
}

static void update_10(int n, int k)
{
    init();
    _Bool s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            if(a[j]==5) s++;
    printf("bool ++: %d %lu\n", s, sum());
}

static void update_11(int n, int k)
{
    init();
    unsigned char s = 3;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s+=u[j];
    printf("uchar +: %d %lu\n", s, sum());
}

static void update_12(int n, int k)
{
    init();
    unsigned char s = 3;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(*: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s*=u[j]|1;
    printf("uchar *: %d %lu\n", s, sum());
}

static void update_13(int n, int k)
{
    init();
    signed char s = 3;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s+=a[j]*1000;
    printf("schar + int: %d %lu\n", s, sum());
}

static void update_14(int n, int k)
{
    init();
    int s = 3;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s+=l[j];
    printf("int + long: %d %lu\n", s, sum());
}

static void update_15(int n, int k)
{
    init();
    int s = 3;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(^: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s^=l[j];
    printf("int ^ long: %d %lu\n", s, sum());
}

static void update_16(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            b[j]=(s+=a[j]);
    printf("value used: %d %lu\n", s, sum());
}

static void update_17(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            b[j]=s++;
    printf("value used2: %d %lu\n", s, sum());
}

static void update_18(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            b[s++]=j;
    printf("value used3: %d %lu\n", s, sum());
}

static void update_19(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            if((s+=a[j])>50) b[j]=1;
    printf("value used4: %d %lu\n", s, sum());
}

static void update_20(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(^: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            if(s^=a[j]) b[j]=1;
    printf("value used5: %d %lu\n", s, sum());
}

static void update_21(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            for(int t=0;t<(s+=2)%5;t++) b[j]++;
    printf("value used6: %d %lu\n", s, sum());
}

static void update_22(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(||: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s = s || (b[j]=a[j]+1,a[j]);
    printf("lor: %d %lu\n", s, sum());
}

static void update_23(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(||: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s = s || inc(&b[j])>1 || a[j]==9;
    printf("lor call: %d %lu\n", s, sum());
}

static void update_24(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(||: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s = (a[j]==5) || s;
    printf("lor right: %d %lu\n", s, sum());
}

static void update_25(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(||: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s = (b[j]++,a[j]==5) || s;
    printf("lor right fx: %d %lu\n", s, sum());
}

static void update_26(int n, int k)
{
    init();
    int s = 1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(&&: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s = s && (b[j]=a[j]+1,a[j]!=5);
    printf("land: %d %lu\n", s, sum());
}

static void update_27(int n, int k)
{
    init();
    int s = 1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(&&: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s = s && (8/(a[j]-74));
    printf("land oob: %d %lu\n", s, sum());
}

static void update_28(int n, int k)
{
    init();
    double s = 2.5;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(&&: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s = s && a[j]!=5;
    printf("land d: %g %lu\n", s, sum());
}

static void update_29(int n, int k)
{
    init();
    int s = -1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(max: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            if(a[j]>s) s=a[j];
    printf("max if: %d %lu\n", s, sum());
}

static void update_30(int n, int k)
{
    init();
    int s = -1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(max: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            if((unsigned)a[j]>s) s=(unsigned)a[j];
    printf("max uns: %d %lu\n", s, sum());
}

static void update_31(int n, int k)
{
    init();
    int s = -1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(max: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            if(sc[j]>s) s=sc[j];
    printf("max sc: %d %lu\n", s, sum());
}

static void update_32(int n, int k)
{
    init();
    signed char s = -1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(max: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            if(a[j]*3>s) s=a[j]*3;
    printf("max narrow: %d %lu\n", s, sum());
}

static void update_33(int n, int k)
{
    init();
    short s = -1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(max: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s = l[j]>s ? l[j] : s;
    printf("max narrow2: %d %lu\n", s, sum());
}

static void update_34(int n, int k)
{
    init();
    int s = 1000;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(min: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s = s < a[j] ? s : a[j];
    printf("min ter: %d %lu\n", s, sum());
}

static void update_35(int n, int k)
{
    init();
    int s = 1000;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(min: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s = a[j] < s ? a[j] : s;
    printf("min ter2: %d %lu\n", s, sum());
}

static void update_36(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(max: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            if(a[j]<s) s=a[j];
    printf("wrong dir: %d %lu\n", s, sum());
}

static void update_37(int n, int k)
{
    init();
    int s = -1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(max: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            { int m=j; if(a[m++]>s) s=a[m++]; }
    printf("max fx: %d %lu\n", s, sum());
}

static void update_38(int n, int k)
{
    init();
    double s = -1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(max: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            { if(j==40) d[j]=NAN; s=fmax(s,d[j]); }
    printf("fmax: %g %lu\n", s, sum());
}

static void update_39(int n, int k)
{
    init();
    double s = -1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(max: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s=fmaxf(s,d[j]+1e-9);
    printf("fmaxf: %.17g %lu\n", s, sum());
}

static void update_40(int n, int k)
{
    init();
    float s = -1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(max: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            { float v=j==50?NAN:f[j]; s = s > v ? s : v; }
    printf("float max: %g %lu\n", s, sum());
}

static void update_41(int n, int k)
{
    init();
    float s = -1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(max: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            { float v=j==50?NAN:f[j]; s = v > s ? v : s; }
    printf("float max2: %g %lu\n", s, sum());
}

static void update_42(int n, int k)
{
    init();
    float s = -1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(max: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            { float v=j==50?NAN:f[j]; if (!(v <= s)) s=v; }
    printf("float max3: %g %lu\n", s, sum());
}

static void update_43(int n, int k)
{
    init();
    int s = -1;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(max: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s=fmax(s,f[j]);
    printf("int fmax: %d %lu\n", s, sum());
}

static void update_44(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s+=id(a[j]);
    printf("pure: %d %lu\n", s, sum());
}

static void update_45(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            if(a[j]&1) s+=a[j];
    printf("cond: %d %lu\n", s, sum());
}

static void update_46(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            if(s<500) s+=a[j];
    printf("cond s: %d %lu\n", s, sum());
}

static void update_47(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s=a[j]-s;
    printf("swap: %d %lu\n", s, sum());
}

static void update_48(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s+=k++;
    printf("k own: %d %lu\n", s, sum());
}

static void update_49(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            { s+=k; k=j; }
    printf("k own2: %d %lu\n", s, sum());
}

static void update_50(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            { volatile int v=a[j]; s+=v; }
    printf("volat: %d %lu\n", s, sum());
}

static void update_51(int n, int k)
{
    init();
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            switch(a[j]&3){ case 0: s+=1; case 1: s+=2; break; default: s+=7; }
    printf("switch: %d %lu\n", s, sum());
}

static void update_52(int n, int k)
{
    init();
    float s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s+=d[j]*1e-3;
    printf("float+=double: %.3g %lu\n", s, sum());
}

static void update_53(int n, int k)
{
    init();
    unsigned long s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s+=f[j];
    printf("ul += float: %lu %lu\n", s, sum());
}

static void update_54(int n, int k)
{
    init();
    long s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(+: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s+=(long)f[j];
    printf("long += f: %ld %lu\n", s, sum());
}

static void update_55(int n, int k)
{
    init();
    unsigned s = ~0u;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(&: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s&=~a[j]|255;
    printf("andassign: %u %lu\n", s, sum());
}

static void update_56(int n, int k)
{
    init();
    unsigned char s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, d, f, u, l, sc) reduction(|: s) firstprivate(k)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < W; j++)
            s|=a[j]*3;
    printf("or: %u %lu\n", s, sum());
}

int main(void)
{
    update_1(1, 3);
    update_2(1, 3);
    update_3(1, 3);
    update_4(1, 3);
    update_5(1, 3);
    update_6(1, 3);
    update_7(1, 3);
    update_8(1, 3);
    update_9(1, 3);
    update_10(1, 3);
    update_11(1, 3);
    update_12(1, 3);
    update_13(1, 3);
    update_14(1, 3);
    update_15(1, 3);
    update_16(1, 3);
    update_17(1, 3);
    update_18(1, 3);
    update_19(1, 3);
    update_20(1, 3);
    update_21(1, 3);
    update_22(1, 3);
    update_23(1, 3);
    update_24(1, 3);
    update_25(1, 3);
    update_26(1, 3);
    update_27(1, 3);
    update_28(1, 3);
    update_29(1, 3);
    update_30(1, 3);
    update_31(1, 3);
    update_32(1, 3);
    update_33(1, 3);
    update_34(1, 3);
    update_35(1, 3);
    update_36(1, 3);
    update_37(1, 3);
    update_38(1, 3);
    update_39(1, 3);
    update_40(1, 3);
    update_41(1, 3);
    update_42(1, 3);
    update_43(1, 3);
    update_44(1, 3);
    update_45(1, 3);
    update_46(1, 3);
    update_47(1, 3);
    update_48(1, 3);
    update_49(1, 3);
    update_50(1, 3);
    update_51(1, 3);
    update_52(1, 3);
    update_53(1, 3);
    update_54(1, 3);
    update_55(1, 3);
    update_56(1, 3);
    return 0;
}

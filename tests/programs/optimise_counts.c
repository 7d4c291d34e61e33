// cflags: -std=gnu11 -w
/* Loops whose counters wrap around, or end on '!=', and subscripts that are computed modulo 2^8 to 2^64. OpenMP promises
 * only of the loops of a construct that they are counted beforehand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned h[65536], g[65536];

static void show(int id, unsigned t)
{
    unsigned long s = 0;
    for (int i = 0; i < 65536; i++)
        s = s * 31 + h[i] * 3 + g[i];
    printf("%d %u %lu\n", id, t, s);
    memset(h, 0, sizeof h);
    memset(g, 0, sizeof g);
}

static void k1(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned char k=first; k!=last; k++) { h[(int)(k*0x100000000ul+(k&63))&255]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(1, t);
}

static void k2(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned char k=first; k!=last; k++) { g[(unsigned char)(int)k]=h[(unsigned char)k]; t+=3; }
    show(2, t);
}

static void k3(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned char k=last; k!=first; k--) { h[(unsigned char)k]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(3, t);
}

static void k4(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned char k=last; k!=first; k--) { g[(unsigned short)k]=h[(unsigned char)k]; t+=3; }
    show(4, t);
}

static void k5(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(signed char k=100; k!=(signed char)(last-120); k++) { h[(unsigned char)(k*3)]=h[(unsigned char)(k*3)]*5u+(unsigned)k; t^=(unsigned)k; }
    show(5, t);
}

static void k6(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(signed char k=100; k!=(signed char)(last-120); k++) { h[(unsigned short)k]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(6, t);
}

static void k7(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned short k=65500; k!=(unsigned short)(n*8); k++) { h[(unsigned short)k]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(7, t);
}

static void k8(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned short k=65500; k!=(unsigned short)(n*8); k++) { h[(unsigned char)k]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(8, t);
}

static void k9(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(short k=32700; k!=(short)(n-32768); k++) { h[(unsigned char)(int)k]=h[(unsigned char)(int)k]*5u+(unsigned)k; t^=(unsigned)k; }
    show(9, t);
}

static void k10(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(short k=32700; k!=(short)(n-32768); k++) { h[(unsigned char)(k*3)]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(10, t);
}

static void k11(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned k=n-1; k!=-1u; k--) { g[(unsigned char)(k*3)]=h[(unsigned char)k]+t; t+=3; }
    show(11, t);
}

static void k12(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned k=n-1; k!=-1u; k--) { h[(unsigned char)(int)k]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(12, t);
}

static void k13(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned k=-5; k!=n; k++) { g[(unsigned short)k]=h[(unsigned char)k]+t; t+=3; }
    show(13, t);
}

static void k14(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned k=-5; k!=n; k++) { h[(unsigned char)(k*3)]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(14, t);
}

static void k15(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned k=n; k!=0; k--) { g[(unsigned short)k]=h[(unsigned char)k]+t; t+=3; }
    show(15, t);
}

static void k16(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned k=n; k!=0; k--) { h[(unsigned short)k]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(16, t);
}

static void k17(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned k=0; k!=n; k++) { g[(unsigned short)k]=h[(unsigned char)k]+t; t+=3; }
    show(17, t);
}

static void k18(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned k=0; k!=n; k++) { h[(unsigned char)(int)k]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(18, t);
}

static void k19(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned long k=n-1; k!=-1ul; k--) { h[(k&255)]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(19, t);
}

static void k20(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned long k=n-1; k!=-1ul; k--) { h[(unsigned long)k*0x8000000000000000ul%1021 & 255]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(20, t);
}

static void k21(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned long k=-7ul; k!=(unsigned long)n; k++) { h[((unsigned)k*0x10000000u+(unsigned)k)%256]=h[((unsigned)k*0x10000000u+(unsigned)k)%256]*5u+(unsigned)k; t^=(unsigned)k; }
    show(21, t);
}

static void k22(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned long k=-7ul; k!=(unsigned long)n; k++) { g[(unsigned char)(k>>32)]=h[(unsigned char)k]; t+=3; }
    show(22, t);
}

static void k23(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(size_t k=0; k!=n; ++k) { g[(unsigned char)(k*3)]=h[(unsigned char)k]+t; t+=3; }
    show(23, t);
}

static void k24(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(size_t k=0; k!=n; ++k) { g[(unsigned char)((unsigned short)k/2)]=h[(unsigned char)k]; t+=3; }
    show(24, t);
}

static void k25(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(int k=0; k!=n; k++) { g[(unsigned short)k]=h[(unsigned char)k]+t; t+=3; }
    show(25, t);
}

static void k26(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(int k=0; k!=n; k++) { h[(k&255)]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(26, t);
}

static void k27(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(int k=n; k!=-1; --k) { g[(unsigned short)k]=h[(unsigned char)k]+t; t+=3; }
    show(27, t);
}

static void k28(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(int k=n; k!=-1; --k) { h[(unsigned short)k]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(28, t);
}

static void k29(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(long k=-3; k!=n; k++) { h[(unsigned char)((unsigned short)k/2)]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(29, t);
}

static void k30(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(long k=-3; k!=n; k++) { g[(unsigned long)k*0x8000000000000000ul%1021 & 255]=h[(unsigned char)k]; t+=3; }
    show(30, t);
}

static void k31(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(int k=-5; k!=(unsigned)n; k++) { g[(unsigned char)(k*3)]=h[(unsigned char)k]+t; t+=3; }
    show(31, t);
}

static void k32(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(int k=-5; k!=(unsigned)n; k++) { g[(unsigned char)k]=h[(unsigned char)k]; t+=3; }
    show(32, t);
}

static void k33(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned char k=0; k<250; k+=20) { h[((unsigned)k*0x10000000u+(unsigned)k)%256]=h[((unsigned)k*0x10000000u+(unsigned)k)%256]*5u+(unsigned)k; t^=(unsigned)k; }
    show(33, t);
}

static void k34(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned char k=0; k<250; k+=20) { g[(unsigned short)k]=h[(unsigned char)k]; t+=3; }
    show(34, t);
}

static void k35(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned char k=first; k<(unsigned char)(last+150); k+=3) { h[(unsigned char)(int)k]=h[(unsigned char)(int)k]*5u+(unsigned)k; t^=(unsigned)k; }
    show(35, t);
}

static void k36(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned char k=first; k<(unsigned char)(last+150); k+=3) { g[(unsigned long)k*0x8000000000000000ul%1021 & 255]=h[(unsigned char)k]; t+=3; }
    show(36, t);
}

static void k37(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned char k=first+1; k<=200; k+=100) { h[(unsigned long)k*0x8000000000000000ul%1021 & 255]=h[(unsigned long)k*0x8000000000000000ul%1021 & 255]*5u+(unsigned)k; t^=(unsigned)k; }
    show(37, t);
}

static void k38(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned char k=first+1; k<=200; k+=100) { h[(unsigned char)((unsigned short)k/2)]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(38, t);
}

static void k39(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(signed char k=-100; k<120; k+=7) { h[(unsigned short)k]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(39, t);
}

static void k40(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(signed char k=-100; k<120; k+=7) { h[(unsigned short)k]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(40, t);
}

static void k41(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned short k=0; k<65520; k+=1000) { g[(unsigned char)(k*3)]=h[(unsigned char)k]+t; t+=3; }
    show(41, t);
}

static void k42(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned short k=0; k<65520; k+=1000) { g[(unsigned char)((unsigned short)k/2)]=h[(unsigned char)k]; t+=3; }
    show(42, t);
}

static void k43(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned k=0; k<n; k+=3) { h[(unsigned long)k*0x8000000000000000ul%1021 & 255]=h[(unsigned long)k*0x8000000000000000ul%1021 & 255]*5u+(unsigned)k; t^=(unsigned)k; }
    show(43, t);
}

static void k44(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(^:t)
    for(int i=0;i<m;i++) for(unsigned k=0; k<n; k+=3) { h[(unsigned short)k]=h[(unsigned short)k]*5u+(unsigned)k; t^=(unsigned)k; }
    show(44, t);
}

static void k45(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned k=4294967000u; k<4294967290u; k+=7) { g[(unsigned char)((unsigned short)k/2)]=h[(unsigned char)k]+t; t+=3; }
    show(45, t);
}

static void k46(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned k=4294967000u; k<4294967290u; k+=7) { h[(unsigned char)(k*3)]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(46, t);
}

static void k47(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned char k=200; k>3; k-=7) { h[(unsigned short)k]=h[(unsigned short)k]*5u+(unsigned)k; t^=(unsigned)k; }
    show(47, t);
}

static void k48(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(^:t)
    for(int i=0;i<m;i++) for(unsigned char k=200; k>3; k-=7) { h[(k&255)]=h[(k&255)]*5u+(unsigned)k; t^=(unsigned)k; }
    show(48, t);
}

static void k49(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned short k=50; k>=3; k-=7) { h[(k&255)]=h[(k&255)]*5u+(unsigned)k; t^=(unsigned)k; }
    show(49, t);
}

static void k50(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned short k=50; k>=3; k-=7) { h[(unsigned char)(int)k]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(50, t);
}

static void k51(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned k=n; k>2; k-=2) { h[(unsigned short)k]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(51, t);
}

static void k52(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned k=n; k>2; k-=2) { g[(unsigned short)k]=h[(unsigned char)k]; t+=3; }
    show(52, t);
}

static void k53(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(long k=0; k<(long)n<<32; k+=1L<<32) { h[(unsigned short)k]=h[(unsigned short)k]*5u+(unsigned)k; t^=(unsigned)k; }
    show(53, t);
}

static void k54(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(long k=0; k<(long)n<<32; k+=1L<<32) { g[(unsigned char)((unsigned short)k/2)]=h[(unsigned char)k]; t+=3; }
    show(54, t);
}

static void k55(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned long k=0; k<3ul*n; k+=3) { g[(unsigned char)((unsigned short)k/2)]=h[(unsigned char)k]+t; t+=3; }
    show(55, t);
}

static void k56(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned long k=0; k<3ul*n; k+=3) { g[(unsigned char)(int)k]=h[(unsigned char)k]; t+=3; }
    show(56, t);
}

static void k57(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(short k=-20; k<=n; k+=4) { h[(unsigned short)k]=h[(unsigned short)k]*5u+(unsigned)k; t^=(unsigned)k; }
    show(57, t);
}

static void k58(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(short k=-20; k<=n; k+=4) { h[(unsigned char)(k*3)]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(58, t);
}

static void k59(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(unsigned char k=0; k<n; k++) { h[(unsigned char)((unsigned short)k/2)]=h[(unsigned char)((unsigned short)k/2)]*5u+(unsigned)k; t^=(unsigned)k; }
    show(59, t);
}

static void k60(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(unsigned char k=0; k<n; k++) { g[(unsigned short)k]=h[(unsigned char)k]; t+=3; }
    show(60, t);
}

static void k61(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(int k=n; k>=0; k--) { h[(unsigned char)(k*3)]+=(unsigned)k*3u+1; t+=(unsigned)k; }
    show(61, t);
}

static void k62(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(int k=n; k>=0; k--) { g[(unsigned short)k]=h[(unsigned char)k]; t+=3; }
    show(62, t);
}

static void k63(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target map(tofrom:h,g) map(tofrom:t)
    for(long k=n; k>0; k-=2) { g[((unsigned)k*0x10000000u+(unsigned)k)%256]=h[(unsigned char)k]+t; t+=3; }
    show(63, t);
}

static void k64(int m, int n, unsigned char first, unsigned char last)
{
    unsigned t = 0;
#pragma omp target teams distribute parallel for map(tofrom:h,g) reduction(+:t)
    for(int i=0;i<m;i++) for(long k=n; k>0; k-=2) { g[(unsigned short)k]=h[(unsigned char)k]; t+=3; }
    show(64, t);
}

static void long_subscripts(int n, long *a)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:6008])
    for (int i = 0; i < n; i++)
        for (unsigned long j = 0; j < 6000; j++)
            if ((j - 1001UL) % 3 == 0)
                a[i * 6000 + j + 1] = a[i * 6000 + j] * 5 + 1;
#pragma omp target teams distribute parallel for map(tofrom: a[0:64])
    for (int i = 0; i < n; i++)
        for (unsigned long j = 0; j < 4000; j += 2)
            a[j * 0x8000000000000000UL + i * 8] = a[j * 0x8000000000000000UL + i * 8] * 3 + j;
#pragma omp target teams distribute parallel for map(tofrom: a[0:64])
    for (int i = 0; i < n; i++) {
        long *r = a + 8 + i * 8;
        for (long j = 0; j < (200L << 32); j += (1L << 32))
            r[(int)j] = r[(int)j] * 3 + (j >> 32);
    }
#pragma omp target teams distribute parallel for map(tofrom: a[0:256])
    for (int i = 0; i < n; i++)
        for (size_t j = 0; j < 512; j++)
            a[(size_t)n * (j << 63) + 20 + (unsigned char)j % 7] += j;
    unsigned long s = 0;
    for (int i = 0; i < 6008; i++)
        s = s * 31 + a[i];
    printf("%lu\n", s);
}

int main(void)
{
    long *a = malloc(6008 * sizeof(long));
    for (int i = 0; i < 6008; i++)
        a[i] = i;
    k1(1, 40, 1, 0);
    k2(1, 40, 1, 0);
    k3(1, 40, 1, 0);
    k4(1, 40, 1, 0);
    k5(1, 40, 1, 0);
    k6(1, 40, 1, 0);
    k7(1, 40, 1, 0);
    k8(1, 40, 1, 0);
    k9(1, 40, 1, 0);
    k10(1, 40, 1, 0);
    k11(1, 40, 1, 0);
    k12(1, 40, 1, 0);
    k13(1, 40, 1, 0);
    k14(1, 40, 1, 0);
    k15(1, 40, 1, 0);
    k16(1, 40, 1, 0);
    k17(1, 40, 1, 0);
    k18(1, 40, 1, 0);
    k19(1, 40, 1, 0);
    k20(1, 40, 1, 0);
    k21(1, 40, 1, 0);
    k22(1, 40, 1, 0);
    k23(1, 40, 1, 0);
    k24(1, 40, 1, 0);
    k25(1, 40, 1, 0);
    k26(1, 40, 1, 0);
    k27(1, 40, 1, 0);
    k28(1, 40, 1, 0);
    k29(1, 40, 1, 0);
    k30(1, 40, 1, 0);
    k31(1, 40, 1, 0);
    k32(1, 40, 1, 0);
    k33(1, 40, 1, 0);
    k34(1, 40, 1, 0);
    k35(1, 40, 1, 0);
    k36(1, 40, 1, 0);
    k37(1, 40, 1, 0);
    k38(1, 40, 1, 0);
    k39(1, 40, 1, 0);
    k40(1, 40, 1, 0);
    k41(1, 40, 1, 0);
    k42(1, 40, 1, 0);
    k43(1, 40, 1, 0);
    k44(1, 40, 1, 0);
    k45(1, 40, 1, 0);
    k46(1, 40, 1, 0);
    k47(1, 40, 1, 0);
    k48(1, 40, 1, 0);
    k49(1, 40, 1, 0);
    k50(1, 40, 1, 0);
    k51(1, 40, 1, 0);
    k52(1, 40, 1, 0);
    k53(1, 40, 1, 0);
    k54(1, 40, 1, 0);
    k55(1, 40, 1, 0);
    k56(1, 40, 1, 0);
    k57(1, 40, 1, 0);
    k58(1, 40, 1, 0);
    k59(1, 40, 1, 0);
    k60(1, 40, 1, 0);
    k61(1, 40, 1, 0);
    k62(1, 40, 1, 0);
    k63(1, 40, 1, 0);
    k64(1, 40, 1, 0);
    long_subscripts(1, a);
    free(a);
    return 0;
}

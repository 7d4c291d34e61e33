// cflags: -std=gnu11 -w
/* Bit-fields that are wider than int have a type of their own width in gcc's C. */
#include <stdio.h>

struct B { unsigned long b:40; long s:36; unsigned u:31; int m:5; _Bool f:1; unsigned char c:3; };
static void one(void)
{
     unsigned long r[20];
    for(int i=0;i<20;i++)r[i]=0;
    struct B x={0xffffffffffUL,-5,0x7fffffff,-3,1,7};
#pragma omp target map(tofrom:r) map(tofrom:x)
{ r[0]=x.b+x.b;
    r[1]=x.b<<8;
    r[2]=x.b*x.b;
    r[3]=x.s*3;
    r[4]=(x.u+1)>0;
    r[5]=x.m>>1;
    r[6]=(x.b+1);
    r[7]=~x.b;
    r[8]=-x.b;
    r[9]=(x.m=9);
    r[10]=x.m;
    r[11]=x.f++;
    r[12]=x.f;
    r[13]=x.f--;
    r[14]=x.f;
    r[15]=++x.c;
    r[16]=x.c;
    r[17]=(x.c-=2);
    r[18]=x.s<0x1000000000;
    r[19]=(x.u-0x7fffffff-1)<0;
    x.b+=3;
    x.s-=7;
    }
for(int i=0;i<20;i++)printf("%lu ",r[i]);
    printf("%lu %ld\n",(unsigned long)x.b,(long)x.s);
}

struct C { unsigned long b:40; long s:36; unsigned long c:33; long long t:40; unsigned u:31; };
static void two(void)
{
     unsigned long r[24];
    for(int i=0;i<24;i++)r[i]=0;
    struct C x={0xffffffffffUL,-5,0x1ffffffffUL,-7,5};
#pragma omp target map(tofrom:r) map(tofrom:x)
{ r[0]=(x.b+x.b)+x.b;
    r[1]=(x.b<<8)>>4;
    r[2]=x.b*x.c;
    r[3]=-x.c;
    r[4]=~x.b;
    r[5]=x.b+x.u;
    r[6]=x.b+1L;
    r[7]=x.b+x.s;
    r[8]=(x.b+1)/2;
    r[9]=(x.b+1)==0;
    r[10]=x.s*3;
    r[11]=x.s<<2;
    r[12]=x.c-x.b;
    r[13]=(r[0]?x.b:x.c)+1;
    r[14]=(x.b=x.b+5)+0;
    r[15]=x.b++ + x.c;
    r[16]=(x.b, x.c)+1;
    r[17]=x.b+2.5;
    r[18]=x.t+x.s;
    r[19]=x.b>3;
    r[20]=x.c^x.b;
    x.b+=x.c;
    x.c*=3;
    r[21]=x.b%1000;
    r[22]=x.b|x.s;
    int k=x.b+1;
    r[23]=k;
    }
for(int i=0;i<24;i++)printf("%lx ",r[i]);
    printf("%lu %ld\n",(unsigned long)x.b,(long)x.s);
}

int main(void)
{
    one();
    two();
    return 0;
}

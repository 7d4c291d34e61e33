/* K&R definitions, declarations without a type, calls without a declaration. */
// cflags: -std=gnu89

/* kr */
int add_kr(a, b) int a; int b; { return a + b; }
double sc(x, n, p) double x; register int n; char *p; { return x * n; }
int noparm() { return 1; }
static first(a) { return a; }
fimplicit(a, b) char b; { return a + b; }
int arr(a, fn) int a[]; int (*fn)(); { return fn(a[0]); }
int multi(a, b, c) int a, *b; struct s_kr { int z; } *c; { return a + *b + c->z; }
int f_kr(n) int n; {
#pragma omp target map(tofrom: n)
    n = n + 1;
    return add_kr(n, 3);
}

/* implicit int */
x;
static y = 3;
main2() { return 0; }
foo(a) { auto b = 3; register c = 4; const d = 5; static e_implicit_int; return a + b + c + d + e_implicit_int; }
extern z;
const k = 3;
int f_implicit_int(int n) {
    unknown_function(n);
    n = also_unknown(n, 2);
#pragma omp target map(tofrom: n)
    n++;
    return n;
}
typedef tt;
tt w = 2;
*ptr;
volatile vv;

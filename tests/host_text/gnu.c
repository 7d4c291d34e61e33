/* GNU C around regions: nested functions, statement expressions, computed goto, builtins that take types. */
#include <stdlib.h>
#include <stddef.h>
#include <stdarg.h>
#include <stdio.h>

/* static assert struct */
struct s_static_assert_struct { int a; _Static_assert(sizeof(int) == 4, "four"); int b; };
struct s2 { _Static_assert(1, "x"); _Static_assert(1); char c; };
union u { int a; _Static_assert(sizeof(long) == 8, "eight"); };
int f_static_assert_struct(struct s_static_assert_struct *p, int n) {
    struct l { int q; _Static_assert(1, "local"); } x = {1};
    int t = 0;
#pragma omp target map(tofrom: t) map(to: p[0:1])
    t = p->b + n + x.q;
    return t;
}

/* static assert forms */
_Static_assert(1);
_Static_assert(sizeof(int) == 4, "a" "b");
int f_static_assert_forms(int n) {
    _Static_assert(1);
    for (_Static_assert(1, ""); n; n--) ;
#pragma omp target map(tofrom: n)
    n++;
    _Static_assert(1, "at end");
    return n;
}

/* cleanup */
static void done(int **p) { free(*p); }
int f_cleanup(int n) {
    __attribute__((cleanup(done))) int *p = malloc(4);
    int *q __attribute__((__cleanup__(done))) = malloc(4);
#pragma omp target map(tofrom: n)
    n++;
    { int *r __attribute__((cleanup(done), unused)) = 0; }
    return n;
}

/* nested function */
int f_nested_function(int n) {
    int add_nested_function(int x) { return x + n; }
    auto int later(int);
    int r = add_nested_function(3) + later(2);
    int later(int q) { return q; }
#pragma omp target map(tofrom: r)
    r++;
    return r;
}

/* nested function elsewhere */
int g_nested_function_elsewhere(int n) {
    __label__ out;
    void jump(int x) { if (x) goto out; }
    jump(n);
    return 1;
out:
    return 2;
}
int f_nested_function_elsewhere(int n) {
#pragma omp target map(tofrom: n)
    n++;
    return n;
}

/* auto type */
int f_auto_type(int n) {
    __auto_type a = n; __auto_type b = 2;
    const __auto_type c = 3.0;
    __auto_type const d = 3.0;
    static __auto_type e_auto_type = 3;
    int *pp = &n;
#pragma omp target map(tofrom: n)
    n += a + b + c;
    for (__auto_type i = 0; i < 3; i++) n += i;
    return n + d + e_auto_type + *pp;
}
__auto_type file = 3L;

/* auto type2 */
#define SWAP(a, b) do { __auto_type t = (a); (a) = (b); (b) = t; } while (0)
#define MAXV(a, b) ({ __auto_type _a = (a); __auto_type _b = (b); _a > _b ? _a : _b; })
struct s_auto_type2 { int x[3]; };
int f_auto_type2(int n, struct s_auto_type2 s_auto_type2) {
    int m = 3;
    struct s_auto_type2 t = s_auto_type2;
    SWAP(n, m);
    SWAP(s_auto_type2, t);
    __auto_type fn = f_auto_type2;
    __auto_type arr = s_auto_type2.x;
#pragma omp target map(tofrom: n)
    n += MAXV(m, 2);
    return MAXV(n, m) + arr[0];
}

/* asm goto */
int f_asm_goto(int n) {
    asm goto ("jmp %l0" : : : : done);
    asm volatile goto ("" : : "r"(n) : "memory" : done);
    __asm__ __volatile__ ("nop");
    asm inline ("nop");
    asm ("" : "+r"(n));
    asm ("mov %1, %0" : [out] "=r"(n) : [in] "r"(n) : "cc");
done:
#pragma omp target map(tofrom: n)
    n++;
    return n;
}
asm(".globl xyz\n");
int named(void) asm("other_name");
register int r asm("rbx");
int g_asm_goto(void) { register int x asm("r12") = 3; return x; }

/* stmt expr */
#define MAXV(a, b) ({ struct q { int z; } _q = {0}; typeof(a) _a = (a); typeof(b) _b = (b); int k[3] = {1}; _a > _b ? _a : _b + k[0] + _q.z; })
int f_stmt_expr(int n) {
    int m = MAXV(n, 3);
    int w = ({ int i; for (i = 0; i < 3; i++) ; i; });
    ({ ; });
    ({ goto l; l: m++; });
    int a[({ int t = 3; t; })];
    if (({ n; })) m++;
    int z = ({ ({ 3; }) + ({ 4; }); });
    int v = ({ if (n) m++; else m--; switch (m) { case 1: break; } m; });
#pragma omp target map(tofrom: n)
    n += MAXV(m, w);
    return n + z + v + sizeof a;
}

/* choose expr */
#define PICK(x) __builtin_choose_expr(__builtin_types_compatible_p(typeof(x), double), sin_like(x), other(x))
#define IS_ARR(x) __builtin_types_compatible_p(typeof(x), typeof(&(x)[0]))
struct undefined_s;
static double sin_like(double x) { return x; }
static int other(int x) { return x; }
int f_choose_expr(int n) {
    double d = PICK(2.0);
    int arr[3];
    int k = PICK(n) + IS_ARR(arr);
    k += __builtin_types_compatible_p(int[], int[5]) + __builtin_types_compatible_p(struct undefined_s *, void *);
    char buf[1 - 2 * !!__builtin_types_compatible_p(int, long)];
    k += __builtin_choose_expr(1, n, (void)0);
    k += sizeof(char[__builtin_choose_expr(1, 2, 3)]);
    k += __builtin_constant_p(3) ? 1 : __builtin_constant_p(n);
#pragma omp target map(tofrom: n)
    n++;
    return n + k + d + sizeof buf;
}

/* computed goto */
int run(const unsigned char *code) {
    static const void *const table[] = { &&op0, &&op1, [2] = &&op2 };
    static const int offs[] = { &&op0 - &&op0, &&op1 - &&op0 };
    int acc = 0;
    goto *table[*code++];
op0: acc++; goto *table[*code++];
op1: acc--; goto *(&&op0 + offs[*code++]);
op2: return acc;
}
int f_computed_goto(int n) {
    void *p = &&here;
    goto *p;
here:;
#pragma omp target map(tofrom: n)
    n++;
    return n;
}

/* zero length */
struct z { int n; char data[0]; };
struct e_zero_length { };
struct e2 { struct e_zero_length a; struct e_zero_length b[3]; int c; };
union eu { };
struct e_zero_length ge = {};
struct z gz = { 3 };
struct flex { int n; int d[]; };
struct flex gf = { 2, { 1, 2 } };
int none[0];
int f_zero_length(int n, struct z *z, struct e_zero_length x) {
    struct e_zero_length l = {}, m;
    m = l;
    int q[] = {};
    struct e2 y = { .c = 3 };
    int k = sizeof(struct e_zero_length) + sizeof(z->data) + sizeof q;
    struct e_zero_length *pe = &l;
    struct e_zero_length arr[4];
#pragma omp target map(tofrom: n)
    n++;
    return n + k + y.c + (pe == &arr[2]);
}

/* ranges */
int t[10] = { [0 ... 4] = 1, [5 ... 8] = 2, [9] = 3 };
struct p { int a[4]; int b; } gp = { .a[1 ... 2] = 7, .b = 2 };
int u[] = { [0 ... 2] = 4, 5 };
int old[4] = { [1] 2, [2] 3 };
struct p oldp = { b: 3, a: { 1, 2 } };
int d2[3][3] = { [0 ... 1] = { [0 ... 2] = 1 } };
int f_ranges(int n) {
    switch (n) { case 0 ... 3: n = 1; break; case 'a' ... 'z': n = 2; break; case -5 ... -1: break; }
    int l[5] = { [1 ... 3] = n };
#pragma omp target map(tofrom: n)
    n++;
    return n + l[1] + t[0] + u[3];
}

/* transparent union */
typedef union { int *ip; float *fp; const void *vp; } arg __attribute__((__transparent_union__));
typedef union __attribute__((transparent_union)) { int i; unsigned u; } arg2;
static int take(arg a) { return a.ip != 0; }
static int take2(arg2 a) { return a.i; }
int f_transparent_union(int n) {
    float x;
    int r = take(&n) + take(&x) + take2(n) + take2(3u);
#pragma omp target map(tofrom: n)
    n++;
    return n + r;
}

/* local label */
int f_local_label(int n) {
    { __label__ a, b; __label__ c; goto a; a: goto b; b: goto c; c:; }
    { __label__ a; goto a; a: n++; }
#define L(x) ({ __label__ done; if (x) goto done; n++; done: n; })
    L(n); L(n + 1);
#pragma omp target map(tofrom: n)
    n++;
    return n;
}

/* misc gnu */
struct s_misc_gnu { int a; char b[4]; struct { int c; union { int d; float e_misc_gnu; }; }; };
typedef struct s_misc_gnu s_t;
enum e_misc_gnu { E1 = 1, E2 = E1 << 3, E3 = sizeof(int), };
enum big { BIG = 0xffffffffffULL };
extern int ext[];
static int ext2[] = { 1, 2, 3 };
int ext[10];
const char *const names[] = { [E1] = "a", "b" };
static inline __attribute__((always_inline, const)) int inl(int x) { return x; }
int vla(int n, int a[n][n], int b[static 3], int c[const]) { return a[0][0] + b[0] + c[0]; }
int fnp(int (*g_misc_gnu)(int, ...), int h(void)) { return g_misc_gnu(1) + h(); }
int (*ret(int a))(int) { return 0; }
_Noreturn void die(void);
typedef int arr_t[3];
int f_misc_gnu(int n, arr_t q) {
    int a[n], (*pa)[n] = &a;
    s_t x = { 1, "ab", { 3, { .e_misc_gnu = 2.0f } } }, *p = &x;
    x = (s_t){ .c = 3 };
    int o = offsetof(s_t, b[2]) + offsetof(struct s_misc_gnu, e_misc_gnu);
    int y = n ?: 3;
    void *vp = &x; vp += 2; vp++;
    n += ({ int z = sizeof(void); z; });
    int w = __builtin_expect(!!(n), 0) + __builtin_popcountll(n) + __builtin_ctz(n | 1);
    unsigned char c = '\377' + L'a' + u'x' + U'y' + '\e';
    const wchar_t *ws = L"wide" L"more"; const char *u8s = u8"x";
    long long ll = 0x7fffffffffffffffLL + 0b101;
    if (n) ; else goto out;
    switch (n) { default: break; case E1: { int t; } }
    do n--; while (n > 0);
    for (int i = 0, *ip = &i; i < 3; i++, ip++) continue;
    __builtin_memcpy(&x, p, sizeof x);
    int bits = __builtin_clz(3) + __builtin_bswap32(n) + __builtin_parity(3);
    __builtin_unreachable;
    char buf[] = "abc" "def";
    int sh[sizeof buf];
    __typeof__(int *) tp = &n; typeof(*tp) tv = *tp; __typeof__(f_misc_gnu) *fp = f_misc_gnu;
    int cm = (n++, n);
    extern int block_ext; 
    int block_fn(int);
    n = -n + +n + ~n + !n;
    (void)n; (void)0;
    n <<= 1; n >>= 1; n ^= 1; n |= 2; n %= 3;
    _Alignas(16) char al[3]; int ao = _Alignof(double) + __alignof__(x) + __alignof__(n);
    int m = n < 3 && n > 4 || n == 3;
out:
    ;
#pragma omp target map(tofrom: n)
    n++;
    return n + (*pa)[0] + o + y + w + c + ll + bits + sh[0] + tv + cm + block_ext + al[0] + ao + m + names[1][0];
}

/* macros generic */
#define typename(x) _Generic((x), _Bool: "b", char: "c", signed char: "sc", unsigned char: "uc", short: "s_macros_generic", int: "i", long: "l", long long: "ll", float: "f_macros_generic", double: "d", long double: "ld", char *: "str", void *: "p", const char *: "cs", default: "?")
#define cbrtg(X) _Generic((X), long double: cbrtl, default: cbrt, float: cbrtf)(X)
double cbrt(double); float cbrtf(float); long double cbrtl(long double);
int f_macros_generic(int n) {
    int a[3]; const int ci_macros_generic = 3;
    puts(typename(n)); puts(typename(a)); puts(typename("x")); puts(typename(ci_macros_generic)); puts(typename(f_macros_generic));
    double r = cbrtg(2.0f) + cbrtg(3);
#pragma omp target map(tofrom: n)
    n++;
    return n + r + _Generic(a, int *: 1, default: 2) + _Generic(&a, int (*)[3]: 1);
}

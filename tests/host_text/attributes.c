/* Attributes in all places, and pragmas that change layouts. */

/* pack */
#pragma pack(push, 1)
struct a { char c; int i; };
#pragma pack(pop)
#pragma pack(2)
struct b { char c; int i; };
#pragma pack()
#pragma pack(push, id, 4)
struct c { char c; double d; };
#pragma pack(pop, id)
_Pragma("pack(push, 1)")
struct d { char c; double d; };
_Pragma("pack(pop)")
#pragma pack(push)
#pragma pack(8)
#pragma pack(pop)
#pragma scalar_storage_order big-endian
struct e_pack { int x; };
#pragma scalar_storage_order default
_Static_assert(sizeof(struct a) == 5 && sizeof(struct b) == 6 && sizeof(struct c) == 12 && sizeof(struct d) == 9, "");
int f_pack(int n, struct a *a, struct b *b, struct c *c) {
#pragma omp target map(tofrom: a[0:1], b[0:1], c[0:1], n)
    n = a->i + b->i + c->c;
    return n;
}

/* odd attributes */
__attribute__((noinline)) static int __attribute__((unused)) a1(int __attribute__((unused)) x) { return 0; }
static __attribute__((unused)) int v1 __attribute__((aligned(8))) = 3, v2 __attribute__((section(".data")));
struct __attribute__((packed)) s1 { int a __attribute__((aligned(2))); char b; } __attribute__((aligned(4)));
enum __attribute__((packed)) en { A_odd_attributes __attribute__((deprecated)), B_odd_attributes __attribute__((unused)) = 3, C_odd_attributes };
typedef int aint __attribute__((aligned(16)));
int (*__attribute__((noinline)) fp)(int);
int *__attribute__((aligned(8))) ap;
int (__attribute__((cdecl)) *fp2)(int);
void noret(void) __attribute__((noreturn, format(printf, 1, 2)));
extern int al(void) __attribute__((weak, alias("a2")));
int a2(void) { return 2; }
int f_odd_attributes(int n) {
    __attribute__((unused)) int x = 3;
    int y __attribute__((unused)), __attribute__((unused)) z;
    if (__builtin_expect(n, 1)) __attribute__((unused)) lab: n++;
    switch (n) { case 1: n++; __attribute__((fallthrough)); case 2: break; }
    lbl2: __attribute__((unused)); n++;
    __attribute__((noinline)) extern int q(void);
    for (__attribute__((unused)) int i = 0; i < 2; i++) ;
    int w = sizeof(struct __attribute__((packed)) { char c; int i; });
    int *p = (int __attribute__((aligned(4))) *)&n;
#pragma omp target map(tofrom: n)
    n++;
    return n + w + *p;
}
__attribute__((constructor)) static void init(void) { }
__attribute__((unused)) struct fwd { int a; };
;

/* c2x attributes */
[[nodiscard]] int g_c2x_attributes(void);
[[maybe_unused]] static int v = 3;
struct [[deprecated]] s_c2x_attributes { int a [[maybe_unused]]; };
[[noreturn]] void die(void);
enum [[maybe_unused]] e_c2x_attributes { A_c2x_attributes [[deprecated]], B_c2x_attributes };
int f_c2x_attributes(int n, [[maybe_unused]] int k) {
    switch (n) { case 1: n++; [[fallthrough]]; case 2: break; }
    [[maybe_unused]] int x = 0;
    _Static_assert(1, "");
    int b = 1;
#pragma omp target map(tofrom: n)
    n++;
    return n + b;
}

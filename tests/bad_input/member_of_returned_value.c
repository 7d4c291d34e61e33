struct loose {
    int i;
};
typedef struct loose loose __attribute__((aligned(1)));
struct around {
    char first;
    loose in;
};
static struct around same(struct around x) { return x; }
void f(struct around *a, int *out)
{
#pragma omp target map(to: a[0:1]) map(from: out[0:1])
    out[0] = same(a[0]).in.i;
}
// expect: error 13:14 "a member out of alignment of a value that a function returns is not supported in device code"

struct fine {
    char c;
    [[gnu::aligned(32)]] int x;
};
struct moved {
    char c;
    int [[gnu::aligned(32)]] x;
};
int f(struct fine *a, struct moved *b)
{
#pragma omp target map(tofrom: a[0:1])
    a->x += 1;
#pragma omp target map(tofrom: b[0:1])
    b->x += 1;
    return a->x;
}
// expect: error 7:30 "'x' with '[[gnu::aligned(32)]]' here is not supported, but before the declaration, or right after the name"

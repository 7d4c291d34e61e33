struct fine {
    char c;
    int x __attribute__((aligned(32)));
};
struct moved {
    char c;
    [[gnu::aligned(32)]] int x;
};
int f(struct fine *a, struct moved *b)
{
#pragma omp target map(tofrom: a[0:1])
    a->x += 1;
#pragma omp target map(tofrom: b[0:1])
    b->x += 1;
    return a->x;
}
// expect: error 7:30 "'x' with '[[gnu::aligned(32)]]' is not supported, but with '__attribute__'"

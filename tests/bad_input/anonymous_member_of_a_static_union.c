#pragma omp declare target
static const union {
    int whole;
    struct {
        short low, high;
    };
} two = {.high = 1};
#pragma omp end declare target

int f(void)
{
    int x = 0;
#pragma omp target map(tofrom: x)
    x = two.whole;
    return x;
}
// expect: error 7:3 "this initialiser of an anonymous member"

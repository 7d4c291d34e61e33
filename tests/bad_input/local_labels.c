#define SKIP(x) ({ __label__ out; int r = 0; if (x) goto out; r = 1; out: r; })
int f(int n)
{
#pragma omp target map(tofrom: n)
    n = SKIP(n) + SKIP(n + 1);
    return n;
}
// expect: error 5:5 "the label 'out', of several blocks ('__label__'), is not supported"

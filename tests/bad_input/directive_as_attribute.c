#define N 8
int f(int n)
{
    [[omp::decl(declare target)]] static int calls;
    [[omp::directive(target parallel for map(tofrom: n) num_team(N))]]
    for (int i = 0; i < N; i++)
        n += 1;
    return n + calls;
}
// expect: error 4:5 "this attribute of OpenMP is not supported, but '#pragma omp' is"

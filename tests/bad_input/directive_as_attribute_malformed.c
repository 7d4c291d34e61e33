#define N 8
int f(int n)
{
    [[omp::sequence(directive(target map(tofrom: n)),
                    directive(parallel for num_team(N)))]]
    for (int i = 0; i < N; i++)
        n += 1;
    return n;
}
// expect: error 5:44 "num_team"

struct pair {
    int a, b;
};
void f(int *a, double teams, struct pair p)
{
#pragma omp target teams map(tofrom: a[0:9]) num_teams(teams)
    a[0] = 1;
#pragma omp target parallel for schedule(static, a) map(tofrom: a[0:9])
    for (int i = 0; i < 9; ++i)
        a[i] = i;
#pragma omp target if(p) map(tofrom: a[0:9])
    a[0] = 2;
}
// expect: error 6:56 "'num_teams' must be an integer"
// expect: error 8:50 "'schedule' must be an integer"
// expect: error 11:23 "'if' takes a condition"

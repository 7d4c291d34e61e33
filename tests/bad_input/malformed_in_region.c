int f(int n)
{
    int sum = 1;
#pragma omp target map(tofrom: sum)
#pragma omp teams num_teams(4) reduction(+ sum)
    sum += n;
#pragma omp target teams map(tofrom: sum)
#pragma omp distribute parallel for schedule(static, 2
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}
// expect: error 5:42 "expected 'operator: list' in 'reduction' clause"
// expect: error 8:45 "expected ')' in 'schedule' clause"

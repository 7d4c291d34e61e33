int f(int n)
{
    int sum = 0;
#pragma omp target map(tofrom: sum)
    for (int i = 0; i < n; i++) {
        [[omp::directive(atomic)]] sum += i;
    }
    return sum;
}
// expect: error 6:9 "a directive that is written as an attribute is not supported, but as '#pragma omp'"

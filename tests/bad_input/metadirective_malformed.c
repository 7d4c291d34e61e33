int f(int n)
{
    int sum = 0;
#pragma omp metadirective when(implementation = {vendor(gnu)}: parallel for reduction) default(single)
    for (int i = 0; i < n; i++)
        sum += i;
#pragma omp metadirective when(device = {kind()}: parallel) otherwise(single)
    sum++;
#pragma omp metadirective when(construct = {target, twice}: parallel) otherwise(single)
    sum++;
#pragma omp metadirective when(device = {kind(host)}: parallel) condition(n)
    sum++;
#pragma omp target map(tofrom: sum)
    sum += n;
    return sum;
}
// expect: error 4:13 "expected '(' after 'reduction'"
// expect: error 7:27 "expected a property of the trait 'kind'"
// expect: error 9:27 "'twice' in a construct selector is not a construct"
// expect: error 11:65 "unknown clause 'condition' on 'metadirective'"

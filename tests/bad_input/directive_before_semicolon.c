int f(int n)
{
    int pair[2] = {1, 2}
#pragma omp metadirective when(user={condition(1)}: parallel) otherwise(nothing)
    ;
#pragma omp target map(tofrom: n)
    n += pair[1];
    return n;
}
// expect: error 4:9 "a directive inside a declaration"

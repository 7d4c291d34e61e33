int f(int r) {
#pragma omp target map(from: r)
{
#pragma omp metadirective when(user={condition(1<<99999999999 == 0)}: parallel) otherwise(nothing)
 r = 1; } return r; }
// expect: error 4:48 "'1<<99999999999 == 0' in 'condition' has no value"

static int scale = 3;
static int twice(int n) { return 2 * n; }
#pragma omp declare target to(scale) link(twice)
#pragma omp declare target(nothing)
// expect: error 3:43 "'twice' in 'link' is not a variable"

#define OFFLOAD(clause) _Pragma("omp target map(tofrom: n) colour(red)")
int f(int n)
{
    OFFLOAD(x)
    n += 1;
    return n;
}
// expect: error 4:5 "colour"

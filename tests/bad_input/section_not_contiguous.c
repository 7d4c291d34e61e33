int m[8][8];
void f(void)
{
#pragma omp target map(tofrom: m[0:4][2:3])
    m[0][2] = 1;
}
// expect: error 4:32 "contiguous"

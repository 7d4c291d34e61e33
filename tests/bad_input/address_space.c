int f(int __seg_fs *p)
{
    int n = *p;
#pragma omp target map(from: n) map(to: p[0:1])
    n = *p;
    return n;
}
// expect: error 5:10 "address spaces of the host ('__seg_fs', '__seg_gs') are not supported"

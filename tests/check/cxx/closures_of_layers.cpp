// The kernel of a layer writes by a pointer in the closure that it gets.
#include <cstdio>
#include <utility>
template <class B> void run(int n, B &&b_) { auto b = b_;
  #pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) b(i); }
template <class B> void host(int n, B &&b) { for (int i = 0; i < n; ++i) b(i); }
int main() { const int n = 40; double *y = new double[n];
  #pragma omp target data map(tofrom: y[0:n])
  { run(n, [=](int i) { y[i] = 1; }); }
  host(2, [&](int i) { std::printf("%g ", y[i + 5]); }); std::printf("%g\n", y[3]); }

/* Kernels that are one parallel region: who asks for numbers, waits, shares and combines, in teams of several sizes. */
#include <stdio.h>
#include <omp.h>
#pragma omp declare target
void helper(int *a) {
#pragma omp for
  for (int i = 0; i < 5; i++) {
#pragma omp atomic
    a[50 + i]++; }
}
#pragma omp end declare target
int main(void) {
  int n = 1000, k0 = 3; static int a[64]; int s = 0, c = 0;
#pragma omp target teams num_teams(4) thread_limit(64) map(tofrom: a)
#pragma omp parallel firstprivate(k0)
  {
    int t = omp_get_thread_num(), g = omp_get_team_num(), k = omp_get_num_threads();
    k0 += t;
    for (int i = g * k + t; i < n; i += omp_get_num_teams() * k) {
#pragma omp atomic update
      a[i % 7] += i + k0 - t;
    }
#pragma omp barrier
#pragma omp single
    {
#pragma omp atomic
      a[40]++;
    }
#pragma omp for
    for (int i = 0; i < 10; i++) {
#pragma omp atomic
      a[20 + i] += 1; }
  }
#pragma omp target parallel num_threads(48) map(tofrom: a, s) reduction(+: s)
  { s += omp_get_thread_num() * 0 + 1 * (omp_get_num_threads() > 0) - (omp_get_thread_num() != 0); 
    helper(a);
#pragma omp sections
   {
#pragma omp section
   a[60] = 1;
#pragma omp section
   a[61] = 2;
   }
  }
#pragma omp target parallel map(tofrom: a, c)
  {
#pragma omp critical
    c++;
#pragma omp barrier
#pragma omp master
    c -= omp_get_num_threads();
  }
  for (int i = 0; i < 64; i++) if (a[i]) printf("%d:%d ", i, a[i]);
  printf("s %d c %d\n", s, c);
  return 0;
}

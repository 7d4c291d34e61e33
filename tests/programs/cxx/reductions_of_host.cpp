// Reductions of the host's classes, in units with regions: device code needs none of their functions.
#include <cstdio>
#include <map>
#include <string>
#include <vector>
#include <algorithm>
#include <stdexcept>
#pragma omp declare reduction(vec : std::vector<double> : std::transform(omp_out.begin(), omp_out.end(), omp_in.begin(), omp_out.begin(), std::plus<double>())) initializer(omp_priv = decltype(omp_orig)(omp_orig.size()))
static void join(std::map<std::string, int> &a, const std::map<std::string, int> &b) { for (auto &e : b) a[e.first] += e.second; if (a.size() > 1000) throw std::runtime_error("big"); }
#pragma omp declare reduction(merge : std::map<std::string, int> : join(omp_out, omp_in))
struct Stat { double s = 0; int n = 0; void operator+=(const Stat &o) { s += o.s; n += o.n; if (n < 0) throw 1; } };
#pragma omp declare reduction(+ : Stat : omp_out += omp_in)
int main() { std::vector<double> v(4); std::map<std::string, int> m; Stat st;
  struct Best { double v; int at; } b{-1, -1};
  #pragma omp declare reduction(best : Best : omp_out = omp_in.v > omp_out.v ? omp_in : omp_out) initializer(omp_priv = Best{-1, -1})
  #pragma omp parallel for reduction(vec : v) reduction(merge : m) reduction(+ : st) reduction(best : b)
  for (int i = 0; i < 100; ++i) { v[i % 4] += i; m[i % 2 ? "odd" : "even"]++; st += {double(i), 1}; double q = (i * 37) % 101; if (q > b.v) b = {q, i}; }
  int r = 0;
  #pragma omp target map(tofrom: r)
  r += 1;
  std::printf("%g %d %g %d %g %d %d\n", v[3], m["odd"], st.s, st.n, b.v, b.at, r); }

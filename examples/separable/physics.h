#pragma omp begin declare target
extern double damping;
double step(double x, double v);
#pragma omp end declare target

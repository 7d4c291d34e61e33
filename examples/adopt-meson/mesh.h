void weigh(int n, double *x);

struct __attribute__((scalar_storage_order("big-endian"))) wire {
    int length;
};
int f(struct wire *w)
{
#pragma omp target map(tofrom: w[0:1])
    w->length++;
    return w->length;
}
// expect: error 1:8 "'scalar_storage_order' is not supported"

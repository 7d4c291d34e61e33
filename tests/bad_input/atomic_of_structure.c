struct pair {
    int a, b;
};
void f(struct pair *p)
{
#pragma omp target map(tofrom: p[0:1])
    {
        struct pair q;
        __atomic_load(p, &q, __ATOMIC_SEQ_CST);
    }
}
// expect: error 9:23 "'__atomic_load' of 'struct pair', which no hardware changes at once, is not supported in device code"

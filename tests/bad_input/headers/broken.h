/* A region with a mistake in a header: the message speaks of the header. */
static inline int next(int n)
{
#pragma omp target map(tofrom: n) thread_limits(8)
    n += 1;
    return n;
}

/* Copies of variables by clauses, beside maps of these, and what the last iteration leaves in them. */
#define N 100
int beside_a_map(const int *a)
{
    int last = 0, kept = 0, scratch = 5;
#pragma omp target parallel for map(to: a[0:N]) map(tofrom: last) private(last)
    for (int i = 0; i < N; ++i)
        last = a[i]; // rex-expect: lost-result (likely)
#pragma omp target parallel for map(to: a[0:N]) map(tofrom: kept) lastprivate(kept)
    for (int i = 0; i < N; ++i)
        kept = a[i];
#pragma omp target parallel for map(to: a[0:N]) map(tofrom: kept, scratch) private(scratch) reduction(+: kept)
    for (int i = 0; i < N; ++i) {
        scratch = a[i];
        kept += scratch * scratch;
    }
    return last + kept + scratch;
}
int last_of_some(const int *a)
{
    int found = -1, always = 0, last = 0, either = 0;
#pragma omp target teams distribute parallel for map(to: a[0:N]) map(tofrom: found) lastprivate(found)
    for (int i = 0; i < N; ++i)
        if (a[i] > 5)
            found = i; // rex-expect: unset (likely)
#pragma omp target parallel for map(to: a[0:N]) map(tofrom: always) lastprivate(always)
    for (int i = 0; i < N; ++i) {
        always = 0;
        if (a[i] > 5)
            always = i;
    }
#pragma omp target parallel for map(to: a[0:N]) map(tofrom: last) lastprivate(last)
    for (int i = 0; i < N; ++i)
        if (i == N - 1)
            last = a[i];
#pragma omp target parallel for map(to: a[0:N]) map(tofrom: either) lastprivate(either)
    for (int i = 0; i < N; ++i)
        if (a[i] > 5)
            either = 1;
        else
            either = 2;
    int newest = 0;
#pragma omp target parallel for map(to: a[0:N]) map(tofrom: newest) lastprivate(conditional: newest)
    for (int i = 0; i < N; ++i)
        if (a[i] > 5)
            newest = i;
    return found + always + last + either + newest;
}

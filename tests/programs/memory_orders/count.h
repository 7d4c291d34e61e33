/* What each unit of this program does with its default memory order; COUNT names the function. */
int COUNT(int n)
{
    int found = 0, last = -1;
#pragma omp target parallel for map(tofrom: found, last)
    for (int i = 0; i < n; ++i) {
#pragma omp atomic
        ++found;
#pragma omp atomic write
        last = n;
#pragma omp atomic read // rex-ignore: race: any of the values will do
        last = found;
    }
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
#pragma omp atomic update
        found += 2;
    }
    return last < 0 ? last : found;
}

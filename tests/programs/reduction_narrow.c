/* Reductions of elements of one or two bytes, which a thread loads for eight iterations at once: arrays that begin anywhere,
 * lengths of all kinds, two arrays that are aligned alike or not, and elements that only some iterations read. */
#include "check.h"

#include <stdlib.h>

#define N 300007 /* more than a GPU runs threads at a time */

static void histogram(int n, const unsigned char *of, int *counts)
{
#pragma omp target teams distribute parallel for reduction(+: counts[0:256])
    for (int i = 0; i < n; ++i)
        counts[of[i]]++;
}

static long bright(int from, int n, const unsigned char *of, int least)
{
    long found = 0;
#pragma omp target teams distribute parallel for reduction(+: found)
    for (int i = from; i < n; ++i)
        if (of[i] >= least)
            ++found;
    return found;
}

static int highest(long n, const short *of)
{
    int most = -40000;
#pragma omp target teams distribute parallel for reduction(max: most)
    for (long i = 0; i < n; ++i)
        if (of[i] > most)
            most = of[i];
    return most;
}

static long apart(int n, const unsigned char *one, const unsigned short *other, const _Bool *mask)
{
    long sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i) {
        const long difference = one[i] - other[i];
        if (!mask[i])
            continue;
        sum += difference * difference;
    }
    return sum;
}

/* Some iterations read nothing, because there is nothing: `of` has only `some` elements. */
static long some_of(int n, int some, const signed char *of, const unsigned char *all)
{
    long sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum) map(to: of[0:some])
    for (int i = 0; i < n; ++i) {
        sum += all[i];
        if (i < some)
            sum += of[i];
    }
    return sum;
}

int main(void)
{
    unsigned char *bytes = malloc(N);
    unsigned short *words = malloc(N * sizeof *words);
    const short *numbers = (const short *)words;
    _Bool *mask = malloc(N);
    static const int lengths[] = {0, 1, 7, 8, 9, 63, 64, 1000, N - 40}, begins[] = {0, 1, 3, 7, 8, 16, 21};
    for (int i = 0; i < N; ++i)
        bytes[i] = (unsigned char)(i * 7 + i / 99), words[i] = (unsigned short)(i * 31 + i / 5), mask[i] = i % 3 != 1;
#pragma omp target enter data map(to: bytes[0:N], words[0:N], mask[0:N])
    for (int k = 0; k < 9; ++k)
        for (int b = 0; b < 7; ++b) {
            const int n = lengths[k], begin = begins[b];
            int counts[256] = {0}, counted[256] = {0}, most = -40000;
            long found = 0, sum = 0, all = 0;
            for (int i = 0; i < n; ++i) {
                ++counted[bytes[begin + i]];
                found += i >= 5 && bytes[begin + i] >= 77;
                most = numbers[begin + i] > most ? numbers[begin + i] : most;
                const long difference = bytes[begin + i] - words[2 * b + i];
                sum += mask[b + i] ? difference * difference : 0;
                all += bytes[begin + i] + (i < n / 2 ? (signed char)bytes[i] : 0);
            }
            histogram(n, bytes + begin, counts);
            for (int v = 0; v < 256; ++v)
                CHECK(counts[v] == counted[v]);
            CHECK(bright(5, n, bytes + begin, 77) == found);
            CHECK(highest(n, numbers + begin) == most);
            CHECK(apart(n, bytes + begin, words + 2 * b, mask + b) == sum);
            CHECK(some_of(n, n / 2, (const signed char *)bytes, bytes + begin) == all);
        }
#pragma omp target exit data map(release: bytes[0:N], words[0:N], mask[0:N])
    free(bytes);
    free(words);
    free(mask);
    return CHECK_RESULT();
}

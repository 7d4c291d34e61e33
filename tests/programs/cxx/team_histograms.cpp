// Reduced arrays of which the threads of a team share one copy, and loops over narrow elements, in templates, members
// and closures: updates that C++ makes by several names, of several types, and statements that only look like updates.
#include "check.hpp"

#include <vector>

enum { N = 100003, BINS = 96 };

template <typename T, typename V>
void fill(int n, const T *key, const V *value, V *sums, V *most, unsigned *bits)
{
#pragma omp target teams distribute parallel for reduction(+: sums[:BINS]) reduction(max: most[:BINS]) \
    reduction(|: bits[:BINS])
    for (int i = 0; i < n; ++i) {
        const int bin = key[i] % BINS;
        if (value[i] > most[bin]) most[bin] = value[i];
        if (i % 3)
            sums[bin] += value[i];
        else
            sums[bin] = sums[bin] - value[i];
        bits[bin] |= 1u << (i & 31);
    }
}

template <typename T>
struct Image {
    std::vector<T> storage;
    T *pixels;
    int size;
    explicit Image(int n) : storage(n), pixels(storage.data()), size(n)
    {
        for (int i = 0; i < n; ++i)
            storage[i] = static_cast<T>(i * 7 + i / 99);
    }
    long count(int *counts) const
    {
        const T *p = pixels;
        const int n = size;
        long total = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: total, counts[0:128])
        for (int i = 0; i < n; ++i) {
            ++counts[p[i] & 127];
            total += p[i];
        }
        return total;
    }
    void look_up(const T *table, T *to) const
    {
        const T *from = pixels;
        const int n = size;
#pragma omp target teams distribute parallel for map(to: from[0:n], table[0:256]) map(from: to[0:n])
        for (int i = 0; i < n; ++i)
            to[i] = static_cast<T>(table[from[i] & 255] + i);
    }
};

// A copy of a team is no array whose size can be asked for.
long spread(int n, const int *key)
{
    long total = 0;
    int counts[BINS] = {};
#pragma omp target teams distribute parallel for map(to: key[:n]) reduction(+: counts)
    for (int i = 0; i < n; ++i)
        counts[key[i] % (sizeof counts / sizeof(int))] += sizeof(counts) == BINS * sizeof(int) ? 1 : 1000;
    for (int b = 0; b < BINS; ++b)
        total += counts[b] * (b + 1L);
    return total;
}

// What an iteration reads of its bin, and what it does in its order, no copy of a team can give.
void in_order(int n, const int *key, double *sums)
{
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(1) reduction(+: sums[:BINS]) map(to: key[:n])
    for (int i = 0; i < n; ++i)
        sums[key[i] % BINS] = sums[key[i] % BINS] * 0.5 + i;
}

template <typename T>
void check_image()
{
    const Image<T> image(N);
    int counts[128] = {}, wanted[128] = {};
    long total = 0;
    for (int i = 0; i < N; ++i)
        ++wanted[image.pixels[i] & 127], total += image.pixels[i];
    check("total", image.count(counts), total);
    bool same = true;
    for (int b = 0; b < 128; ++b)
        same = same && counts[b] == wanted[b];
    check("elements", same, true);
    std::vector<T> table(256), to(N);
    for (int k = 0; k < 256; ++k)
        table[k] = static_cast<T>(k * 37);
    image.look_up(table.data(), to.data());
    for (int i = 0; i < N; ++i)
        same = same && to[i] == static_cast<T>(table[image.pixels[i] & 255] + i);
    check("elements", same, true);
}

template <typename T, typename V>
void check_fill()
{
    std::vector<T> key(N);
    std::vector<V> value(N);
    V sums[BINS] = {}, most[BINS] = {}, wanted[BINS] = {}, highest[BINS] = {};
    unsigned bits[BINS] = {}, all[BINS] = {};
    for (int i = 0; i < N; ++i) {
        key[i] = static_cast<T>((i * 31L) % 251), value[i] = static_cast<V>(i % 1000);
        const int bin = key[i] % BINS;
        wanted[bin] += i % 3 ? value[i] : -value[i];
        highest[bin] = value[i] > highest[bin] ? value[i] : highest[bin];
        all[bin] |= 1u << (i & 31);
    }
    const T *k = key.data();
    const V *v = value.data();
#pragma omp target data map(to: k[0:N], v[0:N])
    fill(N, k, v, sums, most, bits);
    bool same = true;
    for (int b = 0; b < BINS; ++b)
        same = same && sums[b] == wanted[b] && most[b] == highest[b] && bits[b] == all[b];
    check("elements", same, true);
}

static void check_matrix()
{
    float scaled[10][10];
    long rows[3][4] = {}, wanted[3][4] = {};
    for (int i = 0; i < 100; ++i)
        scaled[i / 10][i % 10] = i + 1;
#pragma omp target teams distribute parallel for reduction(* : scaled)
    for (int i = 0; i < 10; ++i)
        for (int j = 0; j < 10; ++j)
            scaled[i][j] *= 10;
#pragma omp target teams distribute parallel for reduction(+ : rows)
    for (int i = 0; i < N; ++i)
        rows[i % 3][i % 4] += i;
    for (int i = 0; i < N; ++i)
        wanted[i % 3][i % 4] += i;
    bool same = scaled[9][9] == 1000 && scaled[4][7] == 480;
    for (int i = 0; i < 12; ++i)
        same = same && rows[i / 4][i % 4] == wanted[i / 4][i % 4];
    check("rows of elements", same, true);
}

int main()
{
    check_matrix();
    check_image<unsigned char>();
    check_image<unsigned short>();
    check_fill<int, double>();
    check_fill<unsigned char, int>();
    check_fill<short, long long>();
    std::vector<int> key(N);
    std::vector<double> wanted(BINS), sums(BINS);
    for (int i = 0; i < N; ++i) {
        key[i] = i * 5 % 1001;
        wanted[key[i] % BINS] = wanted[key[i] % BINS] * 0.5 + i;
    }
    in_order(N, key.data(), sums.data());
    long total = 0;
    for (int i = 0; i < N; ++i)
        total += key[i] % BINS + 1;
    check("spread", spread(N, key.data()), total);
    check("in order", sums == wanted, true);
    return report();
}

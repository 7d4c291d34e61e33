/* Plain target regions whose loops a block shares out: in templates, methods and closures, and beside what only looks so. */
#include <cstdio>
#include <vector>

static const int N = 2500;
static int failed;

template <class T>
static void compare(const char *what, const std::vector<T> &found, const std::vector<T> &right)
{
    for (int i = 0; i < N; ++i)
        if (found[i] != right[i] && ++failed < 10)
            std::printf("%s: %d: %ld %ld\n", what, i, (long)found[i], (long)right[i]);
}

/* two instantiations share the text; what the sum does not need is left out, also behind 'else', but not half a declaration */
template <class T>
static T scan(int n, const T *a, T *out, bool on_device)
{
    T s = 1;
#pragma omp target map(to: a[0:n]) map(tofrom: out[0:n], s) if(on_device)
    for (int i = 0; i < n; ++i) {
        struct Twice { T once, both; };
        const T v = a[i] * 2, w = a[i];
        const Twice twice = {w, v};
        T unused = s + v;
        out[i] = unused;
        if (w > 3)
            s += twice.both;
        else
            out[i] += s;
    }
    return s;
}

/* floating point sums of one instantiation stay in order, so that no other one shares the loop out */
template <class T>
static T ordered(int n, const int *a, T *out, bool on_device)
{
    T s = 0;
#pragma omp target map(to: a[0:n]) map(tofrom: out[0:n], s) if(on_device)
    for (int i = 0; i < n; ++i) {
        s += a[i] * T(1.25);
        out[i] = s;
    }
    return s;
}

struct Table {
    int *values, *sums, size;
    void add(int rounds, bool on_device)
    {
#pragma omp target map(tofrom: values[0:size], sums[0:size]) map(tofrom: this[0:1]) if(on_device)
        for (int r = 0; r < rounds; ++r) {
            int sum = 0;
            for (int i = 0; i < size; ++i) {
                const auto next = [r](int x) { return x * 3 + r; };
                auto &value = values[i];
                const int before = value;
                sums[i] += sum;
                value = next(before) % 1000;
                sum += before;
            }
            if (sum > 7)
                sums[0] += sum;
            for (int i = size - 1; i > 0; i -= 2)
                values[i] ^= sum;
        }
    }
};

/* What a reference or a pointer leads to is carried along, and a function writes more than it is told by its result. */
static int take(int *to, const int *from)
{
    *to += 1;
    return *from;
}
static int behind(int n, const int *a, int *out, int start, bool on_device)
{
    int &total = start;
#pragma omp target map(to: a[0:n]) map(tofrom: out[0:n], total) if(on_device)
    {
        for (int i = 0; i < n; ++i) {
            total += a[i];
            out[i] = total;
        }
        if (take(out, a + 1))
            for (int i = 1; i < n; ++i)
                out[i] += 5;
        int own = out[0], &same = own;
        for (int i = 1; i < n; ++i)
            same += a[i];
        out[1] = own;
    }
    return total;
}

int main()
{
    std::vector<int> a(N), ints[2], ordereds[2], values[2], sums[2], sides[2];
    std::vector<long> longs[2], wide(N);
    std::vector<double> doubles[2];
    for (int i = 0; i < N; ++i)
        wide[i] = a[i] = (i * 7919 + 13) % 203 - 70;
    long totals[2];
    for (int d = 0; d < 2; ++d) {
        ints[d] = ordereds[d] = values[d] = sums[d] = sides[d] = a;
        longs[d] = wide;
        doubles[d].resize(N);
        totals[d] = scan<int>(N, a.data(), ints[d].data(), d) + scan<long>(N, wide.data(), longs[d].data(), d);
        totals[d] = totals[d] * 31 + (long)ordered<double>(N, a.data(), doubles[d].data(), d);
        totals[d] = totals[d] * 31 + ordered<int>(N, a.data(), ordereds[d].data(), d);
        Table table = {values[d].data(), sums[d].data(), N};
        table.add(3, d);
        totals[d] = totals[d] * 31 + behind(N, a.data(), sides[d].data(), 9, d);
    }
    compare("scan", ints[1], ints[0]);
    compare("longs", longs[1], longs[0]);
    compare("doubles", doubles[1], doubles[0]);
    compare("ordered", ordereds[1], ordereds[0]);
    compare("values", values[1], values[0]);
    compare("sums", sums[1], sums[0]);
    compare("behind", sides[1], sides[0]);
    if (totals[0] != totals[1] && ++failed)
        std::printf("totals: %ld %ld\n", totals[1], totals[0]);
    std::printf(failed ? "FAILED\n" : "ok\n");
    return failed != 0;
}

/* Rows that a warp moves for loops of its threads: in methods, templates and behind references, beside what looks like rows. */
#include <cstdio>

static const int M = 70, N = 130;
static float a[M * N], o[M * N], y[M];
static int failed;

static void check(const char *what, float (*row)(int), float (*element)(int, int))
{
    for (int i = 0; i < M; ++i) {
        if (y[i] != row(i) && ++failed < 10)
            std::printf("%s: %d: %g %g\n", what, i, (double)y[i], (double)row(i));
        for (int j = 0; j < N; ++j) {
            if (o[i * N + j] != element(i, j) && ++failed < 10)
                std::printf("%s: %d %d\n", what, i, j);
            o[i * N + j] = 0;
        }
        y[i] = 0;
    }
}

static float sum(int i)
{
    float s = 0;
    for (int j = 0; j < N; ++j)
        s += a[i * N + j];
    return s;
}
static float scaled(int i, int j) { return a[i * N + j] / (sum(i) + 1); }
static float zero(int, int) { return 0; }
static float few(int i)
{
    float s = 0;
    for (int j = 0; j < 7; ++j)
        s += a[i * N + j];
    return s;
}
static float growing(int i)
{
    float s = 0;
    for (int j = 0, n = 10; j < n && j < N; ++j, n += j < 20 ? 1 : 0)
        s += a[i * N + j];
    return s;
}

template <class T> static void softmax(int m, int n, const T *from, T *to, T *total)
{
#pragma omp target teams distribute parallel for map(to: from[0:m * n]) map(tofrom: to[0:m * n], total[0:m])
    for (int i = 0; i < m; ++i) {
        T s = 0;
        for (int j = 0; j < n; ++j)
            s += from[i * n + j];
        total[i] = s;
        for (int j = 0; j < n; ++j) {
            const T value = from[i * n + j] / (s + 1);
            to[i * n + j] = value;
        }
    }
}

struct Table {
    int rows, width;
    const float *data;
    void sums(float *total) const
    {
        const float *const p = data;
        const int m = rows, n = width;
#pragma omp target teams distribute parallel for map(to: p[0:m * n]) map(tofrom: total[0:m])
        for (int i = 0; i < m; ++i) {
            const float *row = p + i * n;
            float s = 0;
            for (int j = 0; j < n; ++j)
                s += row[j];
            total[i] = s;
        }
    }
};

/* The bound is what a reference leads to, which the loop changes or does not change. */
static void bounded(int m, int n, int moves, const float *p, float *total)
{
#pragma omp target teams distribute parallel for map(to: p[0:m * n]) map(tofrom: total[0:m])
    for (int i = 0; i < m; ++i) {
        int last = moves ? 10 : 7;
        const int &end = last;
        float s = 0;
        for (int j = 0; j < end; ++j) {
            s += p[i * n + j];
            if (moves && j < 19)
                ++last;
        }
        total[i] = s;
    }
}

struct Counter {
    float *at;
    float value;
    explicit Counter(float *p) : at(p), value(0) {}
    ~Counter() { *at += value; }
};

/* A destructor writes once for each iteration. */
static void ended(int m, int n, const float *p, float *total)
{
#pragma omp target teams distribute parallel for map(to: p[0:m * n]) map(tofrom: total[0:m])
    for (int i = 0; i < m; ++i) {
        Counter c(&total[i]);
        for (int j = 0; j < n; ++j)
            c.value += p[i * n + j];
    }
}

int main()
{
    for (int k = 0; k < M * N; ++k)
        a[k] = (float)(k % 13);
    softmax(M, N, a, o, y);
    check("template", sum, scaled);
    static double many[M * N], to[M * N], total[M]; /* a second instantiation, whose rows have another size */
    for (int k = 0; k < M * N; ++k)
        many[k] = k % 13;
    softmax(M, N, many, to, total);
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j)
            if ((total[i] != sum(i) || to[i * N + j] != many[i * N + j] / (total[i] + 1)) && ++failed < 10)
                std::printf("double: %d %d: %g %g\n", i, j, total[i], to[i * N + j]);
    Table t = {M, N, a};
    t.sums(y);
    check("method", sum, zero);
    bounded(M, N, 0, a, y);
    check("bound", few, zero);
    bounded(M, N, 1, a, y);
    check("bound that moves", growing, zero);
    ended(M, N, a, y);
    check("destructor", sum, zero);
    std::puts(failed ? "wrong" : "ok");
    return failed != 0;
}

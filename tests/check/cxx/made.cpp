// Objects that calls make, references to members, and elements that methods choose. Each wrong line says so.
#include <cstdlib>
#include <utility>

struct Span {
    double *data_;
    int size_;
    Span(double *data, int size) : data_(data), size_(size) {}
    double &operator[](int i) const { return data_[i]; }
};

static void square(Span s)
{
#pragma omp target teams distribute parallel for map(tofrom: s)
    for (int i = 0; i < s.size_; i++)
        s[i] *= 2; // rex-expect: unmapped-pointer
}

static Span whole(double *p) { return Span(p, 64); }

static Span half(double *p)
{
    Span s = whole(p);
    s.size_ = 32;
    return s;
}

static void mapped(Span s)
{
    double *p = s.data_;
#pragma omp target teams distribute parallel for map(tofrom: p[0:64])
    for (int i = 0; i < 64; i++)
        p[i] *= 2;
}

static void returned(double *p)
{
    Span s = half(p);
#pragma omp target teams distribute parallel for map(tofrom: s)
    for (int i = 0; i < 32; i++)
        s.data_[i] += 1; // rex-expect: unmapped-pointer
}

static void mapped_before(double *p)
{
#pragma omp target enter data map(to: p[0:64])
    Span s = whole(p);
    double *q = s.data_;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 64; i++)
        q[i] += 1;
#pragma omp target exit data map(from: p[0:64])
}

struct Moments {
    double sum, squares;
};

static double moments(const double *p, int n)
{
    Moments m{0, 0};
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: m)
    for (int i = 0; i < n; i++) {
        auto &[sum, squares] = m;
        sum += p[i]; // rex-expect: reduction
#pragma omp atomic
        squares += p[i] * p[i];
    }
    return m.sum + m.squares;
}

static double by_reference(const double *p, int n)
{
    Moments m{0, 0};
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: m)
    for (int i = 0; i < n; i++) {
        double &squares = m.squares;
        squares += p[i]; // rex-expect: reduction
    }
    return m.squares;
}

static void own_members(Moments *m, const double *p, int n)
{
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: m[0:n])
    for (int i = 0; i < n; i++) {
        auto &[sum, squares] = m[i];
        sum += p[i];
        squares += p[i] * p[i];
    }
}

template <int Bins> struct Histogram {
    int size = Bins;
    int count[Bins] = {};
    void add(double v)
    {
        int bin = (int)(v * Bins);
        count[bin]++; // rex-expect: reduction (likely)
    }
    void add_alone(double v)
    {
        int bin = (int)(v * Bins);
#pragma omp atomic
        count[bin]++;
    }
};

static int histogram(const double *p, int n)
{
    Histogram<10> h, g;
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: h, g)
    for (int i = 0; i < n; i++) {
        h.add(p[i]);
        g.add_alone(p[i]);
    }
    return h.count[0] + g.count[0];
}

// Each iteration has a row of its own, in which data chooses the element.
struct Row {
    int *p;
    void add(int bin) { p[bin]++; }
};

static void rows(int *hist, const int *bin, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: hist[0:64 * n]) map(to: bin[0:64])
    for (int i = 0; i < n; i++) {
        int *mine = hist + i * 64;
        Row row{hist + i * 64};
        for (int k = 0; k < 64; k++) {
            mine[bin[k]]++;
            hist[i * 64 + bin[k]]++;
            row.add(bin[k]);
        }
    }
}

int main()
{
    double *p = (double *)calloc(64, sizeof(double)), *q = (double *)calloc(64, sizeof(double));
    int *hist = (int *)calloc(64 * 64, sizeof(int)), bin[64] = {};
    Moments m[64] = {};
    square(Span(p, 64));
    mapped(Span(p, 64));
    returned(p);
    mapped_before(q);
    own_members(m, p, 64);
    rows(hist, bin, 64);
    return moments(p, 64) + by_reference(p, 64) + histogram(p, 64) > 0;
}

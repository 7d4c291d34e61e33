// Regions follow each other in methods, loops and calls. What the host reads between them is what the kernels wrote.
#include <array>
#include <cstdio>

template <class T> struct Buffer {
    T *data;
    int n;
    int uses = 0;

    explicit Buffer(int count) : data(new T[count]()), n(count)
    {
#pragma omp target enter data map(to: data[0:n])
    }
    ~Buffer()
    {
#pragma omp target exit data map(delete: data[0:n])
        delete[] data;
    }
    void pull()
    {
#pragma omp target update from(data[0:n])
        ++uses;
    }
    void push()
    {
#pragma omp target update to(data[0:n])
    }
    T host(int i) const { return data[i]; }
};

void add(double *p, int n, double x)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        p[i] += x + i;
}

template <class A> void exchange(A &a, A &b)
{
    A t = a;
    a = b;
    b = t;
}

double poke(Buffer<double> &b, int k)
{
    b.pull();
    b.data[k] = -1;
    b.push();
    return b.host(k + 1);
}

struct View {
    double *p;
    int n;
    double &operator()(int i) const { return p[i]; }
    double *begin() const { return p; }
    double *end() const { return p + n; }
};

int main()
{
    Buffer<double> b(100), c(100);
    double total = 0;
    for (int k = 0; k < 20; ++k) {
        add(b.data, b.n, k);
        add(c.data, c.n, 1);
        if (k % 5 == 4)
            total += poke(b, k);
        exchange(b.data, c.data);
    }
    b.pull();
    c.pull();
    for (int i = 0; i < 100; ++i)
        total += b.host(i) * (i + 1) + c.host(i);
    std::printf("%.1f %d\n", total, b.uses);

    std::array<double, 64> x{};
    View view{x.data(), 64};
    for (int k = 0; k < 8; ++k) {
        double *p = view.p;
        const int n = view.n;
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
        for (int i = 0; i < n; ++i)
            p[i] = p[i] * 2 + i;
        view(k) += 1;
        for (double &e : view)
            e += 0.5;
        view = View{view.p, view.n - (k & 1)};
    }
    double sum = 0;
    for (double e : x)
        sum += e;
    std::printf("%.1f %d\n", sum, view.n);

    double sums = 0;
    bool large = false;
    for (int k = 0; k < 12 && !large; ++k) {
        double part = 0;
#pragma omp target teams distribute parallel for reduction(+: part) map(to: x)
        for (int i = 0; i < 64; ++i)
            part += x[i] + k;
        large = part > 1e9;
        sums += part;
        std::get<0>(x) += 1;
    }
    std::printf("%.1f %d\n", sums, large);
    return 0;
}

// Device code with small containers of its own: stack, ring buffer, matrix with static size, iterators, placement new.
#include "check.hpp"
#include <new>

template <class T, int N> class Stack
{
    alignas(T) unsigned char raw[N * sizeof(T)];
    int top = 0;

  public:
    template <class... A> T &emplace(A... a) { return *new (raw + sizeof(T) * top++) T(a...); }
    T pop() { return at(--top); }
    T &at(int i) { return *reinterpret_cast<T *>(raw + sizeof(T) * i); }
    bool empty() const { return top == 0; }
    int size() const { return top; }
};
struct Item
{
    int a;
    double b;
    Item(int x, double y) : a(x), b(y) {}
};
template <class T, int R, int C> struct Mat
{
    T m[R][C];
    struct iterator
    {
        T *p;
        T &operator*() const { return *p; }
        iterator &operator++()
        {
            ++p;
            return *this;
        }
        bool operator!=(iterator o) const { return p != o.p; }
    };
    iterator begin() { return {&m[0][0]}; }
    iterator end() { return {&m[0][0] + R * C}; }
    template <int K> Mat<T, R, K> operator*(const Mat<T, C, K> &o) const
    {
        Mat<T, R, K> r{};
        for (int i = 0; i < R; i++)
            for (int j = 0; j < K; j++)
                for (int k = 0; k < C; k++)
                    r.m[i][j] += m[i][k] * o.m[k][j];
        return r;
    }
};

int main()
{
    double out[20];
    int traces[20];
#pragma omp target teams distribute parallel for map(from : out, traces)
    for (int i = 0; i < 20; i++) {
        Stack<Item, 8> s;
        for (int k = 0; k < 5; k++)
            s.emplace(i, k * 0.5);
        double t = 0;
        while (!s.empty()) {
            Item it = s.pop();
            t += it.a * it.b + s.size();
        }
        out[i] = t;
        Mat<int, 2, 3> a{};
        int n = i;
        for (int &x : a)
            x = n++;
        Mat<int, 3, 2> b{};
        for (int &x : b)
            x = 1;
        auto c = a * b;
        traces[i] = c.m[0][0] + c.m[1][1];
    }
    for (int i = 0; i < 20; i++) {
        check("stack", out[i], 5.0 * i + 10);
        check("trace", traces[i], 6 * i + 15);
    }
    return report();
}

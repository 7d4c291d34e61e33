// Array sections whose base has a type that depends on a template's parameters: pointers, arrays and members.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

template <class T>
struct Pointers
{
    T v;
    const T w;
    Pointers(T a, T b) : v(a), w(b) {}
    void add()
    {
#pragma omp target teams distribute parallel for map(tofrom : v[0 : 8]) map(to : w[0 : 8])
        for (int i = 0; i < 8; ++i)
            v[i] += w[i];
    }
};

template <class T, int N>
struct Arrays
{
    T v[8];
    const T c[3] = {1, 2, 3};
    T n[N];
    void fill()
    {
#pragma omp target teams distribute parallel for map(tofrom : v[0 : 8], n[0 : N]) map(to : c[0 : 3])
        for (int i = 0; i < 8; ++i) {
            v[i] = c[i % 3];
            if (i < N)
                n[i] = 10 * v[i];
        }
    }
};

template <class T, int N>
void of_object(Arrays<T, N> &a)
{
#pragma omp target teams distribute parallel for map(tofrom : a.v[0 : 8], a.n[0 : N]) map(to : a.c[0 : 3])
    for (int i = 0; i < 8; ++i) {
        a.v[i] += a.c[i % 3];
        if (i < N)
            a.n[i] += 1;
    }
}

template <class T>
void of_object(Pointers<T> &p)
{
#pragma omp target teams distribute parallel for map(tofrom : p.v[0 : 8]) map(to : p.w[0 : 8])
    for (int i = 0; i < 8; ++i)
        p.v[i] += p.w[i];
}

template <class V>
void of_reference(V &v)
{
#pragma omp target teams distribute parallel for map(tofrom : v[0 : 8])
    for (int i = 0; i < 8; ++i)
        v[i] += i;
}

template <class V>
void of_data_directives(V v, const V w)
{
#pragma omp target enter data map(to : v[0 : 8], w[0 : 8])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 8; ++i)
        v[i] += w[i];
#pragma omp target exit data map(from : v[0 : 8]) map(release : w[0 : 8])
}

// Rows whose length is a parameter.
template <int N, int M, class T> void of_rows(T (*a)[M], T (&b)[N][M], T (*c)[2][M])
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a[0:N][0:M], b[1:N - 1][:], c[0:1][0:2][0 : M])
    for (int i = 1; i < N; ++i) {
        for (int j = 0; j < M; ++j) {
            a[i][j] += b[i][j] + c[0][1][j];
            b[i][j] = 0;
        }
    }
}

int main()
{
    double a[2][3] = {}, b[2][3] = {{1, 2, 3}, {4, 5, 6}}, c[1][2][3] = {{{0, 0, 0}, {10, 20, 30}}};
    of_rows<2>(a, b, c);
    check("rows", a[1][0] + a[1][1] + a[1][2] + 100 * a[0][0] + b[0][2] + b[1][2], 78.0);
    double d[8] = {}, e[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    Pointers<double *> pointers(d, e);
    pointers.add();
    of_object(pointers);
    of_reference(d);
    of_data_directives(d, static_cast<double *>(e));
    Arrays<float, 4> arrays = {};
    arrays.fill();
    of_object(arrays);
    for (int i = 0; i < 8; ++i) {
        check("pointers", d[i], 3 * e[i] + i);
        check("arrays", arrays.v[i], 2.0f * (i % 3 + 1));
        if (i < 4)
            check("whole array", arrays.n[i], 10.0f * (i % 3 + 1) + 1);
    }
    return report();
}

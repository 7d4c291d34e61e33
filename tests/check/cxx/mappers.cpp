// A unit with mappers. Of variables of their types only members are told that the mappers forget. Mistakes with all
// others are found as anywhere else.
#include <cstdlib>
#include <vector>
constexpr int N = 100;

struct Vec {
    double *x;
    int n;
    explicit Vec(int size) : x(new double[size]), n(size)
    {
        for (int i = 0; i < n; ++i) x[i] = i;
    }
    ~Vec() { delete[] x; }
    double twice()
    {
#pragma omp target map(tofrom: this[0:1])
        for (int i = 0; i < n; ++i) x[i] *= 2;
        return x[1];
    }
};
#pragma omp declare mapper(Vec v) map(tofrom: v) map(tofrom: v.x[0:v.n])
template <class T> struct Box {
    T *inner;
    int count;
};
#pragma omp declare mapper(whole: Box<int> b) map(to: b.count) map(tofrom: b.inner[0:b.count])
struct Owner {
    Vec *of;
};

double right_by_itself(int n)
{
    Vec v(n);
#pragma omp target map(tofrom: v)
    for (int i = 0; i < v.n; ++i) v.x[i] += i;
    return v.x[1] + v.twice();
}
double right_by_another_name(int n)
{
    Vec v(n);
    double *x = v.x;
#pragma omp target enter data map(to: v)
#pragma omp target
    for (int i = 0; i < n; ++i) x[i] += 2;
    x[0] = 1;
#pragma omp target update to(v)
#pragma omp target
    x[1] = x[0];
#pragma omp target update from(v)
    double s = x[1];
#pragma omp target exit data map(release: v)
    return s;
}
int right_of_a_template(int n)
{
    std::vector<int> all(n);
    Box<int> b{all.data(), n};
#pragma omp target map(mapper(whole), tofrom: b)
    for (int i = 0; i < b.count; ++i) b.inner[i] = i;
    return b.inner[2];
}
double right_behind_a_pointer(Owner &o)
{
#pragma omp target enter data map(to: o) map(to: o.of[0:1])
#pragma omp target
    o.of->x[0] = o.of->n;
#pragma omp target exit data map(release: o) map(from: o.of[0:1])
    return o.of->x[0];
}

int never_back(int n)
{
    Vec v(n);
    int s = 0;
#pragma omp target map(tofrom: v)
    {
        v.x[0] = 1;
        s = 1; // rex-expect: lost-result
    }
    return s;
}
int old()
{
    int a[N] = {0}, s = 0;
#pragma omp target data map(to: a)
    {
        a[1] = 1;
#pragma omp target map(from: s)
        s = a[1]; // rex-expect: stale
    }
    return s;
}
double all_add(const Vec &v)
{
    double s = 0;
#pragma omp target teams distribute parallel for map(to: v) map(tofrom: s)
    for (int i = 0; i < v.n; ++i)
        s += v.x[i]; // rex-expect: reduction
    return s;
}

struct Mesh {
    int n;
    double *known, *forgotten;
    double sum()
    {
        double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(tofrom: this[0:1])
        for (int i = 0; i < n; ++i)
            s += known[i] + forgotten[i]; // rex-expect: unmapped-pointer (likely)
        return s;
    }
};
#pragma omp declare mapper(Mesh m) map(tofrom: m) map(tofrom: m.known[0:m.n])

// A mapper that maps a pointer and not what it leads to, and one that no clause names.
struct Series {
    int n;
    double *series_values;
};
#pragma omp declare mapper(Series s) map(s.n, s.series_values)
void integrate(Series &s, double h)
{
#pragma omp target map(tofrom: s)
    for (int i = 1; i < s.n; ++i)
        s.series_values[i] = s.series_values[i - 1] + h * s.series_values[i]; // rex-expect: unmapped-pointer (likely)
}

struct Image {
    int n;
    unsigned char *pixels;
};
#pragma omp declare mapper(deep: Image im) map(im.n, im.pixels) map(im.pixels[0:im.n])
void invert(Image &image)
{
#pragma omp target teams distribute parallel for map(tofrom: image)
    for (int i = 0; i < image.n; ++i)
        image.pixels[i] = 255 - image.pixels[i]; // rex-expect: unmapped-pointer (likely)
}

struct Volume {
    int n;
    unsigned char *voxels;
};
#pragma omp declare mapper(deep: Volume v) map(v.n, v.voxels) map(v.voxels[0:v.n])
#pragma omp declare mapper(whole: Volume v) map(v.n, v.voxels) map(v.voxels[0:v.n])
void invert_right(Volume &volume)
{
#pragma omp target teams distribute parallel for map(mapper(whole), tofrom: volume)
    for (int i = 0; i < volume.n; ++i)
        volume.voxels[i] = 255 - volume.voxels[i];
}

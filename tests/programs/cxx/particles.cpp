// Particles as structures of arrays and arrays of structures, with forces as policies, sorted into cells by atomics.
// reference: -Wno-unknown-pragmas
#include "check.hpp"
#include <cmath>
#include <vector>

template <class T> struct Vec3
{
    T x{}, y{}, z{};
    constexpr Vec3 &operator+=(const Vec3 &o)
    {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    friend constexpr Vec3 operator-(Vec3 a, const Vec3 &b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend constexpr Vec3 operator*(T k, const Vec3 &v) { return {k * v.x, k * v.y, k * v.z}; }
    constexpr T norm2() const { return x * x + y * y + z * z; }
};
template <class T> struct Spring
{
    T k;
    Vec3<T> operator()(const Vec3<T> &d) const { return k * d; }
};
template <class T> struct Gravity
{
    static constexpr T soft = T(0.01);
    Vec3<T> operator()(const Vec3<T> &d) const
    {
        const T r2 = d.norm2() + soft;
        return (T(1) / (r2 * std::sqrt(r2))) * d;
    }
};
template <class T, class Force> class System
{
    std::vector<Vec3<T>> pos_, force_;
    Force f_;

  public:
    System(int n, Force f) : pos_(n), force_(n), f_(f)
    {
        for (int i = 0; i < n; i++)
            pos_[i] = {T(i % 7), T(i % 5), T(i % 3)};
    }
    void forces()
    {
        const Vec3<T> *p = pos_.data();
        Vec3<T> *out = force_.data();
        const int n = static_cast<int>(pos_.size());
        const Force f = f_;
#pragma omp target teams distribute parallel for map(to : p[0 : n]) map(from : out[0 : n])
        for (int i = 0; i < n; i++) {
            Vec3<T> sum;
            for (int j = 0; j < n; j++)
                if (j != i)
                    sum += f(p[j] - p[i]);
            out[i] = sum;
        }
    }
    void cells(int *count, int per_side) const
    {
        auto *p = pos_.data();
        const auto n = pos_.size();
        const int total = per_side * per_side * per_side;
#pragma omp target teams distribute parallel for map(to : p[:n]) map(tofrom : count[:total])
        for (std::size_t i = 0; i < n; i++) {
            const int c = (int(p[i].x) % per_side * per_side + int(p[i].y) % per_side) * per_side + int(p[i].z) % per_side;
#pragma omp atomic
            ++count[c];
        }
    }
    void check_against(const char *what)
    {
        const int n = static_cast<int>(pos_.size());
        for (int i = 0; i < n; i++) {
            Vec3<T> sum;
            for (int j = 0; j < n; j++)
                if (j != i)
                    sum += f_(pos_[j] - pos_[i]);
            check(what, std::sqrt((sum - force_[i]).norm2()) < T(1e-3), true);
        }
    }
};

int main()
{
    System<double, Gravity<double>> a(60, {});
    a.forces();
    a.check_against("gravity");
    System<float, Spring<float>> b(40, {0.5f});
    b.forces();
    b.check_against("spring");
    int count[27] = {};
    a.cells(count, 3);
    int s = 0;
    for (int c : count)
        s += c;
    check("cells", s, 60);
    return report();
}

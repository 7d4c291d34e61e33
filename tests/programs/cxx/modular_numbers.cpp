// Overloaded operators: arithmetic, comparison, subscript, call, conversion, increment, assignment, friend ones.
#include "check.hpp"

class Mod
{
  public:
    constexpr Mod(int v = 0) : v_((v % 7 + 7) % 7) {}
    explicit operator int() const { return v_; }
    operator bool() const { return v_ != 0; }
    Mod &operator+=(Mod o) { return *this = Mod(v_ + o.v_); }
    Mod &operator++() { return *this += 1; }
    Mod operator++(int)
    {
        Mod t = *this;
        ++*this;
        return t;
    }
    Mod operator-() const { return Mod(-v_); }
    friend Mod operator+(Mod a, Mod b) { return a += b; }
    friend Mod operator*(Mod a, Mod b) { return Mod(a.v_ * b.v_); }
    friend bool operator==(Mod a, Mod b) { return a.v_ == b.v_; }
    friend bool operator<(Mod a, Mod b) { return a.v_ < b.v_; }

  private:
    int v_;
};
inline Mod operator""_m(unsigned long long v) { return Mod(static_cast<int>(v)); }

struct Arr
{
    Mod d[20];
    Mod &operator[](int i) { return d[i]; }
    const Mod &operator[](int i) const { return d[i]; }
    Mod operator()(int i, int j) const { return d[(i + j) % 20]; }
};

int main()
{
    Arr a;
    int less = 0;
#pragma omp target teams distribute parallel for map(tofrom : a) reduction(+ : less)
    for (int i = 0; i < 20; i++) {
        Mod m = i;
        Mod n = m++ * 3_m + -Mod(2);
        ++n;
        a[i] = n + m;
        if (m < n)
            less++;
        if (m)
            less += 100;
    }
    int want = 0;
    for (int i = 0; i < 20; i++) {
        Mod m = i;
        Mod n = m++ * 3_m + -Mod(2);
        ++n;
        check("a", a[i] == n + m, true);
        want += (m < n) + (m ? 100 : 0);
    }
    check("less", less, want);
    int r = 0;
#pragma omp target map(to : a) map(from : r)
    r = static_cast<int>(a(3, 4)) * 10 + int(a[2]);
    check("r", r, static_cast<int>(a[7]) * 10 + static_cast<int>(a[2]));
    return report();
}

// Objects with constructors and destructors inside of regions, private and firstprivate objects, arrays of objects.
#include "check.hpp"

struct Counter
{
    int *live;
    int id;
    Counter(int *l, int i) : live(l), id(i) { ++*live; }
    Counter(const Counter &o) : live(o.live), id(o.id + 100) { ++*live; }
    ~Counter() { --*live; }
    int get() const { return id; }
};

struct Small
{
    int a = 5;
    double b{2.5};
    Small() = default;
    Small(int x) : a(x) {}
};

// Only private copies use its constructors, its assignment and its destructor, and those of its member.
struct Part {
    int n;
    Part() : n(10) {}
    Part(const Part &o) : n(o.n + 1) {}
    Part &operator=(const Part &o)
    {
        n = o.n;
        return *this;
    }
    ~Part() { n = 0; }
};
struct Whole {
    int v;
    Part part;
    explicit Whole(int x) : v(x) {}
    Whole() : v(3) {}
};
template <class T> int copied_in_template(T object)
{
    int r[4];
#pragma omp target teams distribute parallel for firstprivate(object) map(from : r)
    for (int i = 0; i < 4; i++)
        r[i] = object.part.n + i;
    return r[3] - r[0];
}
int parts_of(Whole own, int *r)
{
#pragma omp parallel for firstprivate(own) num_threads(2)
    for (int i = 0; i < 4; i++)
        r[i] += own.v;
    return 0;
}

int main()
{
    int out[10], live_after[10];
#pragma omp target teams distribute parallel for map(from : out, live_after)
    for (int i = 0; i < 10; i++) {
        int live = 0;
        {
            Counter c(&live, i);
            Counter d = c;
            for (int k = 0; k < 3; k++) {
                Counter e(&live, k);
                if (k == 1)
                    continue;
            }
            out[i] = c.get() + d.get() + live * 1000;
        }
        live_after[i] = live;
    }
    for (int i = 0; i < 10; i++) {
        check("out", out[i], 2 * i + 100 + 2000);
        check("live", live_after[i], 0);
    }
    Small s(9), p;
    int r[8];
#pragma omp target teams distribute parallel for firstprivate(s) private(p) map(from : r)
    for (int i = 0; i < 8; i++) {
        p.a = i;
        s.a += i; // rex-ignore: lost-result, because the copies are what this is about
        r[i] = p.a;
    }
    check("private", r[7], 7);
    check("untouched", s.a, 9);
    Whole whole(7), last;
    int of[4];
#pragma omp target teams distribute parallel for private(whole) lastprivate(last) map(from : of)
    for (int i = 0; i < 4; i++) {
        of[i] = whole.v + whole.part.n;
        last.v = i;
    }
    check("made on the device", of[0], 13);
    check("assigned on the device", last.v, 3);
    check("copied in a template", copied_in_template(whole), 3);
#pragma omp target map(tofrom : of)
    parts_of(Whole(2), of);
    check("copied in a function", of[3], 15);
    int t = 0;
#pragma omp target map(tofrom : t)
    {
        Small arr[3];
        Small *q = &arr[1];
        q->a = 50;
        for (auto &e : arr)
            t += e.a;
        t += Small{3}.a + Small().a;
    }
    check("array", t, 60 + 8);
    return report();
}

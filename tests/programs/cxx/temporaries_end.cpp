// Temporaries that end on the device: their destructors, which no text names, change what was there.
#include "check.hpp"

struct Guard {
    int &value;
    int by;
    Guard(int &v, int k) : value(v), by(k) {}
    ~Guard() { value += by; }
    int get() const { return by; }
};
struct Plain {
    int *value;
    int by;
    ~Plain() { *value += by; }
};
static Plain make(int *p, int n) { return {p, n}; }
static int use(Plain p) { return p.by; }

struct Held {
    int *to;
    int n;
    Held(int *p, int k) : to(p), n(k) {}
    Held(const Held &) = default;
    ~Held() { *to ^= n; }
};
struct Both {
    Held one;
    int two;
};
static int both(Both p) { return p.two + p.one.n; }

template <class Value>
struct Scale {
    Value &value;
    int by;
    Scale(Value &v, int k) : value(v), by(k) {}
    ~Scale() { value *= by; }
};
template <class Value>
static void scale(Value &v)
{
    Scale<Value>(v, 3);
}

static int step(int own, int i)
{
    Guard(own, 3);
    own += Guard{own, 4}.get();
    Plain{&own, i};
    own += use({&own, 2});
    make(&own, 7);
    own += both({{&own, 3}, 1});
    own += both(Both{Held(&own, 5), 1});
    scale(own);
    return own;
}

int main()
{
    int a[8] = {}, changed = 0;
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (int i = 0; i < 8; ++i) {
        int own = i;
        Guard(own, 3);
        Plain{&own, i};
        make(&own, 1);
        a[i] = step(own, i);
    }
    for (int i = 0; i < 8; ++i)
        changed += a[i] != step(2 * i + 4, i);
    check("objects without names", changed, 0);
    return report();
}

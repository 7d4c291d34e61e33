// List items that an operator -> of a class leads to.
// reference: -Wno-unknown-pragmas -fno-openmp
#include "check.hpp"

#include <memory>
#include <vector>

struct Block {
    double *d;
    int n;
    int fixed[3];
};

struct Handle {
    Block *b;
    Block *operator->() const { return b; }
};

class Owner {
    std::unique_ptr<Block> own;

public:
    explicit Owner(double *d) : own(new Block{d, 4, {1, 2, 3}})
    {
#pragma omp target enter data map(to: own->d[0:own->n])
    }
    ~Owner()
    {
#pragma omp target exit data map(from: own->d[0:4])
    }
    void twice()
    {
#pragma omp target teams distribute parallel for map(own->d[0:4])
        for (int i = 0; i < 4; ++i)
            own->d[i] *= 2;
    }
    double first() const
    {
#pragma omp target update from(own->d[0:1])
        return own->d[0];
    }
};

template <class T> class Holder {
    struct Data {
        T *d;
    };
    std::unique_ptr<Data> data;

public:
    explicit Holder(T *d) : data(new Data{d})
    {
#pragma omp target enter data map(to: data->d[0:2])
    }
    T first()
    {
        T r{};
#pragma omp target map(from: r) map(data->d[0:2])
        r = data->d[0];
#pragma omp target exit data map(delete: data->d[0:2])
        return r;
    }
};

template <class P> int fixed_of(P p)
{
#pragma omp target map(tofrom: p->fixed)
    p->fixed[1] += 40;
    return p->fixed[1];
}

int main()
{
    double d[4] = {1, 2, 3, 4};
    {
        Owner o(d);
        o.twice();
        check("update", o.first(), 2.0);
    }
    check("back", d[3], 8.0);
    check("in a template", Holder<double>(d).first(), 2.0);
    Block block{d, 4, {1, 2, 3}};
    Handle h{&block};
#pragma omp target enter data map(to: h->fixed)
#pragma omp target map(h->fixed)
    h->fixed[0] = 7;
#pragma omp target exit data map(from: h->fixed)
    check("handle", block.fixed[0], 7);
    check("pointer", fixed_of(&block), 42);
    std::vector<Block> all(2, block);
    for (auto i = all.begin(); i != all.end(); ++i) {
#pragma omp target enter data map(to: i->d[0:4])
#pragma omp target exit data map(delete: i->d[0:4])
    }
    for (auto i = all.begin(); i != all.end(); ++i)
#pragma omp target map(tofrom: i->fixed[0:2])
        i->fixed[1] += i->fixed[0];
    check("iterator", all[1].fixed[1], 49);
    return report();
}

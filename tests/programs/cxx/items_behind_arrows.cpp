// List items that an operator -> or [] of a class leads to.
// reference: -Wno-unknown-pragmas -fno-openmp
#include "check.hpp"

#include <map>
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

struct Table {
    std::vector<Block> blocks;
    Block *extra;
    Block &operator[](int i) { return blocks[i]; }
    double filled(int i)
    {
        double *d = blocks[i].d;
#pragma omp target data map(to: blocks[i].d[0:4]) map(tofrom: this->blocks[i + 1].n, extra->n)
        {
            const int at = i;
            i = 0;
#pragma omp target
            d[1] = 5 + at;
#pragma omp target update from(blocks[at].d[1:1])
        }
        return d[1];
    }
};

template <class T> T in_template(std::vector<T *> &rows, std::vector<std::vector<Block>> &blocks, int n)
{
#pragma omp target enter data map(to: rows[1][0:n], blocks[0][1].d[0:n], blocks[0][1].fixed)
    T *row = rows[1];
    double *d = blocks[0][1].d;
#pragma omp target
    row[0] = d[2] += 10;
#pragma omp target exit data map(from: rows[1][0:n], blocks[0][1].d[0:n]) map(delete: blocks[0][1].fixed)
    return row[0];
}

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
    double e[4] = {1, 2, 3, 4}, f[4] = {}, row[4] = {};
    Table table{{{e, 4, {}}, {f, 4, {}}, {row, 4, {}}}, &block};
    check("an element of a member", table.filled(1), 6.0);
    double *first = table[0].d;
#pragma omp target enter data map(to: table[0].d[0:4])
#pragma omp target
    first[3] = 8;
#pragma omp target exit data map(from: table[0].d[0:4])
    check("an operator of one's own", e[3], 8.0);
    std::map<int, Block> named{{3, {e, 4, {}}}};
#pragma omp target enter data map(to: named[table[0].n - 1].d[1:2])
#pragma omp target
    first[2] += 20;
#pragma omp target exit data map(from: named[3].d[1:2])
    check("an element of a map", e[2], 23.0);
    std::vector<double *> rows{f, row};
    std::vector<std::vector<Block>> blocks(1, table.blocks);
    blocks[0][1].d = e;
    check("in a template, of pointers and of vectors", in_template(rows, blocks, 4), 33.0);
    check("all of them", e[2] == 33 && row[0] == 33, true);
    return report();
}

// Constructors map what an object owns, methods work with it, and the destructor releases it.
#include "check.hpp"
#include <cstddef>

class Buffer {
    int n_;
    double *data_;

public:
    explicit Buffer(int n) : n_(n), data_(new double[n])
    {
#pragma omp target enter data map(to: this[0:1]) map(alloc: data_[0:n_])
    }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer()
    {
#pragma omp target exit data map(delete: data_[0:n_]) map(release: this[0:1])
        delete[] data_;
    }
    void set(double v)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n_; ++i)
            data_[i] = v * i;
    }
    void fetch()
    {
#pragma omp target update from(data_[0:n_])
    }
    double operator[](int i) const { return data_[i]; }
    double sum() const
    {
        double s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = 0; i < n_; ++i)
            s += data_[i];
        return s;
    }
};

struct Ended {
    int *count;
    explicit Ended(int *c) : count(c) {}
    ~Ended() { *count += 10; }
};

struct Whole {
    Ended part;
    int more;
};

template <class T> struct Owner {
    T *object;
    ~Owner() { delete object; }
};

template <class T>
void end(T *object)
{
    delete object;
}

// Operators of the user's, in a class and outside, give the storage.
struct Arena {
    char bytes[64];
    int used = 0;
    void *get(std::size_t n)
    {
        void *at = bytes + used;
        used += (n + 7) / 8 * 8;
        return at;
    }
};
struct Placed {
    int n;
    explicit Placed(int i) : n(i) {}
    static void *operator new(std::size_t size, Arena &arena) { return arena.get(size); }
    static void operator delete(void *, Arena &) {}
};
inline void *operator new(std::size_t size, Arena &arena, int) { return arena.get(size); }
inline void operator delete(void *, Arena &, int) {}

int main()
{
    int placed = 0;
#pragma omp target map(from : placed)
    {
        Arena arena;
        const Placed *first = new (arena) Placed(5);
        const int *second = new (arena, 1) int(7);
        placed = first->n * 100 + *second * 10 + arena.used / 8;
    }
    check("objects in storage of the user's", placed, 572);
    int ended = 0;
#pragma omp target map(tofrom: ended)
    {
        Ended *plain = new Ended(&ended);
        delete plain;
        Whole *whole = new Whole{Ended(&ended), 1};
        delete whole;
        end(new Ended(&ended));
        Owner<Ended> *owner = new Owner<Ended>{new Ended(&ended)};
        delete owner;
    }
    check("objects that delete ends", ended, 40);
    for (int round = 1; round < 4; ++round) {
        Buffer b(100), c(10);
        b.set(round);
        c.set(2);
        check("sum", b.sum(), 4950.0 * round);
        check("other", c.sum(), 90.0);
        b.fetch();
        check("last", b[99], 99.0 * round);
    }
    return report();
}

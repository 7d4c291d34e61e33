// Five kinds of mistakes as classes, templates and lambdas have them: each wrong one has its right twin behind it.
#include <omp.h>

#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace {
constexpr int SIZE = 24;
volatile double kept;

template <class T>
class Field {
public:
    explicit Field(int n) : count(n), cells(new T[n])
    {
        for (int i = 0; i < n; ++i)
            cells[i] = static_cast<T>(i);
    }
    void enter() const
    {
#pragma omp target enter data map(to : this[0:1], cells[0:count])
    }
    void leave() const
    {
#pragma omp target exit data map(release : cells[0:count], this[0:1]) // rex-expect: double-release
    }
    void leave_last() const
    {
#pragma omp target exit data map(release : cells[0:count], this[0:1])
    }
    void set(T value)
    {
        for (int i = 0; i < count; ++i)
            cells[i] = value;
    }
    T sum_wrong() const
    {
        T sum = 0;
#pragma omp target map(tofrom : sum) map(present, alloc : cells[0:count])
        for (int i = 0; i < count; ++i)
            sum += cells[i]; // rex-expect: stale-read-on-device
        return sum;
    }
    T sum_right() const
    {
        T sum = 0;
#pragma omp target update to(cells[0:count])
#pragma omp target map(tofrom : sum) map(present, alloc : cells[0:count])
        for (int i = 0; i < count; ++i)
            sum += cells[i];
        return sum;
    }
    void smooth_wrong()
    {
#pragma omp target teams distribute parallel for map(tofrom : cells[0:count])
        for (int i = 0; i < count; i += 2)
            cells[i + 2] = cells[i + 1]; // rex-expect: outside-section
    }
    void smooth_right()
    {
#pragma omp target teams distribute parallel for map(tofrom : cells[0:count])
        for (int i = 0; i < count - 2; i += 2)
            cells[i + 2] = cells[i + 1];
    }
    T *data() { return cells; }

    int count;
    T *cells;
};

// ---- barrier

template <int Threads>
void gather_wrong(std::vector<int> &to)
{
    int *p = to.data();
#pragma omp target parallel num_threads(Threads) map(tofrom : p[0:Threads])
    {
        const int me = omp_get_thread_num();
        p[me] = me;
        if (me < Threads - 1) {
#pragma omp barrier // rex-expect: barrier
            p[me] += 1;
        }
    }
}
template <int Threads>
void gather_right(std::vector<int> &to)
{
    int *p = to.data();
#pragma omp target parallel num_threads(Threads) map(tofrom : p[0:Threads])
    {
        const int me = omp_get_thread_num();
        p[me] = me;
        if (omp_get_num_threads() <= Threads) {
#pragma omp barrier
            p[me] += 1;
        }
    }
}

struct Worker {
    int *slots;
    void run_wrong(int me) const
    {
        if (me % 2 == 1)
            return;
        slots[me] = 1;
#pragma omp barrier // rex-expect: barrier
    }
    void run_right(int me) const
    {
        if (me % 2 == 0)
            slots[me] = 1;
#pragma omp barrier
    }
};
void workers(int *slots, bool right)
{
    if (right) {
#pragma omp target parallel num_threads(4) map(tofrom : slots[0:4])
        Worker{slots}.run_right(omp_get_thread_num());
    } else {
#pragma omp target parallel num_threads(4) map(tofrom : slots[0:4])
        Worker{slots}.run_wrong(omp_get_thread_num());
    }
}

void shared_loop_wrong(int *p)
{
#pragma omp target parallel num_threads(4) map(tofrom : p[0:SIZE])
    {
        const bool helps = omp_get_thread_num() != 0;
        if (helps) {
#pragma omp for // rex-expect: barrier
            for (int i = 0; i < SIZE; ++i)
                p[i] += 1;
        }
    }
}
void shared_loop_right(int *p)
{
#pragma omp target parallel num_threads(4) map(tofrom : p[0:SIZE])
    {
        const bool helps = omp_get_thread_num() != 0;
#pragma omp for
        for (int i = 0; i < SIZE; ++i)
            p[i] += helps ? 1 : 2;
    }
}

void lambda_wrong(int *p)
{
#pragma omp target parallel num_threads(3) map(tofrom : p[0:3])
    {
        auto step = [&](int id) {
            p[id] = id;
            for (int turn = 0; turn < id; ++turn) {
#pragma omp barrier // rex-expect: barrier
                p[id] += turn;
            }
        };
        step(omp_get_thread_num());
    }
}
void lambda_right(int *p)
{
#pragma omp target parallel num_threads(3) map(tofrom : p[0:3])
    {
        auto step = [&](int id) {
            p[id] = id;
            for (int turn = 0; turn < 3; ++turn) {
#pragma omp barrier
                p[id] += turn;
            }
        };
        step(omp_get_thread_num());
    }
}

// ---- stale-read-on-device

void vector_wrong()
{
    std::vector<double> v(SIZE, 1.0);
    double *p = v.data(), out = 0;
#pragma omp target data map(to : p[0:SIZE]) map(from : out)
    {
        std::iota(p, p + SIZE, 0.0);
        v[5] = 9;
#pragma omp target map(tofrom : out)
        out = p[5]; // rex-expect: stale-read-on-device
    }
    kept = out;
}
void vector_right()
{
    std::vector<double> v(SIZE, 1.0);
    double *p = v.data(), out = 0;
#pragma omp target data map(to : p[0:SIZE]) map(from : out)
    {
        std::iota(p, p + SIZE, 0.0);
        v[5] = 9;
#pragma omp target update to(p[0:SIZE])
#pragma omp target map(tofrom : out)
        out = p[5];
    }
    kept = out;
}

struct Pair {
    std::array<int, 8> left, right;
    void swap_wrong()
    {
        int got = 0;
#pragma omp target enter data map(to : this[0:1])
        std::swap(left[1], right[1]);
#pragma omp target map(from : got)
        got = left[1]; // rex-expect: stale-read-on-device
#pragma omp target exit data map(delete : this[0:1])
        kept = got;
    }
    void swap_right()
    {
        int got = 0;
#pragma omp target enter data map(to : this[0:1])
        std::swap(left[1], right[1]);
#pragma omp target update to(this[0:1])
#pragma omp target map(from : got)
        got = left[1];
#pragma omp target exit data map(delete : this[0:1])
        kept = got;
    }
};

template <class Change>
void resident_wrong(float *p, Change change)
{
#pragma omp target enter data map(to : p[0:SIZE])
    change(p);
#pragma omp target
    p[1] = p[0] + 1; // rex-expect: stale-read-on-device
#pragma omp target exit data map(from : p[0:SIZE])
    kept = p[1];
}
template <class Change>
void resident_right(float *p, Change change)
{
#pragma omp target enter data map(to : p[0:SIZE])
    change(p);
#pragma omp target update to(p[0:1])
#pragma omp target
    p[1] = p[0] + 1;
#pragma omp target exit data map(from : p[0:SIZE])
    kept = p[1];
}

// ---- outside-section

template <class T>
T dot_wrong(const std::vector<T> &a, const std::vector<T> &b)
{
    const T *x = a.data(), *y = b.data();
    T sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : x[0:a.size()], y[0:b.size() / 2]) map(tofrom : sum)
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += x[i] * y[i]; // rex-expect: outside-section
    return sum;
}
template <class T>
T dot_right(const std::vector<T> &a, const std::vector<T> &b)
{
    const T *x = a.data(), *y = b.data();
    T sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : x[0:a.size()], y[0:b.size()]) map(tofrom : sum)
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += x[i] * y[i];
    return sum;
}

struct Matrix {
    int rows, columns;
    std::unique_ptr<double[]> owner = std::make_unique<double[]>(rows * columns);
    double *values = owner.get();
    double &at(int y, int x) { return values[y * columns + x]; }
    double &cell(int y, int x) { return values[y * columns + x]; }
    void identity_wrong()
    {
#pragma omp target map(to : this[0:1]) map(from : values[0:rows * columns - 1])
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x)
                at(y, x) = x == y; // rex-expect: outside-section
    }
    void identity_right()
    {
#pragma omp target map(to : this[0:1]) map(from : values[0:rows * columns])
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x)
                cell(y, x) = x == y;
    }
};

void range_wrong(std::vector<int> &v)
{
    int *first = v.data() + 4;
#pragma omp target map(tofrom : first[0:8])
    for (int *p = first; p <= first + 8; ++p)
        *p += 1; // rex-expect: outside-section
}
void range_right(std::vector<int> &v)
{
    int *first = v.data() + 4;
#pragma omp target map(tofrom : first[0:8])
    for (int *p = first; p < first + 8; ++p)
        *p += 1;
}

// ---- double-release

struct Guard {
    int *p;
    bool ours;
    explicit Guard(int *q, bool own = true) : p(q), ours(own)
    {
        if (ours) {
#pragma omp target enter data map(to : p[0:SIZE])
        }
    }
    ~Guard()
    {
#pragma omp target exit data map(release : p[0:SIZE]) // rex-expect: double-release
    }
};
struct Owner {
    int *p;
    bool ours;
    explicit Owner(int *q, bool own = true) : p(q), ours(own)
    {
        if (ours) {
#pragma omp target enter data map(to : p[0:SIZE])
        }
    }
    ~Owner()
    {
        if (ours) {
#pragma omp target exit data map(release : p[0:SIZE])
        }
    }
};
template <class Holder>
void guards(int *p)
{
    Holder outer(p);
    {
        Holder inner(p, false);
#pragma omp target
        p[1] = 1;
    }
}

void batches_wrong(std::vector<int *> &all)
{
    for (int *p : all) {
#pragma omp target enter data map(to : p[0:SIZE])
    }
    all.push_back(all.front());
    for (int *p : all) {
#pragma omp target exit data map(release : p[0:SIZE]) // rex-expect: double-release
    }
    all.pop_back();
}
void batches_right(std::vector<int *> &all)
{
    for (int *p : all) {
#pragma omp target enter data map(to : p[0:SIZE])
    }
    all.push_back(all.front());
    all.pop_back();
    for (int *p : all) {
#pragma omp target exit data map(release : p[0:SIZE])
    }
}

void always_wrong(int *p)
{
    auto drop = [p] {
#pragma omp target exit data map(delete : p[0:SIZE]) // rex-expect: double-release
    };
#pragma omp target enter data map(to : p[0:SIZE])
#pragma omp target
    p[0] = 1;
    drop();
    drop();
}
void always_right(int *p)
{
    auto drop = [p] {
#pragma omp target exit data map(delete : p[0:SIZE])
    };
    auto take = [p] {
#pragma omp target enter data map(to : p[0:SIZE])
    };
    take();
    drop();
    take();
    drop();
}

// ---- uninitialised-read

template <class T, int Count>
T accumulate_wrong()
{
    T all[Count];
#pragma omp target map(from : all)
    for (int i = 1; i < Count; ++i)
        all[i] = all[i - 1] + 1; // rex-expect: uninitialised-read
    return all[Count - 1];
}
template <class T, int Count>
T accumulate_right()
{
    T all[Count];
#pragma omp target map(from : all)
    {
        all[0] = 0;
        for (int i = 1; i < Count; ++i)
            all[i] = all[i - 1] + 1;
    }
    return all[Count - 1];
}

struct Buffer {
    int length = SIZE;
    float *store = new float[SIZE];
    void use_wrong()
    {
        float got = 0;
#pragma omp target enter data map(to : this[0:1]) map(alloc : store[0:length])
#pragma omp target map(from : got)
        got = store[3]; // rex-expect: uninitialised-read
#pragma omp target exit data map(delete : store[0:length], this[0:1])
        kept = got;
    }
    void use_right()
    {
        float got = 0;
#pragma omp target enter data map(to : this[0:1]) map(alloc : store[0:length])
#pragma omp target map(from : got)
        {
            store[3] = 2;
            got = store[3];
        }
#pragma omp target exit data map(delete : store[0:length], this[0:1])
        kept = got;
    }
};

void host_part_wrong()
{
    std::unique_ptr<double[]> some(new double[SIZE]);
    double *p = some.get(), out = 0;
    for (int i = 0; i < SIZE / 2; ++i)
        p[i] = i;
#pragma omp target teams distribute parallel for reduction(+ : out) map(to : p[0:SIZE]) map(tofrom : out)
    for (int i = 0; i < SIZE; ++i)
        out += p[i]; // rex-expect: uninitialised-read
    kept = out;
}
void host_part_right()
{
    std::unique_ptr<double[]> some(new double[SIZE]());
    double *p = some.get(), out = 0;
    for (int i = 0; i < SIZE / 2; ++i)
        p[i] = i;
#pragma omp target teams distribute parallel for reduction(+ : out) map(to : p[0:SIZE]) map(tofrom : out)
    for (int i = 0; i < SIZE; ++i)
        out += p[i];
    kept = out;
}
} // namespace

int main()
{
    std::vector<int> four(4), more(SIZE);
    gather_wrong<4>(four), gather_right<4>(four);
    workers(four.data(), false), workers(four.data(), true);
    shared_loop_wrong(more.data()), shared_loop_right(more.data());
    lambda_wrong(more.data()), lambda_right(more.data());
    Field<long> field(SIZE);
    field.enter();
    field.set(4);
    kept = field.sum_wrong(), kept = field.sum_right();
    field.leave_last();
    Field<double> other(SIZE);
    other.enter(), other.leave(), other.leave();
    Field<float> third(SIZE);
    third.enter(), third.leave_last();
    third.smooth_wrong(), third.smooth_right();
    kept = third.cells[3];
    vector_wrong(), vector_right();
    Pair{}.swap_wrong(), Pair{}.swap_right();
    auto change = [](float *p) { p[0] = -7; };
    resident_wrong(third.data(), change), resident_right(third.data(), change);
    std::vector<double> x(16, 2.0);
    std::vector<double> y(16, 1.0);
    kept = dot_wrong(x, y), kept = dot_right(x, y);
    Matrix matrix{5, 5};
    matrix.identity_wrong(), matrix.identity_right();
    range_wrong(more), range_right(more);
    kept = more[5];
    guards<Guard>(more.data()), guards<Owner>(more.data());
    std::vector<int *> all{new int[SIZE](), new int[SIZE]()};
    batches_wrong(all), batches_right(all);
    always_wrong(more.data()), always_right(more.data());
    kept = accumulate_wrong<int, 9>(), kept = accumulate_right<int, 9>();
    Buffer().use_wrong(), Buffer().use_right();
    host_part_wrong(), host_part_right();
}

// Objects that were moved, and views of mapped data: the device has nothing of the object itself, and its pointers lead to
// the device's data.
// reference: -O1
#include "check.hpp"
#include <utility>
#include <vector>

class Numbers {
public:
    explicit Numbers(int count) : data(new double[count]), n(count), scale(1)
    {
#pragma omp target enter data map(alloc : data[0:n])
        fill(count);
    }
    Numbers(Numbers &&other) noexcept : data(other.data), n(other.n), scale(other.scale) { other.data = nullptr; }
    ~Numbers()
    {
        if (!data)
            return;
#pragma omp target exit data map(delete : data[0:n])
        delete[] data;
    }
    double at(int i) const { return data[i] * scale; }
    void fill(int first)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            data[i] = i + first;
    }
    void one_member()
    {
#pragma omp target
        data[0] += 100;
    }
    void changed_member()
    {
#pragma omp target
        {
            data[1] += 1;
            scale += 1;
        }
    }
    double whole_object() const
    {
        double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
        for (int i = 0; i < n; ++i)
            s += at(i);
        return s;
    }
    double *data;
    int n;
    double scale;
};

template <class T> struct View {
    T *first;
    int n;
    T sum() const
    {
        T s{};
#pragma omp target teams distribute parallel for reduction(+ : s)
        for (int i = 0; i < n; ++i)
            s += first[i];
        return s;
    }
};

int main()
{
    std::vector<Numbers> all;
    for (int i = 1; i < 6; ++i)
        all.push_back(Numbers(i * 3));
    double total = 0;
    for (Numbers &one : all) {
        one.one_member();
        one.changed_member();
        total = total * 2 + one.whole_object();
    }
    check("moved", total, 9898.0);
    View<double> view{all[2].data + 1, 4};
    check("a view", view.sum(), 47.0);
    return report();
}

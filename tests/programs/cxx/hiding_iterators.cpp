// Iterators of clauses hide constants and variables of their names, in templates, too.
// reference: -Wno-unknown-pragmas
#include <cstdio>

struct Item {
    int n;
    int *values;
};

template <class T> T total(T *const *rows, int n)
{
    T sum = 0;
    const int k = 1;
#pragma omp target map(iterator(k = 0 : n), to: rows[k][0 : k + 1]) map(tofrom: sum)
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j)
            sum += rows[i][j];
    return sum + k;
}

int main()
{
    constexpr int count = 5, it = 2;
    int of_rows[count][count], of_items[count][count], *rows[count];
    Item items[count];
    for (int i = 0; i < count; ++i) {
        rows[i] = of_rows[i];
        items[i] = Item{i + 1, of_items[i]};
        for (int j = 0; j <= i; ++j)
            rows[i][j] = of_items[i][j] = 10 * i + j;
    }
#pragma omp target map(iterator(it = 0 : count), tofrom: rows[it][0 : it + 1])
    for (int i = 0; i < count; ++i)
        for (int j = 0; j <= i; ++j)
            rows[i][j]++;
#pragma omp target data map(iterator(it = 0 : count), tofrom: items[it].values[0 : items[it].n]) map(to: items)
    {
#pragma omp target
        for (int i = 0; i < count; ++i)
            items[i].values[i] += it;
    }
    int sum = total<int>(rows, count);
    for (int i = 0; i < count; ++i)
        sum += items[i].values[i];
    std::printf("%d\n", sum);
    return sum == 556 ? 0 : 1;
}

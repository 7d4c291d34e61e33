// How variables that the threads of a team share may be declared: with parentheses and braces, as auto, as pointers with
// qualifiers, as arrays with values, and with attributes; and where threads wait in the middle of a declaration.
#include "check.hpp"
#include <cstdint>

struct Letters {
    char c[3];
};

static bool begins_at(const void *p, int multiple) { return reinterpret_cast<std::uintptr_t>(p) % multiple == 0; }

template <class A, class B> struct Both {
    A first;
    B second;
};

template <class T, int N>
void rows(const T *in, T *out, int n)
{
#pragma omp target teams distribute map(to: in[0:n * N]) map(from: out[0:n])
    for (int i = 0; i < n; ++i) {
        T sum(0), other{1}, third = T(2);
        const T *__restrict__ row = in + i * N;
        auto *again = in + i * N;
        T const *const *which = &again;
        auto scale = T(2);
        const auto width = N;
        T *const place = out + i;
        Both<T, int> both{T(3), 4};
#pragma omp parallel for reduction(+: sum)
        for (int j = 0; j < width; ++j)
            sum += (*which)[j] * scale;
#pragma omp parallel for reduction(+: other, third)
        for (int j = 0; j < N; ++j) {
            other += again[j] + both.second;
            third += row[j] + both.first;
        }
#pragma omp parallel
        {
#pragma omp single
            {
                scale = 3;
                row += 1;
                again++;
                both.second++;
                *place = sum + 100 * other + third * scale + *row + *again + both.second;
            }
        }
    }
}

static void attributes()
{
    int right = 0, sum = 0;
#pragma omp target teams distribute reduction(+: right, sum)
    for (int g = 0; g < 8; ++g) {
        alignas(64) Letters b[4], c[2];
        [[maybe_unused]] alignas(32) Letters d[3];
        __attribute__((aligned(128))) Letters e[2];
        [[maybe_unused]] int f = g;
        alignas(Letters) unsigned char raw[sizeof(Letters)];
        Letters plain[3], *q = plain;
#pragma omp parallel for
        for (int i = 0; i < 2; ++i)
            b[i].c[0] = c[i].c[1] = d[i].c[2] = e[i].c[0] = plain[i].c[1] = i + g;
#pragma omp parallel
        {
#pragma omp single
            raw[0] = 2, f += 3;
        }
        right += begins_at(b, 64) && begins_at(c, 64) && begins_at(d, 32) && begins_at(e, 128);
        sum += b[1].c[0] + c[0].c[1] + d[1].c[2] + e[0].c[0] + plain[1].c[1] + raw[0] + f + q[0].c[1];
    }
    check("alignments", right, 8);
    check("variables with attributes", sum, 260);
}

int main()
{
    attributes();
    double in[32], out[8], expected[8];
    for (int i = 0; i < 32; ++i)
        in[i] = i % 5;
    rows<double, 4>(in, out, 8);
    for (int i = 0; i < 8; ++i) {
        double plain = 0;
        for (int j = 0; j < 4; ++j)
            plain += in[4 * i + j];
        const double other = 1 + plain + 4 * 4, third = 2 + plain + 4 * 3;
        expected[i] = 2 * plain + 100 * other + 3 * third + 2 * in[4 * i + 1] + 5;
        check("declarations in a template", out[i], expected[i]);
    }
    int found[7] = {};
#pragma omp target map(tofrom: found)
    {
        auto count = 1;
        float values[3] = {1, 2, 3};
        const int steps[] = {2, 3}, matrix[2][2] = {{1, 2}, {3, 4}};
        char name[] = "ab";
        const int *step = steps;
        int last(4), *at = nullptr;
#pragma omp parallel
        {
#pragma omp single
            {
                count += 1;
                values[1] += 1;
                ++last;
                ++step;
                name[0] = 'c';
                at = &last;
            }
#pragma omp single
            found[0] += count + static_cast<int>(values[1] + values[2]) + *at;
        }
        found[1] = *step;
        found[2] = matrix[1][0];
        found[3] = name[0] - 'a';
        found[4] = static_cast<int>(sizeof(name));
        found[5] = count;
        int first = 1, after = found[5], twice = 2 * after;  // threads wait in the middle of this
#pragma omp parallel
        {
#pragma omp single
            found[6] = first + after + twice;
        }
    }
    check("changed by one thread", found[0], 2 + 3 + 3 + 5);
    check("a pointer to constants", found[1], 3);
    check("a table", found[2], 3);
    check("a text", found[3], 2);
    check("its size", found[4], 3);
    check("auto", found[5], 2);
    check("the value that the first thread has written", found[6], 1 + 2 + 4);
    return report();
}

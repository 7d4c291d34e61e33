// Templates of the standard library whose functions are not constexpr: random numbers, bits, owned objects, atomic objects.
// reference: -Wno-unknown-pragmas
#include <algorithm>
#include <atomic>
#include <bitset>
#include <complex>
#include <memory>
#include <random>
#include <utility>

#include "check.hpp"

struct Node {
    int value;
    Node *next;
};

struct Label { // no constructor is constexpr
    int id;
    explicit Label(int id) : id(id) {}
};

template <class Engine>
unsigned long long digest_of(const Engine &seeded)
{
    unsigned long long numbers[16], digest = 0;
#pragma omp target teams distribute parallel for map(from: numbers) firstprivate(seeded)
    for (int i = 0; i < 16; ++i) {
        Engine engine = seeded;
        engine.discard(i);
        std::uniform_int_distribution<int> die(1, 6);
        numbers[i] = engine() + static_cast<unsigned>(die(engine));
    }
    for (unsigned long long number : numbers)
        digest = digest * 1000003 + number;
    return digest;
}

template <class Engine>
unsigned long long digest_on_host(const Engine &seeded)
{
    unsigned long long digest = 0;
    for (int i = 0; i < 16; ++i) {
        Engine engine = seeded;
        engine.discard(i);
        std::uniform_int_distribution<int> die(1, 6);
        digest = digest * 1000003 + (engine() + static_cast<unsigned>(die(engine)));
    }
    return digest;
}

int main()
{
    const int n = 32;
    check("std::minstd_rand", digest_of(std::minstd_rand(5)), digest_on_host(std::minstd_rand(5)));

    double uniform[n];
#pragma omp target teams distribute parallel for map(from: uniform)
    for (int i = 0; i < n; ++i) {
        std::mt19937 engine(i + 1);
        std::uniform_real_distribution<double> between(0.5, 2.0);
        uniform[i] = between(engine);
    }
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        std::mt19937 engine(i + 1);
        std::uniform_real_distribution<double> between(0.5, 2.0);
        wrong += uniform[i] != between(engine);
    }
    check("std::mt19937", wrong, 0);

    int bits[n], owned[n], labels[n];
    std::complex<float> narrow[n];
    std::complex<double> wide(1.5, -2);
#pragma omp target teams distribute parallel for map(from: bits, owned, labels, narrow) map(to: wide)
    for (int i = 0; i < n; ++i) {
        std::bitset<48> set(i);
        set.set(40).flip(1);
        bits[i] = static_cast<int>((set << 2).count()) + set[1];

        std::unique_ptr<Node> head = std::make_unique<Node>();
        head->value = i;
        std::unique_ptr<Node> moved = std::move(head);
        std::unique_ptr<double[]> three = std::make_unique<double[]>(3);
        three[1] = i;
        owned[i] = moved->value + static_cast<int>(three[1]) + (head ? 100 : 0);

        auto labelled = std::make_pair(Label(i), 0.5);
        labels[i] = labelled.first.id;

        narrow[i] = std::complex<float>(wide);
        narrow[i].real(narrow[i].real() + i);
        narrow[i] *= 2.0f;
    }
    check("std::bitset", bits[3], 2);
    check("std::unique_ptr", owned[7], 14);
    check("std::make_pair of a class", labels[9], 9);
    check("std::complex of another type", narrow[4], std::complex<float>(11, -4));

    std::atomic<long> sum{0};
    std::atomic<int> most{0};
    std::atomic<long> *sums = &sum;
    std::atomic<int> *mosts = &most;
#pragma omp target teams distribute parallel for map(tofrom: sums[0:1], mosts[0:1])
    for (int i = 0; i < 1000; ++i) {
        *sums += i;
        int seen = mosts->load();
        while (seen < i % 777 && !mosts->compare_exchange_weak(seen, i % 777)) {
        }
    }
    check("std::atomic", sum.load(), 499500L);
    check("exchanging atomic objects", most.load(), 776);
    return report();
}

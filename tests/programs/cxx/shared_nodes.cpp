// requires: shared memory needs no maps of what pointers lead to, objects have virtual bases, and atomics have a default order.
// guard: off
// device: cpu
// reference: -Wno-unknown-pragmas
#include "check.hpp"
#pragma omp requires unified_shared_memory atomic_default_mem_order(seq_cst)

struct Node {
    int value;
    Node *next;
};

// The table of an object's class, which says where its virtual base is, is in shared memory, too.
struct Base {
    int n = 1;
    int plus(int k) const { return n + k; }
};
struct Left : virtual Base {};
struct Right : virtual Base {};
struct Both : Left, Right {};

int main()
{
    Both both;
    both.n = 5;
#pragma omp target
    both.n += both.plus(2);
    check("virtual base", both.n, 12);
    Node c{3, nullptr}, b{2, &c}, a{1, &b};
    Node *first = &a;
    int sum = 0;
#pragma omp target map(tofrom: sum)
    for (Node *n = first; n != nullptr; n = n->next) {
#pragma omp atomic
        sum += n->value;
    }
    check("sum", sum, 6);
    return report();
}

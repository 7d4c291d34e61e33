// requires: shared memory needs no maps of what pointers lead to, and atomics have a default order.
// guard: off
// device: cpu
// reference: -Wno-unknown-pragmas
#include "check.hpp"
#pragma omp requires unified_shared_memory atomic_default_mem_order(seq_cst)

struct Node {
    int value;
    Node *next;
};

int main()
{
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

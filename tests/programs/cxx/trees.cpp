// Linked structures on the device, recursion, pointers to pointers, binary search tree in arrays, function templates that recurse.
#include "check.hpp"

struct Tree
{
    int key;
    int left, right;
};
static int depth(const Tree *t, int at) 
{
    if (at < 0)
        return 0;
    int l = depth(t, t[at].left), r = depth(t, t[at].right);
    return 1 + (l > r ? l : r);
}
template <int N> struct Fib
{
    static int value() { return Fib<N - 1>::value() + Fib<N - 2>::value(); }
};
template <> struct Fib<1>
{
    static int value() { return 1; }
};
template <> struct Fib<0>
{
    static int value() { return 0; }
};
static void insert(Tree *t, int &count, int key)
{
    t[count] = Tree{key, -1, -1};
    if (count) {
        int at = 0;
        for (;;) {
            int &next = key < t[at].key ? t[at].left : t[at].right;
            if (next < 0) {
                next = count;
                break;
            }
            at = next;
        }
    }
    count++;
}

int main()
{
    Tree t[64];
    int count = 0, d = 0, f = 0;
#pragma omp target map(from : t, d, f) map(tofrom : count)
    {
        for (int i = 0; i < 64; i++)
            insert(t, count, (i * 37) % 64);
        d = depth(t, 0);
        f = Fib<12>::value();
    }
    Tree h[64];
    int c = 0;
    for (int i = 0; i < 64; i++)
        insert(h, c, (i * 37) % 64);
    check("count", count, 64);
    check("depth", d, depth(h, 0));
    check("fib", f, 144);
    return report();
}

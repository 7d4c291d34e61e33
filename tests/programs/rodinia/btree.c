/* Searches in a B+ tree, one team per query: a kernel for single keys and one for ranges, each called twice. */
#include "../check.h"

#include <stdlib.h>

enum { ORDER = 8, KEYS = 500 };

typedef struct {
    int is_leaf, count;
    int keys[ORDER + 1];
    int children[ORDER + 1];    /* nodes, or the record of a key in a leaf */
} node;

/* Bulk-load keys 0, 3, 6, ...; returns the number of nodes, the root is the last one. */
static int build(node *tree)
{
    int first = 0, count = 0;
    for (int k = 0; k < KEYS; k += ORDER) {
        node *n = &tree[count++];
        n->is_leaf = 1;
        n->count = KEYS - k < ORDER ? KEYS - k : ORDER;
        for (int i = 0; i < n->count; ++i) {
            n->keys[i] = 3 * (k + i);
            n->children[i] = k + i;
        }
    }
    while (count - first > 1) {
        const int end = count;
        for (int c = first; c < end; c += ORDER) {
            node *n = &tree[count++];
            n->is_leaf = 0;
            n->count = end - c < ORDER ? end - c : ORDER;
            for (int i = 0; i < n->count; ++i) {
                n->keys[i] = tree[c + i].keys[0];
                n->children[i] = c + i;
            }
        }
        first = end;
    }
    return count;
}

static void find_keys(const node *tree, int nodes, const int *queries, int *answers, int n)
{
#pragma omp target teams distribute map(to: tree[0:nodes], queries[0:n]) map(from: answers[0:n])
    for (int q = 0; q < n; ++q) {
        int current = nodes - 1, answer = -1;
        while (!tree[current].is_leaf) {
            int next = tree[current].children[0];
            for (int i = 1; i < tree[current].count; ++i)
                if (queries[q] >= tree[current].keys[i])
                    next = tree[current].children[i];
            current = next;
        }
#pragma omp parallel for
        for (int i = 0; i < ORDER; ++i)
            if (i < tree[current].count && tree[current].keys[i] == queries[q])
                answer = tree[current].children[i]; // rex-ignore: race: one key is equal
        answers[q] = answer;
    }
}

static void find_ranges(const node *tree, int nodes, const int *low, const int *high, int *lengths, int n)
{
#pragma omp target teams distribute parallel for map(to: tree[0:nodes], low[0:n], high[0:n]) map(from: lengths[0:n])
    for (int q = 0; q < n; ++q) {
        int length = 0;
        for (int leaf = 0; leaf < nodes && tree[leaf].is_leaf; ++leaf)
            for (int i = 0; i < tree[leaf].count; ++i)
                length += tree[leaf].keys[i] >= low[q] && tree[leaf].keys[i] <= high[q];
        lengths[q] = length;
    }
}

int main(void)
{
    enum { QUERIES = 60 };
    static node tree[KEYS];
    int queries[QUERIES], high[QUERIES], answers[QUERIES], lengths[QUERIES];
    const int nodes = build(tree);

    for (int round = 0; round < 2; ++round) {
        for (int q = 0; q < QUERIES; ++q) {
            queries[q] = q * 25 + round;
            high[q] = queries[q] + 30 * round;
        }
        find_keys(tree, nodes, queries, answers, QUERIES);
        find_ranges(tree, nodes, queries, high, lengths, QUERIES);
        for (int q = 0; q < QUERIES; ++q) {
            const int known = queries[q] % 3 == 0 && queries[q] < 3 * KEYS;
            CHECK(answers[q] == (known ? queries[q] / 3 : -1));
            int expected = 0;
            for (int k = 0; k < KEYS; ++k)
                expected += 3 * k >= queries[q] && 3 * k <= high[q];
            CHECK(lengths[q] == expected);
        }
    }
    printf("%d nodes\n", nodes);
    return CHECK_RESULT();
}

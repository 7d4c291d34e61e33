/* C inside regions: tables of functions, unions, malloc, goto, fall-through, assert, attributes, odd declarations. */
// cflags: -std=gnu11
#include "check.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static const operation operations[] = {add, sub, mul};

union word {
    uint32_t all;
    uint8_t byte[4];
    float real;
};

struct tree {
    struct tree *left, *right;
    int key;
};

static struct tree *insert(struct tree *t, int key)
{
    if (!t) {
        t = malloc(sizeof *t);
        if (!t)
            abort();
        *t = (struct tree){.key = key};
        return t;
    }
    if (key < t->key)
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, key);
    return t;
}

static int depth(const struct tree *t)
{
    if (!t)
        return 0;
    int l = depth(t->left), r = depth(t->right);
    return 1 + (l > r ? l : r);
}

static void drop(struct tree *t)
{
    if (t) {
        drop(t->left);
        drop(t->right);
        free(t);
    }
}

static int collatz(unsigned n)
{
    int steps = 0;
again:
    if (n == 1)
        goto done;
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
    goto again;
done:
    return steps;
}

static int classify(int c)
{
    int score = 0;
    switch (c) {
    case 'a':
    case 'e':
        score += 1;
        /* fall through */
    case 'i' ... 'k':
        score += 10;
        break;
    default:
        if (c < '0')
            break;
    case '0':
        score += 100;
    }
    return score;
}

__attribute__((noinline, unused)) static int popcount(uint64_t x)
{
    return __builtin_popcountll(x);
}

static int counter(void)
{
    static int calls;
    static int history[4] = {1, 2};
    ++calls;
    history[calls % 4] += calls;
    return history[calls % 4] * 100 + calls;
}

#define kind(x) _Generic((x), int: 1, double: 2, float: 3, char *: 4, const char *: 4, default: 9)
#define larger(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ > b_ ? a_ : b_; })

int main(void)
{
    int out[40] = {0};
    union word w[2];
    char text[32];

#pragma omp target map(tofrom: out) map(from: w, text)
    {
        int n = 0;
        for (int i = 0; i < 3; ++i)
            out[n++] = operations[i](7, 3);
        operation chosen = out[0] > 5 ? mul : sub;
        out[n++] = chosen(4, 5);

        w[0].real = 1.0f;
        w[1].all = 0x04030201u;
        out[n++] = w[1].byte[2];

        struct tree *root = NULL;
        for (int i = 0; i < 20; ++i)
            root = insert(root, i * 7 % 20);
        out[n++] = depth(root);
        drop(root);

        out[n++] = collatz(27);
        out[n++] = classify('a') + classify('j') * 1000 + classify('z') + classify('!') + classify('0');
        out[n++] = popcount(0xff00ff);
        out[n++] = kind(1) * 1000 + kind(1.0) * 100 + kind(1.0f) * 10 + kind("s");
        out[n++] = larger(3, 9) + larger(2.5, 1.5) * 2;
        assert(n > 3);

        _Alignas(16) char buffer[24];
        out[n++] = (uintptr_t)buffer % 16 == 0;
        memset(buffer, 'x', sizeof buffer);
        strcpy(buffer, "hello");
        strcat(buffer, ", world");
        memcpy(text, buffer, sizeof buffer);
        out[n++] = strlen(buffer) * 10 + (strcmp(buffer, "hello") > 0) + (strchr(buffer, ',') - buffer);

        int *p = &(int){5};
        *p += 1;
        out[n++] = *p + ((int[]){1, 2, 3})[1];
        struct { int x, y[3]; } s = {.y = {[1] = 4}, .x = 2};
        out[n++] = s.x + s.y[0] + s.y[1];
        bool flag = 42;
        out[n++] = flag + (int)sizeof(flag) + (int)offsetof(struct tree, key);
        out[n++] = counter();
        out[n++] = counter();
        out[n++] = counter();

        int length = 5 + out[0] % 2;
        int squares[length], matrix[length][3];
        for (int i = 0; i < length; ++i) {
            squares[i] = i * i;
            matrix[i][2] = squares[i] + 1;
        }
        out[n++] = squares[length - 1] + matrix[2][2] + (int)(sizeof squares / sizeof squares[0]);
        out[n] = n;
        assert(n < 40);
    }
    for (int i = 0; i < 22; ++i)
        printf("%d ", out[i]);
    printf("%s %u %d\n", text, (unsigned)w[0].all, (int)w[1].byte[3]);
    return CHECK_RESULT();
}

"""What other threads may reach of a thread's own variables: statements of C and C++, and the variables' names."""

HELPERS = r"""
struct box { int *at; long number; struct box *next; char text[8]; };
int *table[64];
#pragma omp declare target to(table)
static int *same(int *p) { return p; }
static void keep(int *p, int i) { table[i] = p; }
static void twice(int *p) { *p *= 2; }
static int apply(int (*how)(int *), int *p) { return how(p); }
static int first(int *p) { return p[0]; }
static int *into_table(int i, int passed) { return table[i] = &passed; }
"""
OF_C = """
static void keep_any(int i, ...)
{ __builtin_va_list list; __builtin_va_start(list, i); table[i] = __builtin_va_arg(list, int *); }
typedef union { int *at; long number; } either __attribute__((transparent_union));
static void keep_either(either e, int i) { table[i] = e.at; }
static void keep_number(either e, int i) { table[i] = (int *)e.number; }
"""
FUNCTION = """
void f(int n, int *out, int *list[64], struct box *boxes) {
    int copy, sum = 0, sums[3] = {0}, lasting = 1;
    #pragma omp target parallel for map(out[0:n], list[0:64], boxes[0:64]) private(copy) reduction(+: sum, sums[1:2]) \\
        firstprivate(lasting)
    for (int i = 0; i < n; i++) {
        int x = i, y = i, buffer[4] = {i};
        struct box own = {0}, other = {0};
        %s
        out[i] = x + y + buffer[0];
    }
}
"""

IN_BOTH: list[tuple[str, set[str]]] = [
    ("twice(&x); twice(buffer); out[i] = first(buffer + 1) + apply(first, &y);", set()),
    ("own.at = &x; own.next = &other; other.number = i; out[i] = *own.at + own.next->number + own.text[0];", set()),
    ("int *p = i > 3 ? &x : out; *p = 4; out[0] = p == &x; out[1] = p - buffer;", set()),
    ("boxes[i] = *boxes[0].next; own = boxes[i]; own.at = &x; own.at = same(own.at);", set()),
    ("out[i] = (int)((unsigned long)&x % 16); __builtin_memcpy(out, buffer, sizeof buffer);", set()),
    ("long seen = 0; __atomic_compare_exchange_n(&boxes->number, &seen, seen + 1, 0, 5, 5);", set()),
    ("list[i] = &x;", {"x"}),
    ("keep(buffer + 1, i);", {"buffer"}),
    ("into_table(i, 3);", {"passed"}),
    ("own.at = &x; boxes[i] = own;", {"x"}),
    ("own.next = &other; other.at = same(&y); boxes[0].next = &own;", {"own", "other", "y"}),
    ("boxes[i].number = (long)&x;", {"x"}),
    ("own.number = (unsigned long)&x; boxes[i].at = (int *)own.number;", {"x"}),
    ("int **to = &list[i]; *to = &x;", {"x"}),
    ("int *given = &x, **to = &given; __builtin_memcpy(list, to, sizeof given);", {"x"}),
    ("int *given = &x; for (int k = 0; k < 8; k++) ((char *)list)[k] = ((char *)&given)[k];", {"x"}),
    ("list[i] = ({ int *p = i ? &x : &y; p; });", {"x", "y"}),
    ("void (*how)(int *, int) = keep; how(&x, 3);", {"x"}),
    ("copy = 1; list[i] = &copy;", {"copy"}),
    ("__atomic_store_n(&list[i], &x, 5);", {"x"}),
    ("list[0] = &i;", {"i"}),
    ("sum += first(&sum) + lasting;", set()),
    ("list[i] = &sum; keep(sums + 1, i);", {"sum", "sums"}),
    ("list[i] = &lasting;", {"lasting"}),
]  # fmt: skip
IN_C: list[tuple[str, set[str]]] = [
    ("keep_any(i, &x);", {"x"}),
    ("void (*how)(int, ...) = keep_any; how(i, &x, &y);", {"x", "y"}),
    ("list[i] = ({ int *p = i ? &x : &y; end: p; });", {"x", "y"}),
    ("keep_either(&x, i); keep_number((long)&y, i);", {"x", "y"}),
    ("list[i] = (int *)((either)(long)&x).number;", {"x"}),
]  # fmt: skip

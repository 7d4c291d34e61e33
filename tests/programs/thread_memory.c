/* Variables of single threads that other threads of the team reach through pointers. */
#include <omp.h>
#include "check.h"

#define T 32

struct node {
    int value;
    struct node *next;
};
struct box {
    int *at;
    int spare[2];
};

static int *table_of_team[T];
#pragma omp declare target to(table_of_team)

static int *same(int *p)
{
    return p;
}

static void put(int **into, int *p)
{
    *into = same(p);
}

static void apply(void (*how)(int **, int *), int **into, int *p)
{
    how(into, p);
}

static int next_of(int thread)
{
    return (thread + 1) % omp_get_num_threads();
}

/* Barriers on both sides: what the address leads to is there while others read it. */
static int exchange(int **table, int value)
{
    int own[2] = {-1, value}, seen;
    table[omp_get_thread_num()] = own + 1;
#pragma omp barrier
    seen = *table[next_of(omp_get_thread_num())];
#pragma omp barrier
    return seen;
}

static int exchange_parameter(int **table, int value, const char unused)
{
    put(&table[omp_get_thread_num()], &value);
    (void)unused;
#pragma omp barrier
    int seen = *table[next_of(omp_get_thread_num())];
#pragma omp barrier
    return seen;
}

static int exchange_literal(struct box *boxes, int value)
{
    boxes[omp_get_thread_num()] = (struct box){&(int){value}, {0}};
#pragma omp barrier
    int seen = *boxes[next_of(omp_get_thread_num())].at;
#pragma omp barrier
    return seen;
}

static void by_functions(void)
{
    int wrong = 0;
#pragma omp target map(tofrom: wrong)
    {
        int *table[T];
        struct box boxes[T];
#pragma omp parallel num_threads(T) reduction(+: wrong)
        {
            int me = omp_get_thread_num(), next = next_of(me);
            wrong += exchange(table, me * 3) != next * 3;
            wrong += exchange(table_of_team, me * 5) != next * 5;
            wrong += exchange_parameter(table, me * 7, 'x') != next * 7;
            wrong += exchange_literal(boxes, me * 9) != next * 9;
        }
    }
    CHECK(wrong == 0);
}

/* Variables of associated loops: one for each thread, in all of its iterations. */
static void of_loops(void)
{
    int wrong = 0, *list[4 * T], outer, inner;
#pragma omp target teams distribute parallel for map(alloc: list) reduction(+: wrong)
    for (int i = 0; i < 4 * T; i++) {
        list[i] = &i;
        wrong += *list[i] != i;
    }
#pragma omp target teams distribute parallel for collapse(2) map(alloc: list) reduction(+: wrong) lastprivate(outer, inner)
    for (outer = 0; outer < T; outer += 1)
        for (inner = 0; inner < 4; inner++) {
            list[outer * 4 + inner] = inner % 2 ? &outer : &inner;
            wrong += *list[outer * 4 + inner] != (inner % 2 ? outer : inner);
        }
    CHECK(outer == T && inner == 4);
#pragma omp target teams distribute map(alloc: list) reduction(+: wrong)
    for (int i = 0; i < T; i++) {
        int seen = 0;
        list[i] = &i;
#pragma omp parallel num_threads(4) reduction(+: seen)
        seen += *list[i] == i;
        wrong += seen < 1;
    }
#pragma omp target parallel num_threads(8) reduction(+: wrong) map(alloc: list)
    {
        int **mine = list + omp_get_thread_num();
        *mine = NULL;
#pragma omp for schedule(static, 3)
        for (int i = 0; i < 100; i++) {
            const int *before = *mine;
            wrong += before && *before != i;
            *mine = &i;
        }
#pragma omp single
#pragma omp taskloop reduction(+: wrong)
        for (int i = 0; i < T; i++) {
            list[i] = &i;
            wrong += *list[i] - i;
        }
    }
    CHECK(wrong == 0);
}

/* Scalars whose addresses are taken are not passed by value: one variable for all threads of the region. */
static void of_values(void)
{
    int wrong = 0, value = 7, changed = 3, *list[4 * T];
#pragma omp target teams distribute parallel for map(alloc: list) reduction(+: wrong)
    for (int i = 0; i < 4 * T; i++) {
        list[i] = &value;
        wrong += *list[i] != 7;
    }
#pragma omp target parallel num_threads(T) map(alloc: list) map(tofrom: wrong)
    {
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
            list[0] = &changed;
            changed = 9; // rex-ignore: lost-result: the copy must not be the host's
        }
#pragma omp barrier
        if (*list[0] != 9 || changed != 9) {
#pragma omp atomic
            wrong++;
        }
    }
    CHECK(wrong == 0 && changed == 3);
}

static void in_regions(void)
{
    int wrong = 0, *table[T], copy = 4, many[3] = {1, 2, 3}, sum = 0;
    struct box boxes[T];
#pragma omp target parallel num_threads(T) reduction(+: wrong) map(alloc: table, boxes) private(copy) firstprivate(many)
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads(), next = (me + 1) % n, mine = me + 1;
        struct box box = {&mine, {0}}, other;

        boxes[me] = box;
        copy = me + 2;
        table[me] = &copy;
#pragma omp barrier
        other = boxes[next];
        wrong += *other.at != next + 1;
        wrong += *table[next] != next + 2;
#pragma omp barrier
        many[1] += me;
        apply(put, table + me, &many[1]);
#pragma omp barrier
        wrong += *table[next] != 2 + next || table[next][1] != 3;
        wrong += (*table[next] += 1, 0);
#pragma omp barrier
        wrong += many[1] != me + 3;

        for (int round = 0; round < 3; ++round) {
            int own = me + round;
            table[me] = &own;
#pragma omp barrier
            wrong += *table[next] != next + round;
#pragma omp barrier
        }

        int *given = NULL;
#pragma omp single copyprivate(given)
        given = &mine;
#pragma omp critical
        *given += 1;
#pragma omp barrier
        if (given == &mine)
            wrong += mine != me + 1 + n;
#pragma omp barrier
    }
    CHECK(wrong == 0);

#pragma omp target map(tofrom: sum)
    {
        struct node *head = NULL;
#pragma omp parallel num_threads(T)
        {
            struct node own = {omp_get_thread_num(), NULL};
#pragma omp critical
            {
                own.next = head;
                head = &own;
            }
#pragma omp barrier
#pragma omp single
            for (struct node *at = head; at; at = at->next)
                sum += at->value + 1000;
        }
    }
    CHECK(sum % 1000 == (sum / 1000) * (sum / 1000 - 1) / 2 && sum >= 1000);
}

static int past_a_declaration(int **table, int way, int value)
{
    int me = omp_get_thread_num(), seen = 0;
    if (way)
        goto inside;
    for (int round = 0; round < 2; ++round) {
        int own = value + 100;
    inside:
        own = way ? value : own + 1;
        table[me] = &own;
#pragma omp barrier
        seen += *table[next_of(me)];
#pragma omp barrier
        if (way)
            break;
    }
    return seen;
}

/* Jumps past declarations: the variables are there all the same, without a value. */
static void jumps(void)
{
    int wrong = 0, *table[T];
    for (int way = 0; way < 4; ++way) {
#pragma omp target parallel num_threads(T) reduction(+: wrong) map(alloc: table)
        {
            int me = omp_get_thread_num(), next = next_of(me);
            switch (way) {
                int own[2];
                double *at;
            case 1:
                own[1] = me * 2;
                table[me] = &own[1];
#pragma omp barrier
                wrong += *table[next] != next * 2;
#pragma omp barrier
                break;
            case 2: {
                int own = 9;
                table[me] = &own;
                wrong += *table[me] != 9;
                goto end;
            }
            default:
                own[0] = me - 1;
                table[me] = own;
#pragma omp barrier
                wrong += *table[next] != next - 1;
#pragma omp barrier
            end:
                at = &(double){me};
                wrong += *at != me;
            }
            wrong += past_a_declaration(table, 0, me) != 2 * next + 202;
            wrong += past_a_declaration(table, way + 1, me) != next;
        }
    }
    CHECK(wrong == 0);
}

/* Arrays of variable length: the threads' and their team's. */
static void of_variable_length(int n)
{
    int wrong = 0;
#pragma omp target map(tofrom : wrong)
    {
        int *table[T], teams[n + 1];
        teams[n] = 6;
        put(&table_of_team[0], &teams[n]);
#pragma omp parallel num_threads(T) reduction(+ : wrong)
        {
            const int me = omp_get_thread_num();
            int own[n][2];
            own[n - 1][1] = me;
            put(&table[me], own[n - 1]);
#pragma omp barrier
            wrong += table[next_of(me)][1] != next_of(me) || *table_of_team[0] != 6;
#pragma omp barrier
        }
        wrong += table_of_team[0] != teams + n;
    }
    CHECK(wrong == 0);
}

/* Copies that clauses make, each thread's own, while others read them. */
static void copies_of_clauses(int *list, double x)
{
    int wrong = 0, sum = 0, some[3] = {0}, line[6] = {0}, *at = list, last = 0, step = 2;
#pragma omp target parallel num_threads(T) firstprivate(x, at) map(to: list[0:8]) map(tofrom: wrong) reduction(+: sum)
    {
        static double *doubles[T];
        static int **pointers[T], *sums[T];
        const int me = omp_get_thread_num();
        at = list + me % 8;
        x += me; // rex-ignore: lost-result: copies are tested
        sum += me;
        doubles[me] = &x;
        pointers[me] = &at;
        sums[me] = &sum;
#pragma omp barrier
        const int next = next_of(me);
#pragma omp atomic
        wrong += *doubles[next] != 1.5 + next || **pointers[next] != list[next % 8] || *sums[next] != next;
#pragma omp barrier
    }
    CHECK(wrong == 0 && at == list);
#pragma omp target teams distribute parallel for reduction(+: some, line[1:4]) reduction(*: x) num_teams(2) \
    map(tofrom: line)
    for (int i = 0; i < 96; ++i) {
        static int *here[2];
        static double *factor;
#pragma omp critical
        {
            here[0] = some;
            here[1] = line;
            here[0][i % 3]++;
            here[1][1 + i % 4] += 2;
            here[0] = &line[2];
            ++*here[0];
            factor = &x;
            if (i == 50)
                *factor *= 4;
        }
    }
    CHECK(some[0] == 32 && some[1] == 32 && some[2] == 32 && x == 6);
    CHECK(line[0] == 0 && line[1] == 48 && line[2] == 144 && line[4] == 48 && line[5] == 0);
    int found[T] = {0};
#pragma omp target map(from: found)
    {
        static int *place;
#pragma omp parallel for num_threads(T) linear(last: step)
        for (int i = 0; i < T; ++i) {
#pragma omp critical
            {
                place = &last;
                found[i] = *place - 2 * i;
            }
            last += step;
        }
    }
    for (int i = 0; i < T; ++i)
        CHECK(found[i] == 0);
}

int main(void)
{
    int list[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    copies_of_clauses(list, 1.5);
    of_variable_length(3);
    by_functions();
    of_loops();
    of_values();
    in_regions();
    jumps();
    return CHECK_RESULT();
}

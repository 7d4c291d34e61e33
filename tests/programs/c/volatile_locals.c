/* Volatile objects of a team, with initialisers of every form, which memset and memcpy must fill. */
#include "../check.h"
struct pair { int a, b[3]; };
int main(void)
{
    struct pair from = {4, {5, 6, 7}};
    int sum = 0, texts = 0, pairs = 0, copy = 0, rows_sum = 0;
#pragma omp target map(tofrom: sum, texts, pairs, copy, rows_sum)
    {
        volatile int list[4] = {1, 2};
        volatile int rows[2][3] = {{1}, {2, 3}};
        volatile char text[8] = "abc";
        volatile struct pair one = {1, {2, 3}};
        const volatile struct pair two[2] = {{1, {2}}, {.b = {[2] = 5}}};
        volatile struct pair shared = from, several[2] = {from, {.a = 9}};
#pragma omp parallel num_threads(4)
        {
#pragma omp atomic
            sum += list[0] + list[1] + list[3] + shared.b[2] - several[0].b[2] + several[1].a - shared.a - shared.b[0];
        }
        for (int i = 0; i < 8; ++i)
            texts += text[i];
        for (int i = 0; i < 6; ++i)
            rows_sum += rows[i / 3][i % 3];
        pairs = one.a + one.b[0] * 10 + one.b[1] * 100 + one.b[2] + two[1].b[2] * 1000 + two[0].b[0] + two[1].a;
#pragma omp parallel num_threads(2) firstprivate(list, text, rows)
        {
#pragma omp critical
            copy += list[1] + text[2] + rows[1][1];
        }
    }
    CHECK(sum % 3 == 0 && sum >= 3);
    CHECK(texts == 'a' + 'b' + 'c' && rows_sum == 6);
    CHECK(pairs == 1 + 20 + 300 + 0 + 5000 + 2);
    CHECK(copy % (2 + 'c' + 3) == 0 && copy > 0);
    return CHECK_RESULT();
}

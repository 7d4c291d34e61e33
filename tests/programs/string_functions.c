/* <string.h> and friends on the device. */
#include "check.h"

#include <string.h>

#define N 20

struct entry {
    char key[12];
    int value;
};

static int lookup(const struct entry *table, int n, const char *key)
{
    for (int i = 0; i < n; ++i)
        if (strcmp(table[i].key, key) == 0)
            return table[i].value;
    return -1;
}

int main(void)
{
    struct entry table[4] = {{"alpha", 1}, {"beta", 2}, {"gamma", 3}, {"delta", 4}};
    char names[N][12], copies[N][24];
    int found[N], lengths[N], order[N];

    for (int i = 0; i < N; ++i)
        strcpy(names[i], i % 5 == 4 ? "epsilon" : table[i % 5].key);

#pragma omp target teams distribute parallel for map(to: table, names) map(from: found, lengths, order, copies)
    for (int i = 0; i < N; ++i) {
        char local[24];
        found[i] = lookup(table, 4, names[i]);
        lengths[i] = (int)strlen(names[i]);
        order[i] = (strncmp(names[i], "beta", 4) > 0) - (strncmp(names[i], "beta", 4) < 0);
        memset(local, 0, sizeof local);
        strcpy(local, names[i]);
        strcat(local, "-");
        strcat(local, "xy");
        memcpy(copies[i], local, sizeof local);
        memmove(copies[i] + 1, copies[i], 3);
        if (memcmp(local, names[i], 3) != 0 || strchr(names[i], 'a') == 0)
            copies[i][0] = '?';
    }
    for (int i = 0; i < N; ++i) {
        CHECK(found[i] == (i % 5 == 4 ? -1 : i % 5 + 1));
        CHECK(lengths[i] == (int)strlen(names[i]));
    }
    for (int i = 0; i < 5; ++i)
        printf("%s %s %d\n", names[i], copies[i], order[i]);
    return CHECK_RESULT();
}

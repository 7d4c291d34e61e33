/* Pointers whose first values stand in braces, which C allows, lead where they would without. */
struct list {
    int n, *p;
};

int braces(int n)
{
    int q[4] = {1, 2, 3, 4}, *p = {q};
    struct list in_list = {4, {q}}, by_name = {.n = {4}, .p = {{q}}};
#pragma omp target map(tofrom: p[0:4])
    p[3] += n;
#pragma omp target map(tofrom: p[0:5]) // rex-expect: bounds
    p[4] += n;
#pragma omp target map(tofrom: in_list.p[0:4], by_name.p[0:4])
    in_list.p[3] += by_name.p[3];
#pragma omp target map(tofrom: in_list.p[0:5]) // rex-expect: bounds
    in_list.p[4] += n;
#pragma omp target map(tofrom: by_name.p[0:5]) // rex-expect: bounds
    by_name.p[4] += n;
    return q[3];
}

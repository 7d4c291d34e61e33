/* Loops over rows of arrays, see ../cuda/rex_rows.h: each thread runs its own in order. Included by
 * xomp_cuda_lib_inlined.cu. */
#pragma once

#define REX_ROWS(rows, trip) const int rows = 0
#define REX_ROWS_LOOP(iv, rows, trip) REX_COVERED_LOOP(iv, trip)
template <typename T>
struct rex_read_row {
    const T *first;
};
template <typename T>
struct rex_written_row {
    T *first;
};
template <class Body, class... Row>
static inline void rex_rows_loop(int, long long trips, Body body, Row... row)
{
    for (long long k = 0; k < trips; ++k)
        body(k, row.first[k]...);
}
template <class Body, class... Row>
static inline void rex_apart_rows_loop(int rows, long long trips, Body body, Row... row)
{
    rex_rows_loop(rows, trips, body, row...);
}
template <typename T>
struct rex_same_row {
    const T *first;
};
template <class Body, class... Row>
static inline void rex_same_rows_loop(long long, long long trips, Body body, Row... row)
{
    rex_rows_loop(0, trips, body, row...);
}

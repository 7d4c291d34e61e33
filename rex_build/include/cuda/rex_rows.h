/* Loops over rows of arrays, of which every thread runs its own in order.
 *
 * In `for (j = 0; j < n; ++j) sum += a[i * n + j];` each thread of a warp has its own i, so one load of the warp is 32 accesses
 * that lie n apart. Here the warp brings pieces of all its rows to shared memory together, with neighbouring threads at
 * neighbouring elements, while each thread still works at the piece before, in its own row. What the loop writes goes the
 * other way. So every thread runs the program's loop in the program's order.
 *
 * The kernel's blocks are warps. It declares REX_ROWS(rows, trip), where `trip` are the iterations of the loop that they
 * share out, and runs one of them in REX_ROWS_LOOP(iv, rows, trip). If these are few, several threads run the same
 * iteration and help to bring its rows: there are more warps then, and each has fewer rows to wait for. So an iteration
 * may write only what no iteration reads.
 *
 * All threads of a warp call rex_rows_loop(rows, trips, body, row...) together: `trips` are those of the thread's iteration,
 * `body(k, element...)` is number k of them, and a `row` is rex_read_row or rex_written_row with the address of the element
 * of number 0. In rex_apart_rows_loop the order of the loop does not matter, and several threads with the same iteration
 * share its loop out. Elements have 4 or 8 bytes. A loop has at most two of the former and one of the latter.
 * Included by xomp_cuda_lib_inlined.cu.
 */
#pragma once

#define REX_STAGE_BYTES 8192 /* the pieces of all rows of one array; each row has one more word of 16 bytes */
#define REX_STAGE_WORDS (REX_STAGE_BYTES / 16 + 32)
#define REX_STAGES_READ 4 /* stages of what a loop reads that are on their way or in use */

/* The warp's iterations: `first` and the next, `count` in all, and elsewhere `most`, a power of two. This thread runs the
 * one with the number `own` of them. `read` and `written` are stages of their rows. */
struct rex_rows {
    int first, most, count, own;
    uint4 *read, *written;
};
#define REX_ROWS(rows, trip)                                                                                           \
    __shared__ uint4 rex_read_##rows[REX_STAGES_READ * REX_STAGE_WORDS], rex_written_##rows[REX_STAGE_WORDS];          \
    const rex_rows rows = rex_rows_of(trip, rex_read_##rows, rex_written_##rows)
#define REX_ROWS_LOOP(iv, rows, trip)                                                                                  \
    int iv = rows.first + rows.own;                                                                                    \
    iv < (trip);                                                                                                       \
    iv = (trip)
REX_FN rex_rows rex_rows_of(int trip, uint4 *read, uint4 *written)
{
    int most = 32; /* as few as the grid needs to cover all */
    while (most > 1 && static_cast<long long>(gridDim.x) * (most / 2) >= trip)
        most /= 2;
    const int first = static_cast<int>(blockIdx.x) * most, count = trip - first < most ? trip - first : most;
    return {first, most, count, static_cast<int>(threadIdx.x) % (count > 0 ? count : 1), read, written};
}

/* Begins to copy `bytes` of what `Word`, of 4, 8 or 16 bytes, lies at `from`. */
template <class Word>
REX_FN void rex_bring(void *to, const Word *from, int bytes)
{
#if __CUDA_ARCH__ >= 800
    const unsigned int place = static_cast<unsigned int>(__cvta_generic_to_shared(to));
    if (sizeof(Word) == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(place), "l"(from), "r"(bytes) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(place), "l"(from), "r"(bytes), "n"(sizeof(Word))
                     : "memory");
#else
    for (int i = 0; i < bytes / 4; ++i)
        static_cast<unsigned int *>(to)[i] = reinterpret_cast<const unsigned int *>(from)[i];
#endif
}
/* Ends a group of copies. */
REX_FN void rex_end_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/* Waits for all groups of copies but the last `most`. */
template <int most>
REX_FN void rex_wait_for_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(most) : "memory");
#endif
}

/* The rows of a warp in one array, of which the thread's own begins at `first`. If all are equally far from each other,
 * that is `apart`, and the warp's first row is at `start`. A stage has a piece of each row, `pitch` words of 16 bytes
 * apart so that they begin in different banks. */
template <typename T, int piece_of_one>
struct rex_row_places {
    const T *first;
    bool regular, aligned;
    long long start, apart;
    int pitch;

    __device__ void find(const rex_rows &rows, const T *address, bool same)
    {
        first = address;
        const long long place = reinterpret_cast<long long>(first);
        start = __shfl_sync(~0u, place, 0);
        apart = __shfl_sync(~0u, place, rows.count > 1) - start;
        regular = same && __all_sync(~0u, place == start + rows.own * apart);
        aligned = regular && start % 16 == 0 && apart % 16 == 0;
        pitch = piece_of_one / rows.most * static_cast<int>(sizeof(T)) / 16 + 1;
    }
    /* Calls move(place in the stage, place in the row, bytes that the row has there) for all the rows' pieces that
     * begin with element `at`. */
    template <class Move>
    __device__ void each(const rex_rows &rows, uint4 *stage, long long at, long long trips, Move move) const
    {
        if (aligned)
            each_word<uint4>(rows, stage, at, trips, move);
        else if (regular)
            each_word<T>(rows, stage, at, trips, move);
        else
            each_element(rows, stage, at, trips, move);
    }
    template <class Word, class Move>
    __device__ void each_word(const rex_rows &rows, uint4 *stage, long long at, long long trips, Move move) const
    {
        constexpr int size = sizeof(Word), all = piece_of_one * static_cast<int>(sizeof(T)) / size;
        const int lane = static_cast<int>(threadIdx.x), words = all / rows.most, bits = __ffs(words) - 1;
        const long long left = (trips - at) * static_cast<long long>(sizeof(T));
        const char *from = reinterpret_cast<const char *>(start + at * static_cast<long long>(sizeof(T)));
        if (left >= words * size && rows.count == rows.most) {
#pragma unroll (size == 16 ? 8 : 4)
            for (int item = lane; item < all; item += 32) {
                const int row = item >> bits, word = item & (words - 1);
                move(reinterpret_cast<Word *>(stage + row * pitch) + word,
                     reinterpret_cast<const Word *>(from + row * apart) + word, size);
            }
            return;
        }
#pragma unroll 4
        for (int item = lane; item < all; item += 32) {
            const int row = item >> bits, word = item & (words - 1);
            const long long bytes = left - word * size;
            if (bytes > 0 && row < rows.count)
                move(reinterpret_cast<Word *>(stage + row * pitch) + word,
                     reinterpret_cast<const Word *>(from + row * apart) + word,
                     bytes < size ? static_cast<int>(bytes) : size);
        }
    }
    template <class Move>
    __device__ void each_element(const rex_rows &rows, uint4 *stage, long long at, long long trips, Move move) const
    {
        for (int row = 0; row < rows.count; ++row) {
            const long long place = __shfl_sync(~0u, reinterpret_cast<long long>(first), row),
                            end = __shfl_sync(~0u, trips, row);
            T *to = reinterpret_cast<T *>(stage + row * pitch);
#pragma unroll 1
            for (int column = static_cast<int>(threadIdx.x); column < piece_of_one / rows.most; column += 32)
                if (at + column < end)
                    move(to + column, reinterpret_cast<const T *>(place) + at + column, static_cast<int>(sizeof(T)));
        }
    }
};

struct rex_bring_row {
    template <class Word>
    __device__ void operator()(void *to, const Word *from, int bytes) const
    {
        rex_bring(to, from, bytes);
    }
};
template <typename T>
struct rex_store_row {
    template <class Word>
    __device__ void operator()(const Word *from, const Word *place, int bytes) const
    {
        if (bytes == sizeof(Word))
            *const_cast<Word *>(place) = *from;
        else
            for (int i = 0; i < bytes / static_cast<int>(sizeof(T)); ++i)
                const_cast<T *>(reinterpret_cast<const T *>(place))[i] = reinterpret_cast<const T *>(from)[i];
    }
};

/* What a thread takes out of its row, or puts into it, at a time: enough to wait once for many. */
#define REX_NEAR 16

/* A row of which the loop reads every element. */
template <typename T>
struct rex_read_row {
    static constexpr int reads = 1, size = sizeof(T);
    const T *first;
};
template <typename T, int piece_of_one>
struct rex_row_reader {
    rex_row_places<T, piece_of_one> places;
    uint4 *stages;
    T near[REX_NEAR];

    __device__ rex_row_reader(const rex_rows &rows, rex_read_row<T> row, bool same, int &number)
    {
        places.find(rows, row.first, same);
        stages = rows.read + number++ * REX_STAGE_WORDS;
    }
    __device__ void fetch(const rex_rows &rows, int offset, long long at, long long trips)
    {
        places.each(rows, stages + offset, at, trips, rex_bring_row());
    }
    __device__ void flush(const rex_rows &, long long, long long) {}
    __device__ void take(const rex_rows &rows, int offset, int k)
    {
        uint4 words[sizeof(near) / 16];
        for (int i = 0; i < static_cast<int>(sizeof(near) / 16); ++i)
            words[i] = stages[offset + rows.own * places.pitch + k * static_cast<int>(sizeof(T)) / 16 + i];
        memcpy(near, words, sizeof(near));
    }
    __device__ void put(const rex_rows &, int) {}
    __device__ const T &one(const rex_rows &rows, int offset, int k) const
    {
        return reinterpret_cast<const T *>(stages + offset + rows.own * places.pitch)[k];
    }
};

/* A row of which the loop writes every element. */
template <typename T>
struct rex_written_row {
    static constexpr int reads = 0, size = sizeof(T);
    T *first;
};
template <typename T, int piece_of_one>
struct rex_row_writer {
    rex_row_places<T, piece_of_one> places;
    T near[REX_NEAR];

    __device__ rex_row_writer(const rex_rows &rows, rex_written_row<T> row, bool same, int &)
    {
        places.find(rows, row.first, same);
    }
    __device__ void fetch(const rex_rows &, int, long long, long long) {}
    __device__ void flush(const rex_rows &rows, long long at, long long trips)
    {
        places.each(rows, rows.written, at, trips, rex_store_row<T>());
        __syncwarp();
    }
    __device__ void take(const rex_rows &, int, int) {}
    __device__ void put(const rex_rows &rows, int k)
    {
        uint4 words[sizeof(near) / 16];
        memcpy(words, near, sizeof(near));
        for (int i = 0; i < static_cast<int>(sizeof(near) / 16); ++i)
            rows.written[rows.own * places.pitch + k * static_cast<int>(sizeof(T)) / 16 + i] = words[i];
    }
    __device__ T &one(const rex_rows &rows, int, int k)
    {
        return reinterpret_cast<T *>(rows.written + rows.own * places.pitch)[k];
    }
};
template <int piece, typename T>
__device__ inline rex_row_reader<T, piece> rex_row_at(const rex_rows &rows, rex_read_row<T> row, bool same, int &number)
{
    return {rows, row, same, number};
}
template <int piece, typename T>
__device__ inline rex_row_writer<T, piece> rex_row_at(const rex_rows &rows, rex_written_row<T> row, bool same, int &number)
{
    return {rows, row, same, number};
}

template <bool apart, int ahead, int size, class Body, class... Row>
REX_FN void rex_rows_in_stages(const rex_rows &rows, long long trips, int piece, Body body, Row... row)
{
    int turn = 0;
    const int share = apart ? static_cast<int>(threadIdx.x) / rows.count : 0; /* of the threads with this iteration */
    const int step = apart ? REX_NEAR * ((31 - rows.own) / rows.count + 1) : REX_NEAR;
#pragma unroll 1
    for (int i = 0; i < ahead - 1; ++i) {
        (row.fetch(rows, i * size, i * piece, trips), ...);
        rex_end_copies();
    }
    for (long long at = 0; __any_sync(~0u, at < trips); at += piece) {
        const int last = turn == 0 ? ahead - 1 : turn - 1, offset = turn * size;
        (row.fetch(rows, last * size, at + (ahead - 1) * piece, trips), ...);
        rex_end_copies();
        rex_wait_for_copies<ahead - 1>();
        __syncwarp();
        const long long left = trips > at ? trips - at : 0; /* the thread may be done before others are */
        const int many = left < piece ? static_cast<int>(left) : piece;
        for (int k = share * REX_NEAR; k + REX_NEAR <= many; k += step) {
            (row.take(rows, offset, k), ...);
#pragma unroll
            for (int i = 0; i < REX_NEAR; ++i)
                body(at + k + i, row.near[i]...);
            (row.put(rows, k), ...);
        }
        for (int k = many & ~(REX_NEAR - 1); share == 0 && k < many; ++k)
            body(at + k, row.one(rows, offset, k)...);
        __syncwarp();
        (row.flush(rows, at, trips), ...);
        turn = turn + 1 == ahead ? 0 : turn + 1;
    }
    rex_wait_for_copies<0>();
    __syncwarp();
}

template <bool apart, class Body, class... Row>
REX_FN void rex_any_rows_loop(const rex_rows &rows, long long trips, Body body, Row... row)
{
    constexpr int largest = ((Row::size == 8) || ...) ? 8 : 4, all = REX_STAGE_BYTES / largest;
    constexpr int reads = (Row::reads + ... + 0), ahead = reads > 0 ? REX_STAGES_READ / reads : 1;
    if (!__any_sync(~0u, trips >= 32)) { /* too short to be worth while */
        for (long long k = 0; k < trips; ++k)
            body(k, row.first[k]...);
        return;
    }
    const bool same = __all_sync(~0u, trips == __shfl_sync(~0u, trips, 0));
    int number = 0;
    rex_rows_in_stages<apart, ahead, reads * REX_STAGE_WORDS>(rows, trips, all / rows.most, body,
                                                              rex_row_at<all>(rows, row, same, number)...);
}
template <class Body, class... Row>
REX_FN void rex_rows_loop(const rex_rows &rows, long long trips, Body body, Row... row)
{
    rex_any_rows_loop<false>(rows, trips, body, row...);
}
template <class Body, class... Row>
REX_FN void rex_apart_rows_loop(const rex_rows &rows, long long trips, Body body, Row... row)
{
    rex_any_rows_loop<true>(rows, trips, body, row...);
}

/* A row that all threads of a warp read, with elements of 4, 8, 12 or 16 bytes. Pieces of it lie in shared memory,
 * REX_SAME_BYTES of a row of the widest elements. */
#define REX_SAME_BYTES 512
#define REX_SAME_WARPS 8
#define REX_SAME_NEAR 8 /* elements that a thread takes at a time, half as many if some have 16 bytes */
template <typename T>
struct rex_same_row {
    static constexpr int size = sizeof(T);
    const T *first;
};
/* What a transfer moves at a time: 4 or 8 bytes, to whose multiple elements are aligned, or as many as a word has. */
template <bool> struct rex_same_unit { typedef unsigned int type; };
template <> struct rex_same_unit<true> { typedef unsigned long long type; };
template <typename T, int piece, int many>
struct rex_same_reader {
    typedef typename rex_same_unit<alignof(T) % 8 == 0>::type Unit;
    static constexpr int units = sizeof(T) / sizeof(Unit);
    const T *next; /* the beginning of the next piece */
    bool aligned;
    const char *stages; /* two, for one piece each */
    alignas(16) char near[many * sizeof(T)];

    __device__ rex_same_reader(rex_same_row<T> row, uint4 *stages_of_warp, int number)
        : next(row.first), aligned(reinterpret_cast<unsigned long long>(row.first) % 16 == 0),
          stages(reinterpret_cast<const char *>(stages_of_warp + number * (2 * REX_SAME_BYTES / 16)))
    {
    }
    __device__ const char *stage(int turn) const { return stages + turn * REX_SAME_BYTES; }
    /* Begins to bring the next piece, a whole one, to all threads of a warp. */
    template <class Word>
    __device__ void bring_whole(int turn, int lane) const
    {
        constexpr int words = piece * static_cast<int>(sizeof(T)) / static_cast<int>(sizeof(Word));
        const Word *from = reinterpret_cast<const Word *>(next);
        Word *to = reinterpret_cast<Word *>(const_cast<char *>(stage(turn)));
#pragma unroll
        for (int word = 0; word < words; word += 32)
            if (words % 32 == 0 || word + lane < words)
                rex_bring(to + word + lane, from + word + lane, static_cast<int>(sizeof(Word)));
    }
    /* Begins to bring what is `left` of the row, at most a piece, to so many threads of a warp. */
    __device__ void bring_part(int turn, long long left, int lane, int lanes) const
    {
        const int last = units * (left < piece ? static_cast<int>(left) : piece);
        const Unit *from = reinterpret_cast<const Unit *>(next);
        Unit *to = reinterpret_cast<Unit *>(const_cast<char *>(stage(turn)));
#pragma unroll 1
        for (int k = lane; k < last; k += lanes)
            rex_bring(to + k, from + k, static_cast<int>(sizeof(Unit)));
    }
    __device__ void fetch(int turn, long long left, int lane, int lanes)
    {
        if (lanes < 32 || left < piece)
            bring_part(turn, left, lane, lanes);
        else if (aligned)
            bring_whole<uint4>(turn, lane);
        else
            bring_whole<Unit>(turn, lane);
        next += piece;
    }
    __device__ void take(int turn, int k)
    {
        uint4 words[sizeof(near) / 16];
        for (int i = 0; i < static_cast<int>(sizeof(near) / 16); ++i)
            words[i] = reinterpret_cast<const uint4 *>(stage(turn) + k * static_cast<int>(sizeof(T)))[i];
        memcpy(near, words, sizeof(near));
    }
    __device__ const T &taken(int i) const { return reinterpret_cast<const T *>(near)[i]; }
    __device__ const T &one(int turn, int k) const { return reinterpret_cast<const T *>(stage(turn))[k]; }
};
template <int piece, int many, typename T>
__device__ inline rex_same_reader<T, piece, many> rex_same_reader_of(rex_same_row<T> row, uint4 *stages, int &number)
{
    return {row, stages, number++};
}
template <int piece, int many, class Body, class... Row>
REX_FN void rex_same_rows_in_pieces(int lane, int lanes, long long trips, Body body, Row... row)
{
    const unsigned int warp = lanes < 32 ? (1u << lanes) - 1 : ~0u;
    (row.fetch(0, trips, lane, lanes), ...);
    rex_end_copies();
    int turn = 0;
#pragma unroll 1
    for (long long at = 0; at < trips; at += piece) {
        (row.fetch(1 - turn, trips - at - piece, lane, lanes), ...);
        rex_end_copies();
        rex_wait_for_copies<1>();
        __syncwarp(warp);
        const int here = trips - at < piece ? static_cast<int>(trips - at) : piece;
        int k = 0;
#pragma unroll 1
        for (; k + many <= here; k += many) {
            (row.take(turn, k), ...);
#pragma unroll
            for (int i = 0; i < many; ++i)
                body(at + k + i, row.taken(i)...);
        }
#pragma unroll 1
        for (; k < here; ++k)
            body(at + k, row.one(turn, k)...);
        __syncwarp(warp);
        turn = 1 - turn;
    }
    rex_wait_for_copies<0>();
}
/* A loop of `trips` iterations over rows that are the same for all threads of a warp. From this thread's iteration of the grid's
 * loop on there are `left`, and neighbouring threads run neighbouring ones, in blocks of at most REX_SAME_WARPS warps. */
template <class Body, class... Row>
REX_FN void rex_same_rows_loop(long long left, long long trips, Body body, Row... row)
{
    constexpr int largest = ((Row::size > 8) || ...) ? 16 : ((Row::size == 8) || ...) ? 8 : 4;
    constexpr int piece = REX_SAME_BYTES / largest, many = REX_SAME_NEAR / (largest == 16 ? 2 : 1);
    constexpr int all = 2 * REX_SAME_BYTES / 16 * sizeof...(Row);
    __shared__ uint4 stages[REX_SAME_WARPS * all];
    const int lane = static_cast<int>(threadIdx.x % 32), of_block = static_cast<int>(blockDim.x - threadIdx.x) + lane;
    const int most = of_block < 32 ? of_block : 32, lanes = left + lane < most ? static_cast<int>(left) + lane : most;
    uint4 *mine = stages + threadIdx.x / 32 * all;
    int number = 0;
    rex_same_rows_in_pieces<piece, many>(
        lane, lanes, trips, body, rex_same_reader_of<piece, many>(row, mine, number)...);
}

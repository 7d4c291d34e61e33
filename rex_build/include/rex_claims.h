/* What device code that is made with --claims tells the library of the check device (check/claims.h): what it runs and
 * reaches, so that the claims of transformations are verified. Included by xomp_cuda_lib_inlined.cu for that device. */
#pragma once

struct rex_claim {
    const char *kind, *transformation, *about, *file;
    int line, column;
    unsigned int number; /* the library's own */
};

/* The memory of one kernel. `names` are those of the variables through which it is reached, by their numbers. */
struct rex_claimed_memory {
    rex_claim *apart, *unwritten; /* or null */
    unsigned long long apart_names, unwritten_names; /* a bit for each variable that the claim is about */
    const char *const *names;
};

extern "C" {
void *rex_claim_watch(rex_claim *claim);
void rex_claim_unwatch(void *watch);
void rex_claim_leave_out(void *watch, const volatile void *object, unsigned long size);
void rex_claim_level(void *watch, int level);
void rex_claim_turn(void *watch, int level, int is_last);
void rex_claim_level_end(void *watch, int level);
void rex_claim_reached(const rex_claimed_memory *memory, unsigned long long names, int is_write, const volatile void *address,
                       unsigned long size);
void rex_claim_enter(const rex_claimed_memory *memory, unsigned long long names);
void rex_claim_leave();
void rex_claim_number(rex_claim *claim, long long number);
void rex_claim_holds(rex_claim *claim, int holds, const char *otherwise);
}

/* While this lives, the calling thread runs what a claim about iterations is about. */
struct rex_claim_iterations {
    void *const watch;
    explicit rex_claim_iterations(rex_claim &claim) : watch(rex_claim_watch(&claim)) {}
    ~rex_claim_iterations() { rex_claim_unwatch(watch); }
    template <class T>
    void leave_out(const T &object) const
    {
        rex_claim_leave_out(watch, &object, sizeof object);
    }
    rex_claim_iterations(const rex_claim_iterations &) = delete;
};

/* While this lives, the calling thread runs a loop of it. The iterations of the last level are those of the claim. */
template <int Level, bool IsLast>
struct rex_claim_loop {
    void *const watch;
    explicit rex_claim_loop(const rex_claim_iterations &of) : watch(of.watch) { rex_claim_level(watch, Level); }
    ~rex_claim_loop() { rex_claim_level_end(watch, Level); }
    void turn() const { rex_claim_turn(watch, Level, IsLast); }
    rex_claim_loop(const rex_claim_loop &) = delete;
};

template <class T>
static inline T &rex_claim_through(const rex_claimed_memory &memory, unsigned long long names, bool is_write, T &object)
{
    rex_claim_reached(&memory, names, is_write, &object, sizeof object);
    return object;
}

/* A call that reaches memory through one of the variables at a time. */
template <class Call>
static inline decltype(auto) rex_claim_within(const rex_claimed_memory &memory, unsigned long long names, Call call)
{
    struct within {
        within(const rex_claimed_memory &memory, unsigned long long names) { rex_claim_enter(&memory, names); }
        ~within() { rex_claim_leave(); }
    } now(memory, names);
    return call();
}

template <class... Counts>
static inline void rex_claim_fits(rex_claim &claim, Counts... counts)
{
    __int128 product = 1;
    const auto limit = static_cast<__int128>(1) << 63;
    ((product = counts <= 0 ? 0 : product < limit ? product * counts : product), ...);
    rex_claim_holds(&claim, product <= 2147483647, "there are more");
}

template <class T>
static inline bool rex_is_alike(const T &a, const T &b)
{
    if constexpr (rex_is_real<T>)
        return a == b || (a != a && b != b);
    else
        return a == b;
}

/* A value that is read again. */
template <class T, class V>
static inline T rex_claim_same(rex_claim &claim, const T &first, V now)
{
    rex_claim_holds(&claim, rex_is_alike<T>(first, static_cast<T>(now)), "it has another value now");
    return now;
}

/* The one element that an iteration uses. */
struct rex_claim_element {
    rex_claim &claim;
    const volatile void *first = nullptr;
    explicit rex_claim_element(rex_claim &of) : claim(of) {}
    void begin() { first = nullptr; }
    template <class T>
    T &at(T &object)
    {
        if (!first)
            first = &object;
        rex_claim_holds(&claim, first == &object, "it uses another one, too");
        return object;
    }
};

/* The element of an iteration, which follows that of the iteration before. */
template <class T>
static inline void rex_claim_follows(rex_claim &claim, const T &element, long long iteration)
{
    rex_claim_number(&claim, reinterpret_cast<long long>(&element) - iteration * static_cast<long long>(sizeof element));
}

/* An update that was made with `before`, and made `part` of the operation's identity. */
template <class Op, class T>
static inline void rex_claim_exact(rex_claim &claim, T before, T part, const T &after)
{
    const T combined = static_cast<T>(Op::apply(before, part));
    rex_claim_holds(&claim, rex_is_alike<T>(combined, after), "its parts combine to another value");
}

/* The numbers that statements change when they run twice. The largest ones are complex. */
template <unsigned int Count>
struct rex_claim_twice {
    rex_claim &claim;
    unsigned char first[Count * 16] = {};
    explicit rex_claim_twice(rex_claim &of) : claim(of) {}
    template <class... T>
    void once(const T &...variables)
    {
        unsigned int at = 0;
        ((__builtin_memcpy(first + at, (const void *)&variables, sizeof variables), at += sizeof variables), ...);
    }
    template <class... T>
    void again(const T &...variables) const
    {
        unsigned int at = 0;
        bool same = true;
        ((same = same && !__builtin_memcmp(first + at, (const void *)&variables, sizeof variables), at += sizeof variables), ...);
        rex_claim_holds(&claim, same, "the second time a variable gets another value");
    }
};

/* What the host file and the device file of a C++ unit ask the C++ compiler.
 *
 * It is included in the user's translation unit, so it includes no headers and declares only names that begin with rex_.
 */
#ifndef REX_CXX_H
#define REX_CXX_H
#pragma GCC system_header

#ifdef __CUDACC__
#define REX_CXX_FN __host__ __device__ inline
/* nvcc compiles this builtin, but then it looks like the C library's function, which it takes for the host's. */
REX_CXX_FN constexpr int rex_ffs(unsigned long long value)
{
    return value ? __builtin_popcountll(value ^ (value - 1)) : 0;
}
#define __builtin_ffs(value) rex_ffs(value)
#define __builtin_ffsll(value) rex_ffs(value)
#else
#define REX_CXX_FN inline
#endif

/* Whether device code is for an instruction set, for context selectors. That of the host it never is. */
#ifndef __builtin_rex_isa
#define __builtin_rex_isa(sm, macro) rex_isa(sm)
#endif

/* The function that a call means which reaches different variants on the host and on the device. */
#ifdef REX_TEAM_SHARED
#define REX_VARIANT(host, device) device
/* What throws an exception ends the kernel, with a message that names the place: nothing could catch it. */
#define REX_THROWN() __assert_fail("no exception in device code", __FILE__, __LINE__, __func__)
/* These types need no header in a device file: it includes those that declare other names. */
typedef decltype(sizeof 0) size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
namespace std {
using ::size_t;
using ::ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
}
#else
#define REX_VARIANT(host, device) host
#endif

/* The type of what a type may refer to: of F in `F &&f`. */
template <class T> struct rex_object { typedef T type; };
template <class T> struct rex_object<T &> { typedef T type; };
#if __cplusplus >= 201103L
template <class T> struct rex_object<T &&> { typedef T type; };
#endif

/* The type of what a pointer of the type P points to. */
template <class P> struct rex_pointee;
template <class T> struct rex_pointee<T *> { typedef T type; };

/* Names the type that `auto` is for a value: `decltype(rex_decayed(value))`. */
template <class T> T rex_decayed(T value);

/* How far two values of a loop variable are apart: a difference of pointers, or of integers modulo 2^64. */
template <class T, class U>
REX_CXX_FN unsigned long long rex_distance(T *low, U *high)
{
    return static_cast<unsigned long long>(high - low);
}

template <class T, bool Is_class = __is_class(T)>
struct rex_distances {
    template <class U>
    REX_CXX_FN static unsigned long long of(T low, U high)
    {
        if (sizeof(T) <= sizeof(int) && sizeof(U) <= sizeof(int))
            return static_cast<unsigned int>(high) - static_cast<unsigned int>(low);
        return static_cast<unsigned long long>(high) - static_cast<unsigned long long>(low);
    }
};
template <class T>
struct rex_distances<T, true> {
    template <class U>
    REX_CXX_FN static unsigned long long of(const T &low, const U &high)
    {
        return static_cast<unsigned long long>(high - low);
    }
};
template <class T, class U>
REX_CXX_FN unsigned long long rex_distance(T low, U high)
{
    return rex_distances<T>::of(low, high);
}

/* Nothing defines it: regions of templates that the unit does not instantiate call it. */
bool rex_instantiation_that_was_not_seen();

#if __cplusplus < 201103L
/* Until C++11 no template has an enumeration without a name, whose enumerators are numbers to this. */
inline unsigned long long rex_distance(long long low, long long high)
{
    return static_cast<unsigned long long>(high) - static_cast<unsigned long long>(low);
}
#endif

/* What a loop is bounded by: the least whole number that is no smaller than a bound of a floating type, or the largest that
 * is no larger. */
template <class B>
REX_CXX_FN B rex_above(B bound) { return bound; }
template <class B>
REX_CXX_FN B rex_below(B bound) { return bound; }
template <class B>
REX_CXX_FN long long rex_ceil(B bound)
{
    const long long whole = static_cast<long long>(bound);
    return whole + (static_cast<B>(whole) < bound);
}
template <class B>
REX_CXX_FN long long rex_floor(B bound)
{
    const long long whole = static_cast<long long>(bound);
    return whole - (static_cast<B>(whole) > bound);
}
REX_CXX_FN long long rex_above(float bound) { return rex_ceil(bound); }
REX_CXX_FN long long rex_above(double bound) { return rex_ceil(bound); }
REX_CXX_FN long long rex_below(float bound) { return rex_floor(bound); }
REX_CXX_FN long long rex_below(double bound) { return rex_floor(bound); }
#if __cplusplus < 201103L
#define REX_WHOLE(type)                                                                                                        \
    inline type rex_above(type bound) { return bound; }                                                                        \
    inline type rex_below(type bound) { return bound; }
REX_WHOLE(int)
REX_WHOLE(unsigned int)
REX_WHOLE(long)
REX_WHOLE(unsigned long)
#undef REX_WHOLE
#endif

/* How many steps a loop makes whose variable, of the type V, begins at `low` and goes up or down to the bound (OpenMP 5.2,
 * section 4.4.2). The step is the distance of two iterations in the loop's direction. */
template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_to(L low, B given, S step)
{
    V first = static_cast<V>(low);
    __typeof__(rex_above(given)) bound = rex_above(given);
    return first < bound ? static_cast<long long>((rex_distance(first, bound) - 1) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_through(L low, B given, S step)
{
    V first = static_cast<V>(low);
    __typeof__(rex_below(given)) bound = rex_below(given);
    return first <= bound ? static_cast<long long>(rex_distance(first, bound) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_down_to(L low, B given, S step)
{
    V first = static_cast<V>(low);
    __typeof__(rex_below(given)) bound = rex_below(given);
    return first > bound ? static_cast<long long>((rex_distance(bound, first) - 1) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_down_through(L low, B given, S step)
{
    V first = static_cast<V>(low);
    __typeof__(rex_above(given)) bound = rex_above(given);
    return first >= bound ? static_cast<long long>(rex_distance(bound, first) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_until(L low, B bound, S step)
{
    V first = static_cast<V>(low);
    return static_cast<long long>(rex_distance(first, bound) / static_cast<unsigned long long>(step));
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_down_until(L low, B bound, S step)
{
    V first = static_cast<V>(low);
    return static_cast<long long>(rex_distance(bound, first) / static_cast<unsigned long long>(step));
}

#if __cplusplus < 201103L
/* For enumerations without names, too. */
#define REX_STEPS_OF_NUMBERS(steps) \
    template <class V> \
    inline long long steps(long long low, long long bound, long long step) \
    { \
        return steps<V, long long, long long, long long>(low, bound, step); \
    }
REX_STEPS_OF_NUMBERS(rex_steps_to)
REX_STEPS_OF_NUMBERS(rex_steps_through)
REX_STEPS_OF_NUMBERS(rex_steps_down_to)
REX_STEPS_OF_NUMBERS(rex_steps_down_through)
REX_STEPS_OF_NUMBERS(rex_steps_until)
REX_STEPS_OF_NUMBERS(rex_steps_down_until)
#endif

#ifndef XOMP_CUDA_LIB_INLINED_CU
/* What a region gets of a variable that is a scalar in one instantiation of a template and an object in another. A scalar
 * is copied, so that the region's changes of it are lost, as they are for 'firstprivate'. */
template <class T> struct rex_is_object { static const bool value = __is_class(T) || __is_union(T); };
template <class T, bool Is_object = rex_is_object<T>::value>
struct rex_own_value {
    mutable T value;
    void *address() const { return const_cast<void *>(static_cast<const volatile void *>(&value)); }
};
template <class T>
struct rex_own_value<T, true> {
    const T &value;
    void *address() const { return const_cast<void *>(static_cast<const volatile void *>(&value)); }
};
template <class T, bool Is_object = rex_is_object<T>::value> struct rex_own_type { typedef T type; };
template <class T> struct rex_own_type<T, true> { typedef T &type; };
template <class T>
inline rex_own_value<T> rex_own(const T &value)
{
    rex_own_value<T> own = {value};
    return own;
}

namespace std {
template <class> class reverse_iterator;
}
/* Whether an iterator leads to the element in front of its pointer. */
template <class T> struct rex_goes_down { static const bool value = false; };
template <class T> struct rex_goes_down<const T> : rex_goes_down<T> {};
template <class T> struct rex_goes_down<std::reverse_iterator<T> > { static const bool value = !rex_goes_down<T>::value; };

/* The address of the mapped bytes next to a pointer in an iterator. It may lead to the end of a range, which may be one
 * that this construct maps (rex_end_of_row). */
template <class Iterator>
inline void *rex_beside(long long device, void *pointer)
{
    /* an integer, as g++ warns of a pointer to what is below an array */
    void *const below = reinterpret_cast<void *>(reinterpret_cast<rex_uint64>(pointer) - 1);
    return rex_goes_down<Iterator>::value || (!rex_on_device(device, pointer) && rex_on_device(device, below)) ? below : pointer;
}
#endif

#if __cplusplus >= 201103L /* before, C++ has neither lists of parameters nor closures */
/* The values of a list of parameters, of which a region has copies. */
template <class T>
struct rex_by_value {
    typedef T type;
    static_assert(!__is_class(T) || (__is_trivially_constructible(T, const T &) && __has_trivial_destructor(T)),
                  "a target region uses a list with a parameter that is not trivially copyable");
};
template <class T>
struct rex_by_value<const T> : rex_by_value<T> {};
template <class T>
struct rex_by_value<T &> : rex_by_value<T> {};
template <class T>
struct rex_by_value<T &&> : rex_by_value<T> {};
template <class... T>
struct rex_list {
    static const int count = 0;
};
template <class T, class... U>
struct rex_list<T, U...> {
    T first;
    rex_list<U...> rest;
    static const int count = 1 + rex_list<U...>::count;
};

/* Closures. A closure's type has no name, so another type, the tag, stands for it. rex_closure<rex_number<3>>([p] ...) is the
 * lambda expression with the number 3. A table says where there are addresses in a closure. */
#ifndef XOMP_CUDA_LIB_INLINED_CU
template <int N>
struct rex_number {};
template <class Tag, class F>
struct rex_closure_of : F {
    explicit constexpr rex_closure_of(const F &closure) : F(closure) {}
};

template <class Tag, class F>
constexpr rex_closure_of<Tag, F> rex_closure(const F &closure)
{
    static_assert(__is_trivially_constructible(F, const F &) && __has_trivial_destructor(F),
                  "a target region gets a closure that is not trivially copyable");
    return rex_closure_of<Tag, F>(closure);
}

/* A type with tags in place of the closures in it. */
template <class T>
struct rex_key {
    typedef T type;
};
template <class T>
struct rex_key<const T> {
    typedef const typename rex_key<T>::type type;
};
template <class T>
struct rex_key<T *> {
    typedef typename rex_key<T>::type *type;
};
template <class T>
struct rex_key<T &> {
    typedef typename rex_key<T>::type &type;
};
template <class T>
struct rex_key<T &&> {
    typedef typename rex_key<T>::type &&type;
};
template <template <class...> class C, class... A>
struct rex_key<C<A...>> {
    typedef C<typename rex_key<A>::type...> type;
};
template <class Tag, class F>
struct rex_key<rex_closure_of<Tag, F>> {
    typedef Tag type;
};

/* An explicit instantiation, which may name private members, defines the function that the tag declares. */
template <class Tag, typename Tag::type *Member>
struct rex_member {
    friend constexpr typename Tag::type &rex_reached(Tag) { return *Member; }
};

/* Makes such copies, in which pointers are those of the device. */
template <class T>
inline T rex_listed_value(long long, const T &value)
{
    return value;
}
template <class T>
inline T *rex_listed_value(long long device, T *value)
{
    void *const found = rex_on_device(device, const_cast<const void *>(static_cast<const volatile void *>(value)));
    return found ? static_cast<T *>(found) : value;
}
inline rex_list<> rex_listed(long long)
{
    return rex_list<>();
}
template <class T, class... U>
inline rex_list<T, U...> rex_listed(long long device, const T &value, const U &...more)
{
    return rex_list<T, U...>{rex_listed_value(device, value), rex_listed(device, more...)};
}

struct rex_part {
    unsigned long at; /* the offset in the closure, plus one */
    unsigned long through; /* whether the address of a pointer is there, not the pointer */
    unsigned long low, size; /* which bytes behind the address are mapped */
};
template <class Tag, int Comes_back>
struct rex_parts {
    static const rex_part *table() { return nullptr; }
};

template <int Comes_back, class F>
inline void *rex_closure_pointer(const F &closure, int number)
{
    const rex_part *const table = rex_parts<typename rex_key<F>::type, Comes_back>::table();
    if (!table || !table[number].at)
        return nullptr;
    char *const found = *reinterpret_cast<char *const *>(reinterpret_cast<const char *>(&closure) + table[number].at - 1);
    return table[number].through ? *reinterpret_cast<void **>(found) : found + table[number].low;
}

template <int Comes_back, class F>
inline long long rex_closure_bytes(const F &, int number)
{
    const rex_part *const table = rex_parts<typename rex_key<F>::type, Comes_back>::table();
    return table ? static_cast<long long>(table[number].size) : 0;
}

#else
/* Gives an array that the threads of a team share its first values, which were those of another one. */
template <class T>
REX_CXX_FN void rex_assign(T &to, const T &from)
{
    to = from;
}
template <class T, __SIZE_TYPE__ Length>
REX_CXX_FN void rex_assign(T (&to)[Length], const T (&from)[Length])
{
    for (__SIZE_TYPE__ i = 0; i < Length; ++i)
        rex_assign(to[i], from[i]);
}

/* Constructs an object in storage that has none, or the objects of an array. */
struct rex_in_place {};
REX_CXX_FN void *operator new(__SIZE_TYPE__, void *storage, rex_in_place) noexcept
{
    return storage;
}
template <class T, class... From>
REX_CXX_FN void rex_construct(T &object, const From &...from)
{
    new (static_cast<void *>(&object), rex_in_place()) T(from...);
}
template <class T, __SIZE_TYPE__ Length>
REX_CXX_FN void rex_construct(T (&objects)[Length])
{
    for (__SIZE_TYPE__ i = 0; i < Length; ++i)
        rex_construct(objects[i]);
}
template <class T, __SIZE_TYPE__ Length>
REX_CXX_FN void rex_construct(T (&objects)[Length], const T (&from)[Length])
{
    for (__SIZE_TYPE__ i = 0; i < Length; ++i)
        rex_construct(objects[i], from[i]);
}

/* Storage of an object that a kernel puts together of the words that it gets. */
template <class F>
struct rex_without_const {
    typedef F type;
};
template <class F>
struct rex_without_const<const F> {
    typedef F type;
};
template <class T>
union rex_words {
    typename rex_without_const<T>::type whole;
    __device__ rex_words() {}
    __device__ ~rex_words() {}
    __device__ T &object() { return whole; }
};
/* Puts in a word, or what the object has of it. */
template <unsigned long Offset, class T>
__device__ inline void rex_put_word(rex_words<T> &storage, unsigned long long word)
{
    constexpr unsigned long rest = sizeof(T) > Offset ? sizeof(T) - Offset : 0;
    __builtin_memcpy(reinterpret_cast<char *>(&storage) + Offset, &word, rest < sizeof word ? rest : sizeof word);
}
/* Puts in a pointer, where the object may have a private member. */
template <unsigned long Offset, class T, class Pointer>
__device__ inline void rex_put_pointer(rex_words<T> &storage, Pointer pointer)
{
    *reinterpret_cast<Pointer *>(reinterpret_cast<char *>(&storage) + Offset) = pointer;
}

/* The pointers in a closure become those of the device, of which the ones up to `first` do not come back. References to
 * pointers lead to `addresses`. */
template <class F>
__device__ inline auto rex_point(F &closure, void *const *addresses, int first) -> typename F::rex_is_closure
{
    closure.rex_point(addresses, addresses + first);
}
__device__ inline void rex_point(...) {}

/* The object that a kernel gets. Of a closure with pointers it is a copy in which they lead to the device's storage. */
template <class F, int N, class = void>
struct rex_pointed {
    F *object;
    template <class... P>
    __device__ rex_pointed(F *given, int, P...) : object(given)
    {
    }
};
template <class F, int N>
struct rex_pointed<F, N, typename F::rex_is_closure> {
    void *addresses[N];
    typename rex_without_const<F>::type copy;
    F *object;
    template <class... P>
    __device__ rex_pointed(const F *given, int first, P... pointers) : addresses{pointers...}, copy(*given), object(&copy)
    {
        copy.rex_point(addresses, addresses + first);
    }
};

/* Device code reads constants that are static members of classes. nvcc allows none of its own kinds of variables in a class,
 * so the class has references. A reference leads to the instance of rex_static for a class that has the member's value. */
template <unsigned long... I>
struct rex_numbers {};
template <class T, T... I>
struct rex_sequence {
    typedef rex_numbers<I...> type;
};
#ifdef __has_builtin
#if __has_builtin(__make_integer_seq)
#define REX_NUMBERS_TO(n) typename __make_integer_seq<rex_sequence, unsigned long, n>::type
#endif
#endif
#ifndef REX_NUMBERS_TO
#define REX_NUMBERS_TO(n) rex_numbers<__integer_pack(n)...>
#endif
template <class T>
struct rex_elements {
    static constexpr unsigned long count = 1;
    static constexpr const T &of(const T &value, unsigned long) { return value; }
};
template <class T, unsigned long N>
struct rex_elements<T[N]> {
    static constexpr unsigned long count = N * rex_elements<T>::count;
    static constexpr const auto &of(const T (&value)[N], unsigned long i)
    {
        return rex_elements<T>::of(value[i / rex_elements<T>::count], i % rex_elements<T>::count);
    }
};
template <class T>
struct rex_holder {
    T value;
};
template <class T, unsigned long... I>
constexpr rex_holder<T> rex_held(const T &value, rex_numbers<I...>)
{
    return {rex_elements<T>::of(value, I)...};
}
template <class T>
constexpr auto rex_held(const T &value)
{
    return rex_held<T>(value, REX_NUMBERS_TO(rex_elements<T>::count)());
}
template <class Member>
__device__ constexpr auto rex_static = rex_held(Member::rex_value);
#ifdef __CUDACC__
#pragma nv_diag_suppress 20094 /* about such references; a use of what is on the host is an error besides */
#pragma nv_diag_suppress 114 /* a constructor of the program counts as used, and has no body here */
#endif

/* What a copy of a parameter is in device code. Of objects it is const, as nothing brings what changes in them back. */
template <class T, bool Is_class>
struct rex_copy_of_kind {
    typedef T type;
};
template <class T>
struct rex_copy_of_kind<T, true> {
    typedef const T type;
};
template <class T>
struct rex_copy_of : rex_copy_of_kind<T, __is_class(T)> {};
template <int N>
struct rex_item {
    template <class P>
    __device__ static auto &of(P &pack)
    {
        return rex_item<N - 1>::of(pack.rest);
    }
};
template <>
struct rex_item<0> {
    template <class P>
    __device__ static auto &of(P &pack)
    {
        return pack.first;
    }
};

/* `++x` and `--x` of a template, and `x++` and `x--`. nvcc assumes that these steps of narrow integers stay in range, but
 * C++ converts a sum of type int. */
template <class T> struct rex_is_narrow { static const bool value = false; };
template <class T> struct rex_is_narrow<T &> : rex_is_narrow<T> {};
template <> struct rex_is_narrow<char> { static const bool value = true; };
template <> struct rex_is_narrow<signed char> { static const bool value = true; };
template <> struct rex_is_narrow<short> { static const bool value = true; };
template <int Step, class T>
REX_CXX_FN decltype(auto) rex_step(T &&x)
{
    if constexpr (rex_is_narrow<T>::value) {
        x += Step;
        return (x);
    } else if constexpr (Step > 0) {
        return ++x;
    } else {
        return --x;
    }
}
template <int Step, class T>
REX_CXX_FN decltype(auto) rex_step_behind(T &&x)
{
    if constexpr (rex_is_narrow<T>::value) {
        auto old = x;
        x += Step;
        return old;
    } else if constexpr (Step > 0) {
        return x++;
    } else {
        return x--;
    }
}

/* An iterator moved by some elements. */
template <class T>
__device__ auto rex_moved_by(T first, long long steps, int) -> decltype(first += steps, T(first))
{
    first += steps;
    return first;
}
template <class T>
__device__ T rex_moved_by(const T &first, long long steps, long)
{
    return first + steps;
}
template <class T>
__device__ T rex_moved(const T &first, long long steps)
{
    return rex_moved_by<T>(first, steps, 0);
}

/* A copy of an object that has another address at an offset. */
template <class T>
__device__ T rex_with_address(T object, unsigned long offset, void *address)
{
    __builtin_memcpy(reinterpret_cast<char *>(&object) + offset, &address, sizeof address);
    return object;
}

/* Sets an address in a closure, which may be a reference's. */
__device__ inline void rex_set_address(void *closure, unsigned long offset, void *address, unsigned long low = 0)
{
    char *const value = static_cast<char *>(address) - low;
    __builtin_memcpy(static_cast<char *>(closure) + offset, &value, sizeof value);
}
#endif
#endif

#endif

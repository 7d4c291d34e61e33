/* What the device file of a C++ unit has for objects: how they are put together, copied, and stepped through.
 *
 * rex_cxx.h includes it. Device files are C++17.
 */
#ifndef REX_CXX_DEVICE_H
#define REX_CXX_DEVICE_H
#pragma GCC system_header

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

/* The device function for an address that may be the host's of one of `count` indirect functions. */
template <class F>
REX_FN F rex_called_by(F f, void *const *host, void *(*device)(int), int count)
{
    for (int i = 0; i < count; ++i)
        if (reinterpret_cast<void *>(f) == host[i])
            return reinterpret_cast<F>(device(i));
    return rex_own_function(f);
}

/* What a call calls: of a pointer to a function, what that means on the device; an object stays as it is. */
template <class F, class Translation>
REX_CXX_FN decltype(auto) rex_called(F &&f, [[maybe_unused]] Translation translation)
{
    if constexpr (__is_class(typename rex_object<F>::type))
        return static_cast<F &&>(f);
    else
        return REX_MEANT(+f, translation);
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

/* An object of a block that other threads may reach. It is on the device's heap until its block ends. */
struct rex_copied_array {};
template <class T>
struct rex_heap_object {
    struct object {
        T value;
    };
    rex_local_array<object> storage;
    T *at;
    REX_CXX_FN rex_heap_object() : storage(1), at(&(new (storage.elements, rex_in_place()) object)->value) {}
    template <class Make>
    REX_CXX_FN explicit rex_heap_object(Make make)
        : storage(1), at(new (static_cast<void *>(storage.elements), rex_in_place()) T(make()))
    {
    }
    REX_CXX_FN rex_heap_object(rex_copied_array, const T &from)
        : storage(1), at(reinterpret_cast<T *>(storage.elements))
    {
        rex_construct(*at, from);
    }
    REX_CXX_FN ~rex_heap_object() { reinterpret_cast<object *>(at)->~object(); }
    rex_heap_object(const rex_heap_object &) = delete;
};
template <class Make>
REX_CXX_FN auto rex_on_heap(Make make)
{
    return rex_heap_object<decltype(make())>(make);
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
/* In shared memory nothing may be constructed. */
template <class T>
struct rex_shared_words {
    typedef typename rex_without_const<T>::type whole_type;
    alignas(T) unsigned char bytes[sizeof(T)];
    __device__ whole_type &whole() { return *reinterpret_cast<whole_type *>(bytes); }
    __device__ T &object() { return whole(); }
};
/* Puts in a word, or what the object has of it. */
template <unsigned long Offset, class Words>
__device__ inline void rex_put_word(Words &storage, unsigned long long word)
{
    constexpr unsigned long rest = sizeof storage > Offset ? sizeof storage - Offset : 0;
    __builtin_memcpy(reinterpret_cast<char *>(&storage) + Offset, &word, rest < sizeof word ? rest : sizeof word);
}
/* Puts in a pointer, where the object may have a private member. */
template <unsigned long Offset, class Words, class Pointer>
__device__ inline void rex_put_pointer(Words &storage, Pointer pointer)
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

/* The object that a kernel gets. Of a closure with pointers it is its bytes once more, in which they lead to the device's
 * storage. */
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
    rex_words<F> copy;
    F *object;
    template <class... P>
    __device__ rex_pointed(const F *given, int first, P... pointers) : addresses{pointers...}, object(&copy.object())
    {
        __builtin_memcpy((void *)&copy, given, sizeof(F));
        copy.whole.rex_point(addresses, addresses + first);
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
#pragma nv_diag_suppress 821 /* neither have functions that no region reaches */
#pragma nv_diag_suppress 128, 186, 191, 2417 /* of such text is the user told by the host's compiler, if it is asked */
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

/* In C++ what is computed with _Float16 alone, or with integers beside it, is a _Float16 again: for `auto`, templates and
 * overloads, and for the value, which each operator rounds. */
#define REX_NARROW_OPERATOR(op)                                                                                        \
    template <class F>                                                                                                 \
    REX_FN rex_narrow<F> operator op(rex_narrow<F> a, rex_narrow<F> b)                                                 \
    {                                                                                                                  \
        return static_cast<float>(a) op static_cast<float>(b);                                                         \
    }                                                                                                                  \
    template <class F, class I, class = rex_enable_if<rex_is_integral<I> || __is_enum(I)>>                             \
    REX_FN rex_narrow<F> operator op(rex_narrow<F> a, I b)                                                             \
    {                                                                                                                  \
        return a op rex_narrow<F>(b);                                                                                  \
    }                                                                                                                  \
    template <class I, class F, class = rex_enable_if<rex_is_integral<I> || __is_enum(I)>>                             \
    REX_FN rex_narrow<F> operator op(I a, rex_narrow<F> b)                                                             \
    {                                                                                                                  \
        return rex_narrow<F>(a) op b;                                                                                  \
    }
REX_NARROW_OPERATOR(+)
REX_NARROW_OPERATOR(-)
REX_NARROW_OPERATOR(*)
REX_NARROW_OPERATOR(/)
template <class F>
REX_FN rex_narrow<F> operator+(rex_narrow<F> a)
{
    return a;
}
template <class F>
REX_FN rex_narrow<F> operator-(rex_narrow<F> a)
{
    return -static_cast<float>(a);
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

/* A copy of an object that is a template's argument. The object itself is the host's. */
template <auto Value>
__host__ __device__ constexpr auto rex_value_of()
{
    return Value;
}

#endif

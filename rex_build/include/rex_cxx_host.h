/* What the host file of a C++ unit asks the C++ compiler: what a region gets, and where there are addresses in it.
 *
 * rex_cxx.h includes it.
 */
#ifndef REX_CXX_HOST_H
#define REX_CXX_HOST_H
#pragma GCC system_header

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

#if __cplusplus >= 201103L
/* Closures. A closure's type has no name, so another type, the tag, stands for it. rex_closure<rex_number<3, 7>>([p] ...) is the
 * lambda expression 3 of unit 7. A table says where there are addresses in a closure. */
template <int N, unsigned Unit>
struct rex_number {};
template <class Tag, class F>
struct rex_closure_of : F {
    explicit constexpr rex_closure_of(F &&closure) : F(static_cast<F &&>(closure)) {}
};

template <class Tag, class F>
constexpr rex_closure_of<Tag, F> rex_closure(F &&closure)
{
    static_assert(__is_trivially_constructible(F, const F &) && __has_trivial_destructor(F),
                  "a target region gets a closure that is not trivially copyable");
    return rex_closure_of<Tag, F>(static_cast<F &&>(closure));
}
/* The same for one that captures objects of the user's classes with such functions. */
template <class Tag, class F>
constexpr rex_closure_of<Tag, F> rex_moved_closure(F &&closure)
{
    return rex_closure_of<Tag, F>(static_cast<F &&>(closure));
}

/* A type with tags in place of the closures in it, and of the classes of functions, which say what stands for them. */
template <class>
struct rex_nothing {
    typedef void type;
};
template <class T, class = void>
struct rex_own_key {
    typedef T type;
};
template <class T>
struct rex_own_key<T, typename rex_nothing<typename T::rex_key_type>::type> {
    typedef typename T::rex_key_type type;
};
template <class T>
struct rex_key : rex_own_key<T> {};
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
#define REX_KEYS_OF_VALUES(T) \
    template <template <T, class...> class C, T V, class... A> \
    struct rex_key<C<V, A...>> { \
        typedef C<V, typename rex_key<A>::type...> type; \
    }; \
    template <template <T, T, class...> class C, T V, T W, class... A> \
    struct rex_key<C<V, W, A...>> { \
        typedef C<V, W, typename rex_key<A>::type...> type; \
    }; \
    template <template <class, T...> class C, class A, T V, T... W> \
    struct rex_key<C<A, V, W...>> { \
        typedef C<typename rex_key<A>::type, V, W...> type; \
    }; \
    template <template <class, class, T...> class C, class A, class B, T V, T... W> \
    struct rex_key<C<A, B, V, W...>> { \
        typedef C<typename rex_key<A>::type, typename rex_key<B>::type, V, W...> type; \
    };
#if __cplusplus >= 201703L
REX_KEYS_OF_VALUES(auto)
#else
REX_KEYS_OF_VALUES(bool)
REX_KEYS_OF_VALUES(int)
REX_KEYS_OF_VALUES(unsigned)
REX_KEYS_OF_VALUES(long)
REX_KEYS_OF_VALUES(unsigned long)
#endif
template <class Tag, class F>
struct rex_key<rex_closure_of<Tag, F>> {
    typedef Tag type;
};

/* An explicit instantiation, which may name private members, defines the function that the tag declares. */
template <class Tag, typename Tag::type *Member>
struct rex_member {
    friend constexpr typename Tag::type &rex_reached(Tag) { return *Member; }
};

/* Which image has a variable on the device that all units and libraries have, such as an inline one: as they have one
   variable on the host, they have one of these. */
template <class T, T *Variable>
struct rex_owner {
    static const void *image;
};
template <class T, T *Variable>
const void *rex_owner<T, Variable>::image = nullptr;
extern "C" int rex_print(int file, const char *format, ...) __asm__("dprintf");
extern "C" void *__dso_handle __attribute__((visibility("hidden")));

inline void rex_own(const void *&owner, const void *image, const char *name)
{
    if (owner && owner != image) {
        rex_print(2, "rex-build: error: '%s' is one variable on the host, and in two images on the device: define it in one "
                     "file and declare it with 'extern' in others, or give the libraries -fvisibility=hidden\n", name);
        __builtin_abort();
    }
    owner = image;
}

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
#endif

#endif

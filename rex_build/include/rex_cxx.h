/* What the host file and the device file of a C++ unit ask the C++ compiler.
 *
 * It is included in the user's translation unit, so it includes no headers and declares only names that begin with rex_.
 */
#ifndef REX_CXX_H
#define REX_CXX_H
#pragma GCC system_header

#ifdef __CUDACC__
#define REX_CXX_FN __host__ __device__ inline
#else
#define REX_CXX_FN inline
#endif

/* How far two values of a loop variable are apart: a difference of pointers, or of integers modulo 2^64. */
template <class T, class U>
REX_CXX_FN unsigned long long rex_distance(T *low, U *high)
{
    return static_cast<unsigned long long>(high - low);
}

template <class T, class U>
REX_CXX_FN unsigned long long rex_distance(T low, U high)
{
    return static_cast<unsigned long long>(high) - static_cast<unsigned long long>(low);
}

/* How many steps a loop makes whose variable, of the type V, begins at `low` and goes up or down to the bound (OpenMP 5.2,
 * section 4.4.2). The step is the distance of two iterations in the loop's direction. */
template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_to(L low, B bound, S step)
{
    V first = static_cast<V>(low);
    return first < bound ? static_cast<long long>((rex_distance(first, bound) - 1) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_through(L low, B bound, S step)
{
    V first = static_cast<V>(low);
    return first <= bound ? static_cast<long long>(rex_distance(first, bound) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_down_to(L low, B bound, S step)
{
    V first = static_cast<V>(low);
    return first > bound ? static_cast<long long>((rex_distance(bound, first) - 1) / static_cast<unsigned long long>(step)) + 1 : 0;
}

template <class V, class L, class B, class S>
REX_CXX_FN long long rex_steps_down_through(L low, B bound, S step)
{
    V first = static_cast<V>(low);
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

/* Closures. A closure's type has no name, so a number stands for it: rex_closure<3, 16, 8>([p] ...) is the lambda expression
 * whose closure is number 3, has 16 bytes and a pointer at byte 8. */
#ifndef XOMP_CUDA_LIB_INLINED_CU
template <class F>
struct rex_pointers {
    static unsigned long at[16]; /* the offsets, plus one, of the pointers in a closure */
};
template <class F>
unsigned long rex_pointers<F>::at[16];

template <class F>
inline void *rex_closure_pointer(const F &closure, int number)
{
    const unsigned long at = rex_pointers<F>::at[number];
    return at ? *reinterpret_cast<void *const *>(reinterpret_cast<const char *>(&closure) + at - 1) : nullptr;
}

#if __cplusplus >= 201402L
template <int N>
struct rex_number {
    friend auto rex_type_of(rex_number<N>);
};
template <class F>
struct rex_pointee;
template <class F>
struct rex_pointee<F *> {
    typedef F type;
};
template <int N, class F>
struct rex_numbered {
    friend auto rex_type_of(rex_number<N>) { return static_cast<F *>(nullptr); }
};
template <int N>
using rex_closure_type = typename rex_pointee<decltype(rex_type_of(rex_number<N>()))>::type;

template <int N, unsigned long Size, class F, unsigned long = sizeof(rex_numbered<N, F>)>
constexpr F rex_closure(F closure)
{
    static_assert(sizeof(F) == Size, "a closure has another size than rex-build has computed");
    static_assert(__is_trivially_copyable(F), "a target region gets a closure that is not trivially copyable");
    return closure;
}

template <int N, unsigned long Size, unsigned long First, unsigned long... Offsets, class F, unsigned long = sizeof(rex_numbered<N, F>)>
inline F rex_closure(F closure)
{
    static_assert(sizeof(F) == Size, "a closure has another size than rex-build has computed");
    static_assert(__is_trivially_copyable(F), "a target region gets a closure that is not trivially copyable");
    static_assert(sizeof...(Offsets) < 16, "a target region gets a closure with more than 16 pointers");
    const unsigned long offsets[] = {First, Offsets...};
    for (unsigned long i = 0; i <= sizeof...(Offsets); ++i)
        rex_pointers<F>::at[i] = offsets[i] + 1;
    return closure;
}
#endif

#else
/* The object that a kernel gets. Of a closure with pointers it is a copy in which they lead to the device's storage. */
template <class F, class = void>
struct rex_pointed {
    F *object;
    template <class... P>
    __device__ rex_pointed(F *given, P...) : object(given)
    {
    }
};
template <class F>
struct rex_without_const {
    typedef F type;
};
template <class F>
struct rex_without_const<const F> {
    typedef F type;
};
template <class F>
struct rex_pointed<F, typename F::rex_is_closure> {
    typename rex_without_const<F>::type copy;
    F *object;
    template <class... P>
    __device__ rex_pointed(const F *given, P... pointers) : copy(*given), object(&copy)
    {
        void *const all[] = {pointers...};
        copy.rex_point(all);
    }
};
#endif

#endif

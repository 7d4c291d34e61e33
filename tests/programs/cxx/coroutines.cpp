// Coroutines beside regions: the device file leaves them out, and what stands behind them stays.
// cflags: -std=c++20
// reference: -O1
#include "check.hpp"
#include <coroutine>

struct Numbers {
    struct promise_type {
        int value;
        Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int v)
        {
            value = v;
            return {};
        }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};

Numbers upwards(int n)
{
    for (int i = 1; i <= n; ++i)
        co_yield i;
}
template <class... Fs> struct Overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs> Overloaded(Fs...) -> Overloaded<Fs...>;

int main()
{
    Numbers numbers = upwards(3);
    int total = 0;
    for (numbers.handle(); !numbers.handle.done(); numbers.handle()) {
        const int next = numbers.handle.promise().value;
#pragma omp target map(tofrom : total)
        total = total * 10 + next;
    }
    numbers.handle.destroy();
    check("one after the other", total, 123);
    Overloaded kinds{[](int) { return 1; }, [](double) { return 2; }};
    check("overloaded", kinds(1.5), 2);
    return report();
}

// Functions of the C library that device code calls: text, characters, numbers in text, sorting, with and without std::,
// by using-declarations, from templates, by pointers, and beside the user's functions, methods and variables of such
// names.
#include "check.hpp"
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <strings.h>

using std::strcmp;

namespace mine {
struct Text {
    char data[32];
    int strlen() const { return (int)std::strlen(data); }
    bool operator<(const Text &other) const { return strcmp(data, other.data) < 0; }
};
static int toupper(int c) { return c + 1000; }
static int shout(char *text)
{
    int count = 0;
    for (; *text; ++text, ++count)
        *text = (char)std::toupper(*text);
    return count + toupper(1);
}
} // namespace mine

template <class T>
static long length_of(const T *text)
{
    if (!text)
        std::abort();
    return (long)strlen(text) + (long)::strnlen(text, 2);
}

namespace again {
using std::tolower;
using ::atoi;
template <class T> static int lower(T c) { return tolower(c) + again::tolower(c) + (std::isalpha(c) != 0) + (::isalpha(c) != 0); }
static int number(const char *text) { return again::atoi(text) + atoi(text); }
} // namespace again

template <class T> static int spanned(const T &one) { return (int)strspn(one, 1); }

namespace other {
struct Sized { int size; };
static int strspn(const Sized &one, int more) { return one.size + more; } // spanned finds it by its argument
struct Index {
    int qsort = 3;
    int index(int a) const { return a * 2; }
    static int strcasecmp(int a, int b) { return a - b; }
};
template <class T> struct Derived : T {
    int both(int a) const { return this->index(a) + T::strcasecmp(a, 1) + this->qsort; }
};
} // namespace other

template <class T>
static int used_inside(T c)
{
    using std::isdigit;
    using std::toupper;
    return toupper(c) + (isdigit(c) != 0);
}

typedef unsigned long (*Length)(const char *);
template <Length F> static long by_argument(const char *text) { return (long)F(text); }
static long by_default(const char *text, long more = (long)std::strlen("default")) { return more + (long)strlen(text); }
constexpr unsigned long at_compile_time(int known) { return known ? known : strlen("later"); }
static_assert(at_compile_time(4) == 4, "");

int main()
{
    char a[16] = "hello", b[16] = "world, 42";
    mine::Text one = {"apple"}, other = {"pear"};
    long r[24] = {0};
#pragma omp target map(tofrom : r, a) map(to : b, one, other)
    {
        r[0] = (long)std::strlen(a) + one.strlen();
        r[1] = strcmp(a, b) < 0 && one < other;
        r[2] = std::memcmp(a, b, 3) != 0;
        std::memmove(a + 1, a, 3);
        r[3] = a[1] == 'h' && a[3] == 'l';
        r[4] = std::isdigit('3') && !isalpha('3') && std::isspace(' ');
        r[5] = std::strchr(b, 'r') - b;
        r[6] = std::strncmp(a, b, 2) != 0 && strncasecmp("AbC", "aBd", 2) == 0;
        char copy[32];
        std::strcpy(copy, b);
        std::strcat(copy, "!");
        r[7] = mine::shout(copy);
        r[8] = copy[0] == 'W' && copy[9] == '!';
        const std::div_t parts = std::div(7, 2);
        r[9] = parts.quot * 10 + parts.rem;
        r[10] = std::atoi(b + 7) + std::strtol("12", nullptr, 8);
        r[11] = length_of(a) + length_of<char>("xyz");
        r[12] = [](const char *text) { return (long)std::strlen(text); }("four");
        const char *found = std::strstr(b, "ld");
        r[13] = found ? found - b : -1;
        std::memset(copy, 0, sizeof copy);
        r[14] = (long)strlen(copy) + (long)std::strspn("aab", "a");
    }
#pragma omp target map(tofrom : r) map(to : b)
    {
        r[15] = std::div(50000000000L, 7L).quot + std::div(80000000000LL, 3LL).rem + div(7L, 4L).rem;
        r[16] = again::lower('A') + again::number("21");
        r[17] = spanned(other::Sized{4}) + other::Derived<other::Index>().both(5);
        r[18] = used_inside('q') + used_inside('7');
        Length length[] = {strlen, &std::strlen};
        r[19] = (long)length[0](b) + (long)(*length[1])(b) + by_argument<&::strlen>(b) + (long)(strlen)(b);
        r[20] = by_default("abc") + by_default("ab", 1) + (long)at_compile_time(0) + (long)at_compile_time(2);
        int index = 3, toupper = index + 1, (*strchr)(int) = mine::toupper;
        r[21] = toupper + strchr(index) - 1000;
    }
    const long expected[] = {10, 1, 1, 1, 1, 2, 1, 1011, 1, 31, 52, 12, 4, 3, 2};
    for (int i = 0; i < 15; ++i)
        check("a call", r[i], expected[i]);
    check("whole parts of long numbers", r[15], 50000000000L / 7 + 80000000000LL % 3 + 3);
    check("names of namespaces", r[16], 2 * 'a' + 2 * (isalpha('A') != 0) + 42);
    check("the user's functions", r[17], 5 + 10 + 4 + 3);
    check("using-declarations", r[18], 'Q' + '7' + 1);
    check("pointers", r[19], 9L * 4);
    check("default arguments", r[20], 10 + 3 + 5 + 2);
    check("variables", r[21], 7);
    check("moved", std::strcmp(a, "hhelo"), 0);
    return report();
}

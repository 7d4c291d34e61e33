// Functions of the C library that device code calls: text, characters, numbers in text, sorting, with and without std::,
// by using-declarations, from templates, and beside the user's functions of such names.
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
    const long expected[] = {10, 1, 1, 1, 1, 2, 1, 1011, 1, 31, 52, 12, 4, 3, 2};
    for (int i = 0; i < 15; ++i)
        check("a call", r[i], expected[i]);
    check("moved", std::strcmp(a, "hhelo"), 0);
    return report();
}

// Raw string literals with directives, quotes and brackets in them.
#include <cstdio>
#include <string>
static const char *source = R"(
#pragma omp target
{ "unbalanced \ } ( 
)";
static const std::wstring wide = LR"x(a)" \n)x";
int main() {
    int x = 0, n = 1'000;
    std::string help = R"--(usage: "prog" [
#pragma omp parallel for {{{ ??= )--"; char c = '"';
#pragma omp target map(tofrom: x)
    { const char *const t = R"(ab
c)"; x += t[2] == '\n' ? n : 1; }
    printf("%d %s %s %d %c\n", x, source, help.c_str(), (int)wide.size(), c);
}

/* Names with letters beyond ASCII and with characters that are no letters, and a literal of which both sides know the
   size in bytes. */
#include <cstdio>

struct größe { int länge⃝; double right🙂; };

template <class T🧩> T🧩 sum🙂(const T🧩 *values🙂, int n🔢)
{
    T🧩 total😀 = 0;
#pragma omp target teams distribute parallel for reduction(+ : total😀) map(to : values🙂[0 : n🔢])
    for (int i🙂 = 0; i🙂 < n🔢; i🙂++) { T🧩 é = values🙂[i🙂]; total😀 += é + 1; }
    return total😀;
}

int main()
{
    größe p👨‍👩‍👧 = { 1, 2.5 };
    const char word[] = "äö🙂", after🙂[] = "x";
    int values🙂[10], é = 0;

    for (int k = 0; k < 10; k++)
        values🙂[k] = k;
    std::printf("%d\n", sum🙂(values🙂, 10));
#pragma omp target map(tofrom : p👨‍👩‍👧, é) map(to : word, after🙂)
    {
        p👨‍👩‍👧.länge⃝ += sizeof word + sizeof after🙂;
        é += word[0] == (char)0xC3;
    }
    std::printf("%d %g %d\n", p👨‍👩‍👧.länge⃝, p👨‍👩‍👧.right🙂, é);
    return sum🙂(values🙂, 10) != 55 || p👨‍👩‍👧.länge⃝ != 12 || p👨‍👩‍👧.right🙂 != 2.5 || é != 1;
}

/* Names with characters that are no letters: emoji, signs, marks that follow a letter, joined emoji. Literals with the
   same characters, and with the letters that the passes put in place of them. */
#include <string.h>
#include "check.h"

#pragma omp declare target
static int gain🙂 = 3;
struct pair🍐 { int left⃝; double right🙂; };
enum { STEPSⓢ = 4, MORE🚀 };
static int 🚀(int fuel🛢) { return fuel🛢 * gain🙂; }
#pragma omp end declare target

static int sum🙂(const int *values🙂, int n🔢)
{
    int total😀 = 0;
#pragma omp target teams distribute parallel for reduction(+ : total😀) map(to : values🙂[0 : n🔢])
    for (int i🙂 = 0; i🙂 < n🔢; i🙂++)
        total😀 += values🙂[i🙂] + STEPSⓢ;
    return total😀;
}

int main(void)
{
    const char *🙂 = "🙂 is a face, and 𠀀 and 🚀 are not names here";
    struct pair🍐 p👨‍👩‍👧 = { 1, 2.5 };
    int values🙂[10], größe⃝ = 2, क्षि = 5;

    for (int k = 0; k < 10; k++)
        values🙂[k] = k;
    CHECK(sum🙂(values🙂, 10) == 85);
#pragma omp target map(tofrom : p👨‍👩‍👧, größe⃝) firstprivate(क्षि)
    {
        int local🌟 = 🚀(p👨‍👩‍👧.left⃝) + MORE🚀;
        const char text[] = "🙂";
        p👨‍👩‍👧.left⃝ = local🌟 + क्षि;
        p👨‍👩‍👧.right🙂 += 1;
        größe⃝ += sizeof text + (unsigned char)text[0];
        if (local🌟 > 100) goto out🚪;
        größe⃝++;
    out🚪:;
    }
    CHECK(p👨‍👩‍👧.left⃝ == 13 && p👨‍👩‍👧.right🙂 == 3.5);
    CHECK(größe⃝ == 2 + 5 + 0xF0 + 1);
    CHECK(strlen(🙂) == 52);
#pragma omp target update to(gain🙂)
    return CHECK_RESULT();
}

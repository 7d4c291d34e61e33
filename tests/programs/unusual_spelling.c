/* Unusual spellings of usual things: a byte order mark, digraphs, directives from macros, letters beyond ASCII. */
%:include <stdio.h>
#include "check.h"
#define OFFLOAD target teams
#define ALSO OFFLOAD distribute parallel for
#define SHARED_OUT map(tofrom: zahlen)

typedef struct <%
    int länge, été;
%> größen;

%:pragma omp declare target
static int zähler = 3;
enum { ÄPFEL = 4 };
static int \u00e4ndern(int ψ) { return ψ + zähler; }
%:pragma omp end declare target

static void für(int *größe, int épsilon)
{
%:pragma omp target teams distribute \
    parallel for map(tofrom: größe<:0:10:>)
    for (int ï = 0; ï < 10; ï++)
        größe[ï] += ändern(ï) * épsilon + ÄPFEL;
}

int main(void)
{
    int größe[10] = {0}, zahlen<:10:> = {0}, σ = 0;
    größen u = {1, 2};

    zähler = 1;
#pragma omp target update to(zähler)
    für(größe, 2);
#pragma omp ALSO reduction(+ : σ) map(to : u)
    for (int i = 0; i < 10; i++)
        σ += größe[i] * u.été;
    CHECK(σ == 300);
_Pragma("omp ALSO SHARED_OUT")
    for (int i = 0; i < 10; i++)
        zahlen[i] = i - ÄPFEL;
    for (int i = 0; i < 10; i++)
        CHECK(zahlen[i] == i - ÄPFEL);
#pragma omp target map(tofrom : zahlen)
    {
%:ifdef ALSO
        zahlen[0] = 7;
%:else
        zahlen[0] = 8;
    }
    zahlen[1] = 9;
    {
%:endif
        zahlen[2] = 8;
    }
    CHECK(zahlen[0] == 7 && zahlen[1] == 1 - ÄPFEL && zahlen[2] == 8);
    return CHECK_RESULT();
}

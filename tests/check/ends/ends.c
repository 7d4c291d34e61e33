/* ends WRONG-OR-RIGHT HOW: a program that makes a mistake or none, and ends in one of several ways. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1 << 20 };

int main(int argc, char **argv)
{
    const int is_wrong = !strcmp(argv[1], "wrong");
    const char *const how = argv[2];
    int s = 0, *volatile nowhere = 0, *a, *b;
#pragma omp target map(tofrom: s)
    s += 1;
    if (is_wrong) {
#pragma omp target map(to: s)
        s += 1;
    }
    s += 1;
    if (!strcmp(how, "child")) {
        const pid_t child = fork();
        int status;
        if (!child) {
            printf("the child has %d\n", s + 3);
            exit(4);
        }
        waitpid(child, &status, 0);
        printf("its status is %d\n", WEXITSTATUS(status));
    }
    if (!strcmp(how, "_exit"))
        _exit(3);
    if (!strcmp(how, "exit"))
        exit(3);
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "crash"))
        *nowhere = 1;
    if (!strcmp(how, "crash-of-threads")) { /* all threads leave what is mapped, and then the process's memory */
        a = calloc(64, sizeof *a);
#pragma omp target teams distribute parallel for map(tofrom: a[0:64])
        for (int i = 0; i < 64; ++i)
            for (long k = 0; k < 1L << 40; k += 1 << 8)
                a[i + k] += 1;
    }
    if (!strcmp(how, "overlap")) { /* libomptarget ends the program */
        a = calloc(64, sizeof *a);
        b = calloc(64, sizeof *b);
#pragma omp target map(to: a[0:N], b[0:N])
        s += a[1] + b[1];
    }
    return 3;
}

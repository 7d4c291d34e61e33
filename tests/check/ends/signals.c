/* Signals come all the time, in device code and in host code that is checked. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile sig_atomic_t count;
static int data[1000], copy[1000];

static void tick(int number)
{
    ++count;
    memcpy(copy, data, sizeof copy);
}

static void jump(int number, siginfo_t *what, void *context) { siglongjmp(back, 1); }

int main(void)
{
    struct sigaction action = {.sa_sigaction = jump, .sa_flags = SA_SIGINFO}, old;
    int jumped = 0;
    signal(SIGALRM, tick);
    ualarm(500, 500);
    for (int k = 0; k < 200; ++k) {
#pragma omp target teams distribute parallel for map(tofrom: data)
        for (int i = 0; i < 1000; ++i)
            data[i] += 1;
    }
    ualarm(0, 0);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR1, NULL, &old);
    if (sigsetjmp(back, 1))
        jumped = old.sa_sigaction == jump;
    else
        raise(SIGUSR1);
#pragma omp target map(to: data)
    data[3] = 1;
    printf("%d %d %d %d\n", data[4], count > 0, jumped, data[3]);
    return 0;
}

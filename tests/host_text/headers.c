/* Headers of the system, with their macros expanded next to regions. */
// cflags: -march=skylake-avx512
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <errno.h>
#include <time.h>
#include <pthread.h>
#include <unistd.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <dirent.h>
#include <locale.h>
#include <wchar.h>
#include <fenv.h>
#include <stdatomic.h>
#include <threads.h>
#include <uchar.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/mman.h>
#include <math.h>
#include <complex.h>
#include <tgmath.h>
#include <regex.h>
#include <search.h>
#include <semaphore.h>
#include <assert.h>
#include <x86intrin.h>

/* old headers */
static jmp_buf jb;
static int va(int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); double d = va_arg(ap, double); va_end(ap); return x + d; }
int f_old_headers(int n) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    struct sockaddr_in sin = { .sin_port = htons(3) };
    if (setjmp(jb)) return 1;
    assert(n > 0);
    errno = 0;
    fd_set fs; FD_ZERO(&fs); FD_SET(3, &fs);
    stdin->_flags;
    n += va(2, 3, 4.0) + isnan(2.0) + (int)sqrt(n) + fpclassify(2.0f);
    struct sigaction sa = { .sa_handler = SIG_IGN };
    sigset_t ss; sigemptyset(&ss);
#pragma omp target map(tofrom: n)
    n++;
    return n + sin.sin_port + (int)cabs(I * 2.0) + va(1, 2, 3.);
}

/* intrinsics all */
float f_intrinsics_all(float *x, int n) {
    __m512 a = _mm512_loadu_ps(x);
    __mmask16 k = _mm512_cmp_ps_mask(a, a, _CMP_LT_OQ);
    a = _mm512_mask_add_ps(a, k, a, a);
    unsigned long long t = __rdtsc();
    __m256d d = _mm256_setzero_pd();
    d[0] = 1; d = d * d - 3;
    __m128i q = {1, 2};
#pragma omp target map(tofrom: x[0:n])
    for (int i = 0; i < n; i++) x[i]++;
    return a[3] + d[1] + q[1] + t;
}

// Functions of OpenMP and of C's library that the unit declares itself, without their headers.
extern "C" int omp_get_team_num();
extern "C" {
int omp_get_thread_num(void);
int omp_get_num_threads();
[[nodiscard]] int omp_is_initial_device();
double sqrt(double);
}
extern "C" int omp_get_num_teams(void);
extern "C" unsigned long strlen(const char *) noexcept;
extern "C" int printf(const char *, ...);

namespace api {
extern "C" int omp_get_team_num(void);
}

static int place()
{
    return omp_get_thread_num() * omp_get_num_threads() + omp_get_team_num() + api::omp_get_team_num();
}

int main()
{
    int sum = 0, teams = 0;
    double root = 0;
    const char word[6] = "hello";
#pragma omp target map(tofrom : sum, root, teams)
    {
#pragma omp parallel num_threads(4) reduction(+ : sum)
        sum += place();
        root = sqrt(16.0) + strlen(word);
        teams = omp_get_num_teams();
    }
    printf("%d %g %d %d\n", sum % 24, root, teams, omp_is_initial_device());
}

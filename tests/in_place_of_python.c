/* Takes the place of Python where that would run MAIN, rex-build's __main__.py, and is PYTHON for all else: the process
   that listens at SOCKET (forked.py) forks one that runs the command line. It gets the standard streams, the mask of new
   files, the folder, the words and the environment, and answers with what wait() says. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What wait() says, or -1 where nobody listens. */
static int run(char **words)
{
    struct sockaddr_un address = {AF_UNIX, SOCKET};
    int server = socket(AF_UNIX, SOCK_STREAM, 0), streams[] = {0, 1, 2}, count = 0;
    char folder[4096], answer[16] = {0}, *text;
    size_t size;
    FILE *message = open_memstream(&text, &size);
    mode_t mask = umask(0);
    umask(mask);
    if (!getcwd(folder, sizeof folder) || connect(server, (struct sockaddr *)&address, sizeof address))
        return -1;
    while (words[count])
        count++;
    fprintf(message, "%d%c%s%c%d%c", (int)mask, 0, folder, 0, count, 0);
    for (; *words; words++)
        fprintf(message, "%s%c", *words, 0);
    for (char **entry = environ; *entry; entry++)
        fprintf(message, "%s%c", *entry, 0);
    fclose(message);

    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof streams)] = {0};
    struct iovec length = {&size, sizeof size};
    struct msghdr header = {.msg_iov = &length, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof streams);
    memcpy(CMSG_DATA(part), streams, sizeof streams);
    if (sendmsg(server, &header, 0) < 0)
        return -1;
    while (size) {
        ssize_t written = write(server, text, size);
        if (written < 0)
            return -1;
        text += written;
        size -= written;
    }
    return read(server, answer, sizeof answer - 1) > 0 ? atoi(answer) : 1 << 8;
}

int main(int count, char **words)
{
    char **at = words + 1;
    while (*at && (!strcmp(*at, "-S") || (!strcmp(*at, "-X") && at[1] && !strcmp(*++at, "utf8"))))
        at++;
    int status = *at && !strcmp(*at, MAIN) ? run(at + 1) : -1;
    if (status == -1)
        execv(words[0] = PYTHON, words);
    if (status != -1 && WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        kill(getpid(), WTERMSIG(status));
    }
    return status == -1 ? 127 : WEXITSTATUS(status);
}

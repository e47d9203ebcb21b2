/* Becomes a compiled program, once it has given up everything that a test may not have.
 *
 * What inside/child.py does in a fork of the interpreter, in a process that is small: copying an
 * interpreter's memory takes longer than most compiled programs take to run.
 *
 *   launch UID LIMITS FILTER FD NAME [VARIABLE=VALUE...]
 *
 * UID     the id to run under, or -1 to keep the id and drop all capabilities
 * LIMITS  resource:soft:hard, separated by commas; -1 is no limit
 * FILTER  the system-call filter, 8 bytes an instruction, in hexadecimal
 * FD      the executable; descriptors below it are the program's, those above are closed
 * NAME    its first argument
 *
 * Ends with 126 where anything is refused: a program never runs with more than it should have.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_INSTRUCTIONS 4096

static void refuse(const char *what) {
    perror(what);
    _exit(126);
}

static void close_all_above(int fd) {
    if (syscall(SYS_close_range, fd + 1, ~0U, 0) != 0) refuse("close_range");
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) refuse("fcntl");
}

static rlim_t limit_of(const char *text) {
    return text[0] == '-' ? RLIM_INFINITY : (rlim_t)strtoull(text, NULL, 10);
}

static void set_limits(char *text) {
    for (char *one = strtok(text, ","); one; one = strtok(NULL, ",")) {
        char *soft = strchr(one, ':'), *hard = soft ? strchr(soft + 1, ':') : NULL;
        if (!hard) refuse("limits");
        struct rlimit limit = {limit_of(soft + 1), limit_of(hard + 1)};
        if (setrlimit(atoi(one), &limit) != 0) refuse("setrlimit");
    }
}

static void drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) refuse("prctl(PR_CAP_AMBIENT)");
    if (syscall(SYS_capset, &header, none) != 0) refuse("capset");
}

static void become(int uid) {
    if (uid < 0) {
        drop_capabilities();
    } else if (setresgid(uid, uid, uid) != 0 || setresuid(uid, uid, uid) != 0) {
        refuse("setresuid");
    }
}

static void install_filter(const char *text) {
    static struct sock_filter instructions[MAX_INSTRUCTIONS];
    size_t count = strlen(text) / (2 * sizeof *instructions);
    if (count == 0 || count > MAX_INSTRUCTIONS) refuse("filter");
    unsigned char *bytes = (unsigned char *)instructions;
    for (size_t i = 0; i < count * sizeof *instructions; i++) {
        unsigned int byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) refuse("filter");
        bytes[i] = (unsigned char)byte;
    }
    struct sock_fprog filter = {(unsigned short)count, instructions};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refuse("prctl(PR_SET_NO_NEW_PRIVS)");
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) != 0) refuse("prctl(PR_SET_SECCOMP)");
}

int main(int count, char **words) {
    if (count < 6) refuse("words");
    int executable = atoi(words[4]);
    char *arguments[] = {words[5], NULL};
    close_all_above(executable);
    set_limits(words[2]);
    become(atoi(words[1]));
    install_filter(words[3]);
    syscall(SYS_execveat, executable, "", arguments, words + 6, AT_EMPTY_PATH);
    refuse("execveat");
}

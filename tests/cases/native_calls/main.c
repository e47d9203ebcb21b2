#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static long call(long number, long a, long b, long c, long d, long e) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = 0;
    long answer;
    __asm__ volatile("syscall"
                     : "=a"(answer)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return answer;
}

static void tell(const char *what, long answer) {
    printf("%s %s\n", what, answer < 0 ? strerrorname_np((int)-answer) : "allowed");
}

static void attack(void) {
    char room[512] = {0};
    struct iovec part = {room, sizeof room};
    struct rlimit limit = {1 << 20, 1 << 20};
    tell("ptrace of the session", call(SYS_ptrace, 16, 1, 0, 0, 0));
    tell("ptrace of the parent", call(SYS_ptrace, 16, getppid(), 0, 0, 0));
    tell("process_vm_readv", call(SYS_process_vm_readv, 1, (long)&part, 1, (long)&part, 1));
    tell("process_vm_writev", call(SYS_process_vm_writev, 1, (long)&part, 1, (long)&part, 1));
    tell("prlimit64 of the session", call(SYS_prlimit64, 1, RLIMIT_CPU, (long)&limit, 0, 0));
    tell("setrlimit", call(SYS_setrlimit, RLIMIT_NOFILE, (long)&limit, 0, 0, 0));
    tell("prlimit64 upwards", call(SYS_prlimit64, 0, RLIMIT_NPROC, (long)&limit, 0, 0));
    tell("io_uring_setup", call(SYS_io_uring_setup, 8, (long)room, 0, 0, 0));
    tell("userfaultfd", call(SYS_userfaultfd, 0, 0, 0, 0, 0));
    tell("unshare of users", call(SYS_unshare, CLONE_NEWUSER, 0, 0, 0, 0));
    tell("unshare of mounts", call(SYS_unshare, CLONE_NEWNS, 0, 0, 0, 0));
    tell("clone into a namespace", call(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0));
    tell("mount", call(SYS_mount, (long)"none", (long)"/tmp", (long)"tmpfs", 0, 0));
    tell("umount", call(SYS_umount2, (long)"/tmp", MNT_DETACH, 0, 0, 0));
    tell("bpf", call(SYS_bpf, 0, (long)room, 64, 0, 0));
    tell("perf_event_open", call(SYS_perf_event_open, (long)room, 0, -1, -1, 0));
    tell("pidfd_getfd", call(SYS_pidfd_getfd, 0, 0, 0, 0, 0));
    tell("netlink", call(SYS_socket, AF_NETLINK, SOCK_RAW, 0, 0, 0));
    tell("keyctl", call(SYS_keyctl, 0, -3, 0, 0, 0));
    tell("personality", call(SYS_personality, 0x0040000, 0, 0, 0, 0));
    tell("chroot", call(SYS_chroot, (long)"/tmp", 0, 0, 0, 0));
    tell("setresuid", call(SYS_setresuid, 0, 0, 0, 0, 0));
}

int main(void) {
    char word[16];
    int first, second;
    scanf("%15s", word);
    if (strcmp(word, "attack") == 0)
        attack();
    else if (scanf("%d %d", &first, &second) == 2)
        printf("%d\n", first + second);
}

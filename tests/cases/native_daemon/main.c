#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_clean(const char *path) {
    DIR *folder = opendir(path);
    int names = 0;
    while (readdir(folder))
        names++;
    closedir(folder);
    return names == 2; // . and ..
}

static void attack(void) {
    if (fork() != 0) {
        usleep(50000);
        return;
    }
    setsid();
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    if (fork() != 0)
        _exit(0);
    for (;;) {
        write(1, "99\n", 3);
        close(open("/tmp/evil", O_CREAT, 0600));
        usleep(1000);
    }
}

int main(void) {
    char word[16];
    int first, second;
    scanf("%15s", word);
    if (strcmp(word, "attack") == 0)
        attack();
    else if (!is_clean("/tmp") || !is_clean("/dev/shm"))
        puts("something is left");
    else if (scanf("%d %d", &first, &second) == 2)
        printf("%d\n", first + second);
}

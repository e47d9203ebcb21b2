#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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
    static char part[1 << 16];
    char name[64];
    signal(SIGXFSZ, SIG_IGN);
    mkdir("/tmp/a", 0);
    symlink("/tmp", "/dev/shm/b");
    for (int i = 0; i < 10000; i++) {
        snprintf(name, sizeof name, "%s/%d", i % 2 ? "/tmp" : "/dev/shm", i);
        int file = open(name, O_CREAT | O_WRONLY, 0);
        while (file >= 0 && write(file, part, sizeof part) > 0) {
        }
        close(file);
    }
    puts("filled");
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

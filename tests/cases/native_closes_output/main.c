#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
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
    close(1);
    open("/tmp/other", O_CREAT | O_WRONLY, 0600);
    puts("to a file");
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

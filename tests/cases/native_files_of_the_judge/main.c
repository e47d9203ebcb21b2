#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static void attack(void) {
    const char *itself = (const char *)getauxval(AT_EXECFN);
    printf("%d\n", open("/proc/self/maps", O_RDONLY) < 0);
    printf("%d\n", open("/proc/self/exe", O_RDONLY) < 0);
    printf("%d\n", open("/etc/passwd", O_RDONLY) < 0);
    printf("%d\n", open(itself, O_RDWR) < 0);
    DIR *folder = opendir("/judge");
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (openat(dirfd(folder), entry->d_name, O_WRONLY) >= 0 || unlinkat(dirfd(folder), entry->d_name, 0) == 0)
            puts(entry->d_name);
    printf("%d\n", open("/judge/more", O_CREAT | O_WRONLY, 0600) < 0);
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

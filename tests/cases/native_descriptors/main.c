#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void attack(void) {
    for (int descriptor = 0; descriptor < 4096; descriptor++)
        if (fcntl(descriptor, F_GETFD) >= 0)
            printf("%d\n", descriptor);
    printf("%d %d %d\n", pwrite(0, "x", 1, 0) < 0, ftruncate(0, 0) < 0,
           mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, 0, 0) == MAP_FAILED);
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

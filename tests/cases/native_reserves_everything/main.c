#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static void attack(void) {
    long reserved = 0;
    for (size_t size = 1UL << 46; size >= 1UL << 30; size >>= 1)
        while (reserved < 60000 && mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED)
            reserved++;
    printf("%ld\n", reserved);
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

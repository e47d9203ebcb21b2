#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

static void attack(void) {
    volatile char all[1UL << 30];
    for (unsigned long i = sizeof all; i > 0; i -= 4096)
        all[i - 1] = 1;
    printf("%d\n", all[12345]);
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

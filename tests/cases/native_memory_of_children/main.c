#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void attack(void) {
    for (int i = 0; i < 3; i++)
        fork();
    char *all = malloc(200 << 20);
    for (volatile char *here = all; here < all + (200 << 20); here += 4096)
        *here = 1;
    pause();
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

#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void attack(void) {
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    for (volatile int i = 0;; i++) {
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

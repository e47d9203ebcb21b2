#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void attack(void) {
    raise(SIGSTOP);
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

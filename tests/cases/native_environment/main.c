#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void attack(void) {
    for (char **variable = environ; *variable; variable++)
        puts(*variable);
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

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

static void attack(void) {
    long answer = 20; // getpid
    __asm__ volatile("int $0x80" : "+a"(answer) : : "memory");
    printf("%ld\n", answer);
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

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *sleeps(void *nothing) {
    pause();
    return nothing;
}

static void attack(void) {
    pthread_t thread;
    int started = 0;
    for (int i = 0; i < 1000000; i++)
        started += pthread_create(&thread, NULL, sleeps, NULL) == 0;
    printf("%d\n", started);
    fflush(stdout);
    _exit(0);
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

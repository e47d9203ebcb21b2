#include <pthread.h>
#include <stdio.h>

static void *sum(void *place) {
    long *number = place, from = *number;
    *number = 0;
    for (long i = from; i < from + 250; i++)
        *number += i;
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    long sums[4] = {0, 250, 500, 750}, all = 0;
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, sum, &sums[i]);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        all += sums[i];
    }
    printf("%ld\n", all);
}

#include <stdio.h>

static int depth(int n) {
    volatile int here = n;
    return n ? 1 + depth(here - 1) : 0;
}

int main(void) {
    printf("%d\n", depth(100000));
}

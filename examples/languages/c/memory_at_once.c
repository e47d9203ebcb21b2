#include <stdlib.h>
#include <string.h>

int main(void) {
    volatile char *all = malloc(1 << 30);
    memset((char *)all, 1, 1 << 30);
    return all[12345] - 1;
}

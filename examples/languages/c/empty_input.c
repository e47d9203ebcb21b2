#include <stdio.h>

int main(void) {
    int bytes = 0;
    while (getchar() != EOF)
        bytes++;
    printf("%d bytes\n", bytes);
}

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    fputs("this went wrong\n", stderr);
    exit(3);
}

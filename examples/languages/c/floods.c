#include <stdio.h>

int main(void) {
    for (;;)
        puts("a line of output that goes on and on");
}

#include <stdio.h>

#include "lib/answer.h"

int main(void) {
    printf("%d\n", answer());
}

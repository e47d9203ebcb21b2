#include "answer.h"

int answer(void) {
    return 42;
}

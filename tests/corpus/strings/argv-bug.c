// The first letter of the first argument.
#include <stddef.h>

int main(int argc, char **argv) {
    if (argc < 1) return 0;  // The bug: the first is the program's name.
    return argv[1][0] == '-';
}

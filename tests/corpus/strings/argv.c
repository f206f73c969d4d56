// The first letter of the first argument.
#include <stddef.h>

int main(int argc, char **argv) {
    if (argc < 2) return 0;
    return argv[1][0] == '-';
}

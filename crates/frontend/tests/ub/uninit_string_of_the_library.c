// The library looks at what it is given.
// checks: uninit
// violates: uninit
#include <string.h>
int main(void) {
    char text[8];
    text[0] = 'a';
    return strlen(text) == 3;
}

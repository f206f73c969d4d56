// Keeps a copy of the longest word.
#include <stdlib.h>
#include <string.h>
#include <svcomp.h>

int main(void) {
    static const char *const words[] = {"ice", "floe", "seal"};
    char *longest = NULL;
    for (int i = 0; i < 3; i++) {
        if (!__VERIFIER_nondet_bool()) continue;
        if (!longest || strlen(words[i]) > strlen(longest)) {
            free(longest);
            longest = strdup(words[i]);
            if (!longest) abort();
        }
    }
    free(longest);
    return 0;
}

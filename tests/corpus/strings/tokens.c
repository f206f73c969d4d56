// Splits a path at its slashes.
#include <string.h>
#include <svcomp.h>

int main(void) {
    char path[] = "usr/lib/x";
    if (__VERIFIER_nondet_bool()) path[3] = '_';
    int slashes = 0, parts = 0;
    for (const char *p = path; *p; p++) slashes += *p == '/';
    for (char *part = strtok(path, "/"); part; part = strtok(NULL, "/")) parts++;
    if (parts != slashes + 1) reach_error();
    return 0;
}

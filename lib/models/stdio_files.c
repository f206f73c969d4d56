/* stdio_files.c: the file system as stdio.h sees it. */
#include "text.h"

MODEL int remove(const char *path) {
    text_read(path);
    return any_bool() ? 0 : -1;
}

MODEL int rename(const char *from, const char *to) {
    text_read(from);
    text_read(to);
    return any_bool() ? 0 : -1;
}

/* A name of at most 19 characters, here or in the caller's array. */
MODEL char *tmpnam(char *to) {
    static char here[20];
    char *name = to ? to : here;
    check_write(name, 20, "tmpnam: the array has 20 bytes");
    if (any_bool())
        return NULL;
    __selkie_havoc(name, 19);
    name[19] = 0;
    return name;
}

/* stdio_files.c: the file system as stdio.h sees it. */
#include "system.h"
#include "text.h"

MODEL int remove(const char *path) {
    text_read(path);
    return system_status();
}

MODEL int rename(const char *from, const char *to) {
    text_read(from);
    text_read(to);
    return system_status();
}

/* A name of at most 19 characters, here or in the caller's array. */
MODEL char *tmpnam(char *to) {
    static char here[20];
    char *name = to ? to : here;
    check_write(name, 20, "tmpnam: the array has 20 bytes");
    if (any_bool())
        return NULL;
    static _Bool asked;
    if (system_first(asked))
        __selkie_havoc(name, 19);
    else
        rough_bytes(name, 19);
    name[19] = 0;
    return name;
}

/* As tmpnam, in a new heap object; both arguments may be null. */
MODEL char *tempnam(const char *folder, const char *prefix) {
    if (folder)
        text_read(folder);
    if (prefix)
        text_read(prefix);
    size_t n = any_size();
    sk_assume(n >= 2 && n < 4096);
    char *name = any_bool() ? NULL : heap_new(n);
    if (!name) {
        system_failed();
        return NULL;
    }
    name[n - 1] = 0;
    return name;
}

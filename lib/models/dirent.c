/* dirent.c: folders have any entries. As streams, folders that stay open are no leaks. */
#include "system.h"
#include "text.h"

/* An entry as the platform lays it out. */
struct dirent_entry {
    unsigned long number;
    long offset;
    unsigned short size;
    unsigned char kind;
    char name[256];
};

/* The same with large offsets. */
struct dirent_entry64 {
    unsigned long long number;
    long long offset;
    unsigned short size;
    unsigned char kind;
    char name[256];
};

struct dirent_folder {
    _Bool open;
    struct dirent_entry entry;
    struct dirent_entry64 entry64;
};

#define DIRENT_SLOTS 4
static struct dirent_folder dirent_table[DIRENT_SLOTS];

static void dirent_check(struct dirent_folder *folder) {
    __selkie_check(folder->open, "deref", "folder is open");
}

static struct dirent_folder *dirent_open(void) {
    if (system_status() != 0)
        return NULL;
    for (int i = 0; i < DIRENT_SLOTS; i++)
        if (!dirent_table[i].open) {
            dirent_table[i].open = 1;
            return &dirent_table[i];
        }
    __selkie_unsupported("more than 4 folders open at once");
    return NULL;
}

MODEL struct dirent_folder *opendir(const char *path) {
    text_read(path);
    return dirent_open();
}

MODEL struct dirent_folder *fdopendir(int fd) {
    (void)fd;
    return dirent_open();
}

/* Null at the end, and after an error, which errno tells. */
static _Bool dirent_next(struct dirent_folder *folder) {
    dirent_check(folder);
    if (any_bool())
        return 1;
    if (any_bool())
        system_failed();
    return 0;
}

/* A name of 1 to 255 characters. */
static void dirent_name(char *name) {
    char first = any_char();
    __selkie_havoc(name, 255);
    name[0] = first ? first : '.';
    name[255] = 0;
}

MODEL struct dirent_entry *readdir(struct dirent_folder *folder) {
    if (!dirent_next(folder))
        return NULL;
    folder->entry.number = any_ulong();
    folder->entry.offset = any_long();
    folder->entry.size = any_ushort();
    folder->entry.kind = any_uchar();
    dirent_name(folder->entry.name);
    return &folder->entry;
}

MODEL struct dirent_entry64 *readdir64(struct dirent_folder *folder) {
    if (!dirent_next(folder))
        return NULL;
    folder->entry64.number = any_ulonglong();
    folder->entry64.offset = any_longlong();
    folder->entry64.size = any_ushort();
    folder->entry64.kind = any_uchar();
    dirent_name(folder->entry64.name);
    return &folder->entry64;
}

MODEL int closedir(struct dirent_folder *folder) {
    dirent_check(folder);
    folder->open = 0;
    return system_status();
}

MODEL void rewinddir(struct dirent_folder *folder) { dirent_check(folder); }

MODEL int dirfd(struct dirent_folder *folder) {
    dirent_check(folder);
    return any_ushort() % 1024;
}

/* dirent.c: folders have any entries. As streams, folders that stay open are no leaks. What was read ends with the folder. */
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
    _Bool ended;
    _Bool again; /* It was read before. */
    int descriptor;
    struct dirent_entry *entry;
    struct dirent_entry64 *entry64;
};

#define DIRENT_SLOTS 4
static struct dirent_folder dirent_table[DIRENT_SLOTS];

static void dirent_check(struct dirent_folder *folder) {
    __selkie_check(folder->open, "deref", "folder is open");
}

static struct dirent_folder *dirent_open(int descriptor) {
    if (descriptor < 0)
        return NULL;
    for (int i = 0; i < DIRENT_SLOTS; i++)
        if (!dirent_table[i].open) {
            dirent_table[i].open = 1;
            dirent_table[i].ended = 0;
            dirent_table[i].again = 0;
            dirent_table[i].descriptor = descriptor;
            return &dirent_table[i];
        }
    __selkie_unsupported("more than 4 folders open at once");
    return NULL;
}

MODEL struct dirent_folder *opendir(const char *path) {
    text_read(path);
    return dirent_open(system_descriptor());
}

MODEL struct dirent_folder *fdopendir(int fd) {
    return dirent_open(system_status() == 0 ? fd : -1);
}

/* Null at the end, and after an error, which errno tells. */
static _Bool dirent_next(struct dirent_folder *folder) {
    dirent_check(folder);
    if (folder->ended)
        return 0;
    if (folder->again ? rough_bool() : any_bool())
        return 1;
    if (any_bool())
        system_failed();
    else
        folder->ended = 1;
    return 0;
}

/* A name of 1 to 255 characters, none of them a slash. */
static void dirent_name(const struct dirent_folder *folder, char *name) {
    for (int i = 0; i < 255; i++) {
        char c = folder->again ? rough_char() : any_char();
        name[i] = c == '/' || (i == 0 && !c) ? '.' : c;
    }
    name[255] = 0;
}

/* What follows from the name and the system. */
static unsigned short dirent_size(const char *name, size_t before) {
    size_t n = before + text_length_up_to(name, 255) + 1;
    return (unsigned short)((n + 7) / 8 * 8);
}

/* The folder's own memory, from its first use until the folder is closed. */
static void *dirent_memory(void *old, size_t size) {
    __selkie_note("entries of open folders count as heap memory for the check cleanup");
    return old ? old : __selkie_alloc(size);
}

MODEL struct dirent_entry *readdir(struct dirent_folder *folder) {
    if (!dirent_next(folder))
        return NULL;
    folder->entry = dirent_memory(folder->entry, sizeof *folder->entry);
    folder->entry->number = (unsigned long)rough_long();
    folder->entry->offset = rough_long();
    folder->entry->kind = folder->again ? (unsigned char)rough_char() : any_uchar();
    dirent_name(folder, folder->entry->name);
    folder->entry->size = dirent_size(folder->entry->name, 2 * sizeof(long) + 3);
    return folder->entry;
}

MODEL struct dirent_entry64 *readdir64(struct dirent_folder *folder) {
    if (!dirent_next(folder))
        return NULL;
    folder->entry64 = dirent_memory(folder->entry64, sizeof *folder->entry64);
    folder->entry64->number = (unsigned long long)rough_longlong();
    folder->entry64->offset = rough_longlong();
    folder->entry64->kind = folder->again ? (unsigned char)rough_char() : any_uchar();
    dirent_name(folder, folder->entry64->name);
    folder->entry64->size = dirent_size(folder->entry64->name, 19);
    return folder->entry64;
}

MODEL int closedir(struct dirent_folder *folder) {
    dirent_check(folder);
    folder->open = 0;
    __selkie_free(folder->entry);
    __selkie_free(folder->entry64);
    folder->entry = NULL;
    folder->entry64 = NULL;
    __selkie_io.closed = 1;
    return system_status();
}

MODEL void rewinddir(struct dirent_folder *folder) {
    dirent_check(folder);
    folder->ended = 0;
    folder->again = 1;
}

MODEL int dirfd(struct dirent_folder *folder) {
    dirent_check(folder);
    return folder->descriptor;
}

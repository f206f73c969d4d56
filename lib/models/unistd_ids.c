/* unistd_ids.c: numbers that the system gives to processes and users. */
#include "system.h"

int __selkie_process_id(void);

/* A number of another process; but for the first time, known only roughly. */
static int unistd_ids_other(void) {
    static _Bool asked;
    return 1 + ((system_first(asked) ? any_int() : rough_int()) & 0x3fffff);
}

MODEL int getpid(void) { return __selkie_process_id(); }
MODEL int getppid(void) { return unistd_ids_other() - 1; }
MODEL int getpgrp(void) { return unistd_ids_other(); }
MODEL int getpgid(int process) { return (void)process, any_bool() ? unistd_ids_other() : system_failed(); }
MODEL int getsid(int process) { return (void)process, any_bool() ? unistd_ids_other() : system_failed(); }
MODEL int setsid(void) { return any_bool() ? __selkie_process_id() : system_failed(); }
MODEL int setpgid(int process, int group) { return (void)process, (void)group, system_status(); }

/* User and group, real and effective: anybody's at the start. */
struct unistd_ids {
    unsigned real, effective;
    _Bool known;
};
static struct unistd_ids unistd_ids_user, unistd_ids_group;

static struct unistd_ids *unistd_ids_of(struct unistd_ids *ids) {
    if (!ids->known) {
        ids->real = any_uint();
        ids->effective = any_uint();
        ids->known = 1;
    }
    return ids;
}

/* Those who may set all, do. */
static int unistd_ids_set(struct unistd_ids *ids, unsigned id, _Bool all) {
    unistd_ids_of(ids);
    if (system_status() != 0)
        return -1;
    ids->effective = id;
    if (all && rough_bool())
        ids->real = id;
    return 0;
}

MODEL unsigned getuid(void) { return unistd_ids_of(&unistd_ids_user)->real; }
MODEL unsigned geteuid(void) { return unistd_ids_of(&unistd_ids_user)->effective; }
MODEL unsigned getgid(void) { return unistd_ids_of(&unistd_ids_group)->real; }
MODEL unsigned getegid(void) { return unistd_ids_of(&unistd_ids_group)->effective; }
MODEL int setuid(unsigned id) { return unistd_ids_set(&unistd_ids_user, id, 1); }
MODEL int setgid(unsigned id) { return unistd_ids_set(&unistd_ids_group, id, 1); }
MODEL int seteuid(unsigned id) { return unistd_ids_set(&unistd_ids_user, id, 0); }
MODEL int setegid(unsigned id) { return unistd_ids_set(&unistd_ids_group, id, 0); }
MODEL int getpagesize(void) { return 4096; }

/* The system keeps its limits. -1 also stands for what has no limit; errno stays then. */
#define UNISTD_IDS_LIMITS 4

MODEL long sysconf(int name) {
    static struct {
        long value;
        int name;
        _Bool known;
    } limits[UNISTD_IDS_LIMITS];
    if (name == 30) /* _SC_PAGESIZE */
        return 4096;
    for (int i = 0; i < UNISTD_IDS_LIMITS; i++) {
        if (!limits[i].known) {
            long value = any_long();
            if (value < -1) {
                errno = EINVAL;
                value = -1;
            }
            limits[i].value = value;
            limits[i].name = name;
            limits[i].known = 1;
            return value;
        }
        if (limits[i].name == name)
            return limits[i].value;
    }
    long value = rough_long();
    return value >= 0 ? value : rough_bool() ? -1 : system_failed();
}

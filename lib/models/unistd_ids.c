/* unistd_ids.c: numbers that the system gives to processes and users. */
#include "system.h"

static int unistd_ids_process(void) {
    return 1 + (any_int() & 0x3fffff);
}

MODEL int getpid(void) { return unistd_ids_process(); }
MODEL int getppid(void) { return unistd_ids_process() - 1; }
MODEL int getpgrp(void) { return unistd_ids_process(); }
MODEL int getpgid(int process) { return (void)process, any_bool() ? unistd_ids_process() : system_failed(); }
MODEL int getsid(int process) { return (void)process, any_bool() ? unistd_ids_process() : system_failed(); }
MODEL int setsid(void) { return any_bool() ? unistd_ids_process() : system_failed(); }
MODEL int setpgid(int process, int group) { return (void)process, (void)group, system_status(); }
MODEL unsigned getuid(void) { return any_uint(); }
MODEL unsigned geteuid(void) { return any_uint(); }
MODEL unsigned getgid(void) { return any_uint(); }
MODEL unsigned getegid(void) { return any_uint(); }
MODEL int setuid(unsigned id) { return (void)id, system_status(); }
MODEL int setgid(unsigned id) { return (void)id, system_status(); }
MODEL int seteuid(unsigned id) { return (void)id, system_status(); }
MODEL int setegid(unsigned id) { return (void)id, system_status(); }
MODEL int getpagesize(void) { return 4096; }

/* -1 also stands for what has no limit; errno stays then. */
MODEL long sysconf(int name) {
    (void)name;
    long value = any_long();
    if (value >= 0)
        return value;
    return any_bool() ? -1 : system_failed();
}

/* unistd_ids.c: numbers that the system gives to processes and users. */
#include <selkie/model.h>

MODEL int getpid(void) { return any_int_in(1, 0x400000); }
MODEL int getppid(void) { return any_int_in(0, 0x400000); }
MODEL unsigned getuid(void) { return any_uint(); }
MODEL unsigned geteuid(void) { return any_uint(); }
MODEL unsigned getgid(void) { return any_uint(); }
MODEL unsigned getegid(void) { return any_uint(); }
MODEL int setuid(unsigned id) { return (void)id, any_bool() ? 0 : -1; }
MODEL int setgid(unsigned id) { return (void)id, any_bool() ? 0 : -1; }
MODEL int getpagesize(void) { return 4096; }

MODEL long sysconf(int name) {
    (void)name;
    long value = any_long();
    sk_assume(value >= -1);
    return value;
}

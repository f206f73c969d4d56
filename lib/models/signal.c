/* signal.c: signals may be ignored or left to their defaults; handlers are not modelled. */
#include <selkie/model.h>

typedef void (*signal_handler)(int);

#define SIGNAL_ABORT 6

/* 0 is the default, 1 ignores. */
static signal_handler signal_set(signal_handler handler) {
    if ((size_t)handler > 1)
        __selkie_unsupported("a signal handler");
    return any_bool() ? (signal_handler)0 : any_bool() ? (signal_handler)1 : (signal_handler)-1;
}

MODEL signal_handler signal(int number, signal_handler handler) {
    (void)number;
    return signal_set(handler);
}

MODEL signal_handler __sysv_signal(int number, signal_handler handler) {
    (void)number;
    return signal_set(handler);
}

MODEL signal_handler bsd_signal(int number, signal_handler handler) {
    (void)number;
    return signal_set(handler);
}

/* The handler is the first field. */
MODEL int sigaction(int number, const signal_handler *action, void *old) {
    (void)number;
    if (action)
        signal_set(*action);
    if (old)
        __selkie_unsupported("the previous action of a signal");
    return any_bool() ? 0 : -1;
}

MODEL int raise(int number) {
    if (number == SIGNAL_ABORT)
        __selkie_halt_abort();
    __selkie_unsupported("raise");
    return -1;
}

/* A set of signals has 1024 bits. */
#define SIGNAL_SET_SIZE 128

MODEL int sigemptyset(void *set) {
    check_write(set, SIGNAL_SET_SIZE, "sigemptyset: the set is writable");
    __selkie_memset(set, 0, SIGNAL_SET_SIZE);
    return 0;
}

MODEL int sigfillset(void *set) {
    check_write(set, SIGNAL_SET_SIZE, "sigfillset: the set is writable");
    __selkie_memset(set, -1, SIGNAL_SET_SIZE);
    return 0;
}

MODEL int sigprocmask(int how, const void *set, void *old) {
    (void)how;
    if (set)
        check_read(set, SIGNAL_SET_SIZE, "sigprocmask: the set is readable");
    if (old) {
        check_write(old, SIGNAL_SET_SIZE, "sigprocmask: the previous set is writable");
        __selkie_havoc(old, SIGNAL_SET_SIZE);
    }
    return 0;
}

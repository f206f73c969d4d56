/* signal.c: signals may be ignored or left to their defaults; handlers are not modelled. */
#include "system.h"

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

/* struct sigaction; the handler is its first field. */
#define SIGNAL_ACTION (sizeof(long) == 8 ? 152 : 140)

/* No handler has been set. */
MODEL int sigaction(int number, const signal_handler *action, signal_handler *old) {
    (void)number;
    if (action) {
        check_read(action, SIGNAL_ACTION, "sigaction: the action is readable");
        if ((size_t)*action > 1)
            __selkie_unsupported("a signal handler");
    }
    if (old)
        check_write(old, SIGNAL_ACTION, "sigaction: the previous action is writable");
    if (system_status() != 0)
        return -1;
    if (old) {
        __selkie_havoc(old, SIGNAL_ACTION);
        *old = any_bool() ? (signal_handler)0 : (signal_handler)1;
    }
    return 0;
}

/* There are no handlers: the signal is ignored, or ends the program. */
static void signal_send(int number) {
    if (number == SIGNAL_ABORT || (number != 0 && any_bool()))
        __selkie_halt_abort();
}

MODEL int raise(int number) {
    signal_send(number);
    return system_status();
}

/* It may be the program's own process. */
MODEL int kill(int process, int number) {
    (void)process;
    if (system_status() != 0)
        return -1;
    if (any_bool())
        signal_send(number);
    return 0;
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

/* Signals have numbers from 1 to 64. */
static _Bool signal_known(int number) {
    if (number >= 1 && number <= 64)
        return 1;
    errno = EINVAL;
    return 0;
}

#define SIGNAL_WORD (8 * (int)sizeof(unsigned long))

MODEL int sigaddset(unsigned long *set, int number) {
    if (!signal_known(number))
        return -1;
    set[(number - 1) / SIGNAL_WORD] |= 1UL << ((number - 1) % SIGNAL_WORD);
    return 0;
}

MODEL int sigdelset(unsigned long *set, int number) {
    if (!signal_known(number))
        return -1;
    set[(number - 1) / SIGNAL_WORD] &= ~(1UL << ((number - 1) % SIGNAL_WORD));
    return 0;
}

MODEL int sigismember(const unsigned long *set, int number) {
    if (!signal_known(number))
        return -1;
    return set[(number - 1) / SIGNAL_WORD] >> ((number - 1) % SIGNAL_WORD) & 1;
}

static int signal_mask(const void *set, void *old) {
    if (set)
        check_read(set, SIGNAL_SET_SIZE, "sigprocmask: the set is readable");
    if (old) {
        check_write(old, SIGNAL_SET_SIZE, "sigprocmask: the previous set is writable");
        __selkie_havoc(old, SIGNAL_SET_SIZE);
    }
    return 0;
}

MODEL int sigprocmask(int how, const void *set, void *old) { return (void)how, signal_mask(set, old); }
MODEL int pthread_sigmask(int how, const void *set, void *old) { return (void)how, signal_mask(set, old); }

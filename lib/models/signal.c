/* signal.c: signals may be ignored or left to their defaults; handlers are not modelled. */
#include "system.h"

typedef void (*signal_handler)(int);

#define SIGNAL_ABORT 6
#define SIGNAL_KILL 9
#define SIGNAL_STOP 19
#define SIGNAL_MOST 64

/* Signals have numbers from 1 to 64. */
static _Bool signal_known(int number) {
    if (number >= 1 && number <= SIGNAL_MOST)
        return 1;
    errno = EINVAL;
    return 0;
}

/* Which are ignored. At the start nobody has decided that, but the program's parent may have. */
static char signal__shared_ignored[SIGNAL_MOST + 1];
enum { SIGNAL_UNDECIDED, SIGNAL_DEFAULT, SIGNAL_IGNORED };

static _Bool signal_is_ignored(int number) {
    if (number == SIGNAL_KILL || number == SIGNAL_STOP)
        return 0;
    if (signal__shared_ignored[number] == SIGNAL_UNDECIDED)
        signal__shared_ignored[number] = any_bool() ? SIGNAL_IGNORED : SIGNAL_DEFAULT;
    return signal__shared_ignored[number] == SIGNAL_IGNORED;
}

/* 0 is the default, 1 ignores. */
static void signal_decide(int number, signal_handler handler) {
    if ((size_t)handler > 1)
        __selkie_unsupported("a signal handler");
    signal__shared_ignored[number] = handler ? SIGNAL_IGNORED : SIGNAL_DEFAULT;
}

/* May the program decide what becomes of the signal? */
static _Bool signal_decides(int number) {
    if (!signal_known(number))
        return 0;
    if (number != SIGNAL_KILL && number != SIGNAL_STOP && number != 32 && number != 33)
        return 1;
    errno = EINVAL;
    return 0;
}

/* Yields what was decided before. */
static signal_handler signal_set(int number, signal_handler handler) {
    if (!signal_decides(number) || (size_t)handler == (size_t)-1) {
        errno = EINVAL;
        return (signal_handler)-1;
    }
    signal_handler before = signal_is_ignored(number) ? (signal_handler)1 : (signal_handler)0;
    signal_decide(number, handler);
    return before;
}

MODEL signal_handler signal(int number, signal_handler handler) { return signal_set(number, handler); }
MODEL signal_handler __sysv_signal(int number, signal_handler handler) { return signal_set(number, handler); }
MODEL signal_handler bsd_signal(int number, signal_handler handler) { return signal_set(number, handler); }

/* struct sigaction; the handler is its first field. */
#define SIGNAL_ACTION (sizeof(long) == 8 ? 152 : 140)

MODEL int sigaction(int number, const signal_handler *action, signal_handler *old) {
    if (action)
        check_read(action, SIGNAL_ACTION, "sigaction: the action is readable");
    if (old)
        check_write(old, SIGNAL_ACTION, "sigaction: the previous action is writable");
    if (!signal_known(number) || (action && !signal_decides(number))) {
        errno = EINVAL;
        return -1;
    }
    /* The action may be the same object. */
    signal_handler handler = action ? *action : (signal_handler)0;
    if (old) {
        signal_handler before = signal_is_ignored(number) ? (signal_handler)1 : (signal_handler)0;
        rough_bytes(old, SIGNAL_ACTION);
        *old = before;
    }
    if (action)
        signal_decide(number, handler);
    return 0;
}

/* The signals that wait until the program lets them in; any at the start. */
static unsigned long long signal__shared_blocked;
static _Bool signal_asked_blocked;
#define SIGNAL_NEVER_BLOCKED (1ULL << (SIGNAL_KILL - 1) | 1ULL << (SIGNAL_STOP - 1))

static unsigned long long signal_now_blocked(void) {
    if (system_first(signal_asked_blocked))
        signal__shared_blocked = any_ulonglong() & ~SIGNAL_NEVER_BLOCKED;
    return signal__shared_blocked;
}

/* Does it end the program by default? Others are ignored, or stop the program until it continues. */
static _Bool signal_ends(int number) {
    return !(number == 17 || number == 18 || number == 23 || number == 28 || (number >= SIGNAL_STOP && number <= 22));
}

/* There are no handlers: the signal is ignored, or ends the program. */
static void signal_send(int number) {
    if (signal_is_ignored(number) || !signal_ends(number))
        return;
    if (signal_now_blocked() >> (number - 1) & 1)
        __selkie_unsupported("a signal that is blocked");
    __selkie_halt_abort();
}

MODEL int raise(int number) {
    if (number == 0)
        return 0;
    if (!signal_known(number))
        return -1;
    signal_send(number);
    return 0;
}

int __selkie_process_id(void);

/* The program's own process, one that is not, or several, that one perhaps among them. */
MODEL int kill(int process, int number) {
    if (number < 0 || number > SIGNAL_MOST) {
        errno = EINVAL;
        return -1;
    }
    _Bool own = process > 0 && process == __selkie_process_id();
    if (!own && system_status() != 0)
        return -1;
    if (number != 0 && (own || (process <= 0 && any_bool())))
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

/* How: add (0), remove (1), or replace (2). Yields an error's number. The system knows 64 of the signals of a set. */
static int signal_mask(int how, const unsigned long *set, unsigned long *old) {
    unsigned long long before = signal_now_blocked(), now = 0;
    if (set) {
        check_read(set, SIGNAL_SET_SIZE, "sigprocmask: the set is readable");
        for (int i = 0; i < 64 / SIGNAL_WORD; i++)
            now |= (unsigned long long)set[i] << (i * SIGNAL_WORD);
    }
    if (old) {
        check_write(old, SIGNAL_SET_SIZE, "sigprocmask: the previous set is writable");
        __selkie_memset(old, 0, SIGNAL_SET_SIZE);
        for (int i = 0; i < 64 / SIGNAL_WORD; i++)
            old[i] = (unsigned long)(before >> (i * SIGNAL_WORD));
    }
    if (!set)
        return 0;
    if (how < 0 || how > 2)
        return EINVAL;
    now = how == 0 ? before | now : how == 1 ? before & ~now : now;
    signal__shared_blocked = now & ~SIGNAL_NEVER_BLOCKED;
    return 0;
}

MODEL int sigprocmask(int how, const unsigned long *set, unsigned long *old) {
    int why = signal_mask(how, set, old);
    if (why == 0)
        return 0;
    errno = why;
    return -1;
}

MODEL int pthread_sigmask(int how, const unsigned long *set, unsigned long *old) { return signal_mask(how, set, old); }

/* stdlib_atexit.c: what is to happen before the program ends. */
#include <selkie/model.h>

#define STDLIB_ATEXIT_SLOTS 32

/* One handler, of one of three kinds. */
static struct {
    enum { STDLIB_ATEXIT_PLAIN, STDLIB_ATEXIT_ARGUMENT, STDLIB_ATEXIT_STATUS } kind;
    void (*plain)(void);
    void (*with_argument)(void *);
    void (*with_status)(int, void *);
    void *argument;
} stdlib_atexit_table[STDLIB_ATEXIT_SLOTS];
static int stdlib_atexit_count;
static void (*stdlib_atexit_quick_table[STDLIB_ATEXIT_SLOTS])(void);
static int stdlib_atexit_quick_count;

/* Is there room? More handlers than slots are not modelled. */
static int stdlib_atexit_slot(int count) {
    if (count >= STDLIB_ATEXIT_SLOTS)
        __selkie_unsupported("more than 32 exit handlers");
    return count;
}

/* Runs the handlers, the last one first. The end of `main` calls it, too. */
MODEL void __selkie_run_atexit(int status) {
    while (stdlib_atexit_count > 0) {
        int i = --stdlib_atexit_count;
        switch (stdlib_atexit_table[i].kind) {
        case STDLIB_ATEXIT_PLAIN: stdlib_atexit_table[i].plain(); break;
        case STDLIB_ATEXIT_ARGUMENT: stdlib_atexit_table[i].with_argument(stdlib_atexit_table[i].argument); break;
        case STDLIB_ATEXIT_STATUS: stdlib_atexit_table[i].with_status(status, stdlib_atexit_table[i].argument); break;
        }
    }
}

MODEL int atexit(void (*handler)(void)) {
    int i = stdlib_atexit_slot(stdlib_atexit_count);
    stdlib_atexit_table[i].kind = STDLIB_ATEXIT_PLAIN;
    stdlib_atexit_table[i].plain = handler;
    stdlib_atexit_count = i + 1;
    return 0;
}

MODEL int __cxa_atexit(void (*handler)(void *), void *argument, void *library) {
    (void)library;
    int i = stdlib_atexit_slot(stdlib_atexit_count);
    stdlib_atexit_table[i].kind = STDLIB_ATEXIT_ARGUMENT;
    stdlib_atexit_table[i].with_argument = handler;
    stdlib_atexit_table[i].argument = argument;
    stdlib_atexit_count = i + 1;
    return 0;
}

MODEL int on_exit(void (*handler)(int, void *), void *argument) {
    int i = stdlib_atexit_slot(stdlib_atexit_count);
    stdlib_atexit_table[i].kind = STDLIB_ATEXIT_STATUS;
    stdlib_atexit_table[i].with_status = handler;
    stdlib_atexit_table[i].argument = argument;
    stdlib_atexit_count = i + 1;
    return 0;
}

MODEL int at_quick_exit(void (*handler)(void)) {
    int i = stdlib_atexit_slot(stdlib_atexit_quick_count);
    stdlib_atexit_quick_table[i] = handler;
    stdlib_atexit_quick_count = i + 1;
    return 0;
}

MODEL __attribute__((noreturn)) void quick_exit(int status) {
    while (stdlib_atexit_quick_count > 0)
        stdlib_atexit_quick_table[--stdlib_atexit_quick_count]();
    __selkie_halt_exit(status);
}

/* semaphore.c: semaphores count; a wait that nobody can end is the end of the execution. */
#include <selkie/model.h>

#define SEMAPHORE_MOST 2147483647u
#define SEMAPHORE_EMPTY 11
#define SEMAPHORE_LATE 110
#define SEMAPHORE_FULL 75

static int semaphore_failed(int why) {
    errno = why;
    return -1;
}

MODEL int sem_init(unsigned *semaphore, int shared, unsigned value) {
    (void)shared;
    if (value > SEMAPHORE_MOST)
        return semaphore_failed(EINVAL);
    *semaphore = value;
    return 0;
}

MODEL int sem_destroy(unsigned *semaphore) {
    (void)*(volatile unsigned *)semaphore;
    return 0;
}

MODEL int sem_post(unsigned *semaphore) {
    if (*semaphore == SEMAPHORE_MOST)
        return semaphore_failed(SEMAPHORE_FULL);
    *semaphore += 1;
    return 0;
}

MODEL int sem_wait(unsigned *semaphore) {
    __selkie_note("a semaphore that is never posted blocks forever: there is one thread");
    sk_assume(*semaphore > 0);
    *semaphore -= 1;
    return 0;
}

/* Ends without the semaphore if there is none. */
static int semaphore_try(unsigned *semaphore, int why) {
    if (*semaphore == 0)
        return semaphore_failed(why);
    *semaphore -= 1;
    return 0;
}

MODEL int sem_trywait(unsigned *semaphore) { return semaphore_try(semaphore, SEMAPHORE_EMPTY); }

MODEL int sem_timedwait(unsigned *semaphore, const void *end) {
    check_read(end, 2 * sizeof(long), "sem_timedwait: the time is readable");
    return semaphore_try(semaphore, SEMAPHORE_LATE);
}

MODEL int sem_getvalue(unsigned *semaphore, int *value) {
    *value = (int)*semaphore;
    return 0;
}

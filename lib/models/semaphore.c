/* semaphore.c: semaphores count; a wait that nobody can end is the end of the execution. */
#include <selkie/model.h>

MODEL int sem_init(unsigned *semaphore, int shared, unsigned value) {
    (void)shared;
    *semaphore = value;
    return 0;
}

MODEL int sem_destroy(unsigned *semaphore) {
    (void)*(volatile unsigned *)semaphore;
    return 0;
}

MODEL int sem_post(unsigned *semaphore) {
    *semaphore += 1;
    return 0;
}

MODEL int sem_wait(unsigned *semaphore) {
    __selkie_note("a semaphore that is never posted blocks forever: there is one thread");
    sk_assume(*semaphore > 0);
    *semaphore -= 1;
    return 0;
}

MODEL int sem_trywait(unsigned *semaphore) {
    if (*semaphore == 0)
        return -1;
    *semaphore -= 1;
    return 0;
}

MODEL int sem_getvalue(unsigned *semaphore, int *value) {
    *value = (int)*semaphore;
    return 0;
}

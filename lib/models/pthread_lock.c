/* pthread_lock.c: locks. There is one thread: it never waits. */
#include <selkie/model.h>

#define PTHREAD_LOCK_BUSY 16
#define PTHREAD_LOCK_LATE 110

#define PTHREAD_LOCK_1(name) \
    MODEL int name(void *object) { \
        __selkie_note(#name " does nothing: there is one thread"); \
        (void)*(volatile char *)object; \
        return 0; \
    }
/* The second object may be null. */
#define PTHREAD_LOCK_INIT(name) \
    MODEL int name(void *object, const void *attributes) { \
        __selkie_note(#name " does nothing: there is one thread"); \
        (void)*(volatile char *)object; \
        if (attributes) \
            (void)*(const volatile char *)attributes; \
        return 0; \
    }
#define PTHREAD_LOCK_NUMBER(name) \
    MODEL int name(void *object, int number) { \
        __selkie_note(#name " does nothing: there is one thread"); \
        (void)*(volatile char *)object, (void)number; \
        return 0; \
    }
#define PTHREAD_LOCK_TRY(name) \
    MODEL int name(void *object) { \
        __selkie_note(#name " may fail, and does nothing otherwise"); \
        (void)*(volatile char *)object; \
        return rough_bool() ? 0 : PTHREAD_LOCK_BUSY; \
    }
#define PTHREAD_LOCK_UNTIL(name) \
    MODEL int name(void *object, const void *end) { \
        __selkie_note(#name " may fail, and does nothing otherwise"); \
        (void)*(volatile char *)object; \
        check_read(end, 2 * sizeof(long), #name ": the time is readable"); \
        return rough_bool() ? 0 : PTHREAD_LOCK_LATE; \
    }

PTHREAD_LOCK_INIT(pthread_mutex_init)
PTHREAD_LOCK_1(pthread_mutex_destroy)
PTHREAD_LOCK_1(pthread_mutex_lock)
PTHREAD_LOCK_1(pthread_mutex_unlock)
PTHREAD_LOCK_TRY(pthread_mutex_trylock)
PTHREAD_LOCK_UNTIL(pthread_mutex_timedlock)
PTHREAD_LOCK_1(pthread_mutexattr_init)
PTHREAD_LOCK_1(pthread_mutexattr_destroy)
PTHREAD_LOCK_NUMBER(pthread_mutexattr_settype)
PTHREAD_LOCK_INIT(pthread_rwlock_init)
PTHREAD_LOCK_1(pthread_rwlock_destroy)
PTHREAD_LOCK_1(pthread_rwlock_rdlock)
PTHREAD_LOCK_1(pthread_rwlock_wrlock)
PTHREAD_LOCK_1(pthread_rwlock_unlock)
PTHREAD_LOCK_TRY(pthread_rwlock_tryrdlock)
PTHREAD_LOCK_TRY(pthread_rwlock_trywrlock)
PTHREAD_LOCK_NUMBER(pthread_spin_init)
PTHREAD_LOCK_1(pthread_spin_destroy)
PTHREAD_LOCK_1(pthread_spin_lock)
PTHREAD_LOCK_1(pthread_spin_unlock)
PTHREAD_LOCK_TRY(pthread_spin_trylock)
PTHREAD_LOCK_INIT(pthread_cond_init)
PTHREAD_LOCK_1(pthread_cond_destroy)
PTHREAD_LOCK_1(pthread_cond_signal)
PTHREAD_LOCK_1(pthread_cond_broadcast)
PTHREAD_LOCK_1(pthread_condattr_init)
PTHREAD_LOCK_1(pthread_condattr_destroy)

/* A wait may end at any time. */
MODEL int pthread_cond_wait(void *condition, void *mutex) {
    __selkie_note("pthread_cond_wait does nothing: there is one thread");
    (void)*(volatile char *)condition;
    (void)*(volatile char *)mutex;
    return 0;
}

MODEL int pthread_cond_timedwait(void *condition, void *mutex, const void *end) {
    __selkie_note("pthread_cond_timedwait may fail, and does nothing otherwise");
    (void)*(volatile char *)condition;
    (void)*(volatile char *)mutex;
    check_read(end, 2 * sizeof(long), "pthread_cond_timedwait: the time is readable");
    return any_bool() ? 0 : PTHREAD_LOCK_LATE;
}

/* The names of C11. */
PTHREAD_LOCK_NUMBER(mtx_init)
PTHREAD_LOCK_1(mtx_lock)
PTHREAD_LOCK_1(mtx_unlock)

MODEL void mtx_destroy(void *object) {
    (void)*(volatile char *)object;
}

MODEL int mtx_trylock(void *object) {
    __selkie_note("mtx_trylock may fail, and does nothing otherwise");
    (void)*(volatile char *)object;
    return rough_bool() ? 0 : 1;
}

/* pthread_lock.c: locks. There is one thread: it never waits. */
#include <selkie/model.h>

#define PTHREAD_LOCK_BUSY 16

#define PTHREAD_LOCK_1(name) \
    MODEL int name(void *object) { \
        __selkie_note(#name " does nothing: there is one thread"); \
        (void)*(volatile char *)object; \
        return 0; \
    }
#define PTHREAD_LOCK_2(name) \
    MODEL int name(void *object, const void *attributes) { \
        __selkie_note(#name " does nothing: there is one thread"); \
        (void)*(volatile char *)object, (void)attributes; \
        return 0; \
    }
#define PTHREAD_LOCK_TRY(name) \
    MODEL int name(void *object) { \
        __selkie_note(#name " may fail, and does nothing otherwise"); \
        (void)*(volatile char *)object; \
        return any_bool() ? 0 : PTHREAD_LOCK_BUSY; \
    }

PTHREAD_LOCK_2(pthread_mutex_init)
PTHREAD_LOCK_1(pthread_mutex_destroy)
PTHREAD_LOCK_1(pthread_mutex_lock)
PTHREAD_LOCK_1(pthread_mutex_unlock)
PTHREAD_LOCK_TRY(pthread_mutex_trylock)
PTHREAD_LOCK_1(pthread_mutexattr_init)
PTHREAD_LOCK_1(pthread_mutexattr_destroy)
PTHREAD_LOCK_2(pthread_rwlock_init)
PTHREAD_LOCK_1(pthread_rwlock_destroy)
PTHREAD_LOCK_1(pthread_rwlock_rdlock)
PTHREAD_LOCK_1(pthread_rwlock_wrlock)
PTHREAD_LOCK_1(pthread_rwlock_unlock)
PTHREAD_LOCK_TRY(pthread_rwlock_tryrdlock)
PTHREAD_LOCK_TRY(pthread_rwlock_trywrlock)
PTHREAD_LOCK_1(pthread_spin_destroy)
PTHREAD_LOCK_1(pthread_spin_lock)
PTHREAD_LOCK_1(pthread_spin_unlock)
PTHREAD_LOCK_TRY(pthread_spin_trylock)
PTHREAD_LOCK_2(pthread_cond_init)
PTHREAD_LOCK_1(pthread_cond_destroy)
PTHREAD_LOCK_1(pthread_cond_signal)
PTHREAD_LOCK_1(pthread_cond_broadcast)
/* A wait may end at any time. */
PTHREAD_LOCK_2(pthread_cond_wait)

MODEL int pthread_mutexattr_settype(void *attributes, int kind) {
    (void)*(volatile char *)attributes, (void)kind;
    return 0;
}

MODEL int pthread_spin_init(void *object, int shared) {
    (void)*(volatile char *)object, (void)shared;
    return 0;
}

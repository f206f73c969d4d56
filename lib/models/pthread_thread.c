/* pthread_thread.c: a second thread is not modelled; what concerns the first one alone is. */
#include <selkie/model.h>

#define PTHREAD_THREAD(name, ...) \
    MODEL int name(__VA_ARGS__) { \
        __selkie_unsupported(#name); \
        return 1; \
    }
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-parameter"

PTHREAD_THREAD(pthread_create, unsigned long *thread, const void *attributes, void *(*function)(void *), void *argument)
PTHREAD_THREAD(pthread_join, unsigned long thread, void **result)
PTHREAD_THREAD(pthread_detach, unsigned long thread)
PTHREAD_THREAD(pthread_cancel, unsigned long thread)
PTHREAD_THREAD(pthread_kill, unsigned long thread, int signal)
PTHREAD_THREAD(thrd_create, unsigned long *thread, int (*function)(void *), void *argument)
PTHREAD_THREAD(thrd_join, unsigned long thread, int *result)
#pragma clang diagnostic pop

MODEL __attribute__((noreturn)) void pthread_exit(void *result) {
    (void)result;
    __selkie_unsupported("pthread_exit");
    __selkie_halt_abort();
}

MODEL unsigned long pthread_self(void) { return 1; }
MODEL int pthread_equal(unsigned long left, unsigned long right) { return left == right; }
MODEL int sched_yield(void) { return 0; }

MODEL int pthread_attr_init(void *attributes) {
    (void)*(volatile char *)attributes;
    return 0;
}

MODEL int pthread_attr_destroy(void *attributes) {
    (void)*(volatile char *)attributes;
    return 0;
}

MODEL int pthread_attr_setstacksize(void *attributes, size_t n) {
    (void)*(volatile char *)attributes;
    return n >= 16384 ? 0 : EINVAL;
}

MODEL int pthread_attr_setdetachstate(void *attributes, int state) {
    (void)*(volatile char *)attributes, (void)state;
    return 0;
}

/* Nobody cancels the only thread. */
static int pthread_thread_exchange(int *place, int value, int *old) {
    if (value != 0 && value != 1)
        return EINVAL;
    if (old)
        *old = *place;
    *place = value;
    return 0;
}

MODEL int pthread_setcancelstate(int state, int *old) {
    static int now;
    return pthread_thread_exchange(&now, state, old);
}

MODEL int pthread_setcanceltype(int type, int *old) {
    static int now;
    return pthread_thread_exchange(&now, type, old);
}

MODEL void pthread_testcancel(void) {}

/* 0 at the start. */
static void pthread_thread_once(int *done, void (*function)(void)) {
    if (*done == 0) {
        *done = 2;
        function();
    }
}

MODEL int pthread_once(int *done, void (*function)(void)) {
    pthread_thread_once(done, function);
    return 0;
}

MODEL void call_once(int *done, void (*function)(void)) {
    pthread_thread_once(done, function);
}

/* Values of keys; the destructors would run when a thread other than the first ends. */
#define PTHREAD_THREAD_KEYS 32
static void *pthread_thread_values[PTHREAD_THREAD_KEYS];
static unsigned pthread_thread_count;

MODEL int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    (void)destructor;
    if (pthread_thread_count >= PTHREAD_THREAD_KEYS)
        __selkie_unsupported("more than 32 thread keys");
    *key = pthread_thread_count++;
    return 0;
}

MODEL int pthread_key_delete(unsigned key) {
    return key < pthread_thread_count ? 0 : EINVAL;
}

MODEL void *pthread_getspecific(unsigned key) {
    return key < pthread_thread_count ? pthread_thread_values[key] : NULL;
}

MODEL int pthread_setspecific(unsigned key, const void *value) {
    if (key >= pthread_thread_count)
        return EINVAL;
    pthread_thread_values[key] = (void *)value;
    return 0;
}

/* native.h: for programs that run the models natively, beside the real library. The models are linked
 * under other names: model_strlen for strlen. */
#ifndef SELKIE_TESTS_NATIVE_H
#define SELKIE_TESTS_NATIVE_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Declares the model of a function that the headers declare. */
#define MODEL_OF(name) extern __typeof__(name) model_##name

/* How an attempt to run a model ended. */
enum ending {
    RETURNED,
    CHECK_FAILED, /* A check does not hold; `native_check` names it. */
    ASSUMED_AWAY, /* The execution does not count. */
    HALTED,       /* exit or abort. */
    FAULT,        /* An access outside every object. */
};
extern const char *native_check;
extern sigjmp_buf native_start;
extern int native_running;

/* Runs a statement; yields its ending. */
#define ATTEMPT(statement) \
    ({ \
        int ending = sigsetjmp(native_start, 1); \
        native_running = 1; \
        if (ending == 0) { \
            statement; \
        } \
        native_running = 0; \
        (enum ending) ending; \
    })

/* Random numbers, the same in each run. */
unsigned random_below(unsigned bound);
unsigned long long random_bits(void);

/* If not negative, what models get when they choose an int; chars are printable then. */
extern int native_choice;

/* If set, what models get when they choose a floating-point number. */
extern const long double *native_real_choice;

/* `n` bytes before a page that cannot be accessed. There are eight such places. */
void *guarded(int place, size_t n);

/* Fills bytes with few different values, so that equal ones are frequent. */
void random_bytes(char *p, size_t n, const char *alphabet);

/* How many live objects the models have made. */
int native_live(void);

/* Fails the test with a message if the condition does not hold. */
#define EXPECT(condition, ...) \
    do { \
        if (!(condition)) { \
            native_running = 0; \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__); \
            fputc('\n', stderr); \
            exit(1); \
        } \
    } while (0)

/* Says that the test compares this function. */
#define COVERS(name) printf("covers %s\n", name)

#endif

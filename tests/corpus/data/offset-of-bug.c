// From a member back to the structure that holds it.
#include <stddef.h>
#include <svcomp.h>

struct link {
    struct link *next;
};

struct job {
    int priority;
    struct link queue;
    int id;
};

#define JOB(l) ((struct job *)((char *)(l)-offsetof(struct job, queue)))

int main(void) {
    struct job a = {1, {0}, 10}, b = {2, {&a.queue}, 20};
    int sum = 0;
    for (struct link *l = b.queue.next; l; l = l->next) sum += JOB(l)->id * JOB(l)->priority;  // The bug: begins at the second.
    if (sum != 50) reach_error();
    return 0;
}

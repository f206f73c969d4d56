/* The other side of a program: runs it once for every sequence of choices, each in a process of its own.
 *
 * The driver is a constructor that comes before those of the program: in the child it returns, and the program runs as
 * always; the parent goes on to the next sequence. A line for each: status, finished, result, what was said. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHOICES = 24, RUNS = 4096 };

static struct {
    unsigned count, value[CHOICES], limit[CHOICES];
    unsigned finished, result;
    char said[32];
} *shared;
static unsigned at;

unsigned oracle_choose(unsigned limit) {
    if (at == CHOICES)
        _exit(99);
    if (at == shared->count) {
        shared->value[at] = 0;
        shared->limit[at] = limit;
        shared->count++;
    }
    return shared->value[at++];
}

void oracle_says(const char *what) {
    strcpy(shared->said, what);
    _exit(70);
}

void oracle_result(unsigned result) {
    shared->result = result;
    shared->finished = 1;
}

static int same(const char *line, const char *words) { return strstr(line, words) != 0; }

/* The first line of a report of a sanitizer. */
static void first_report(int log, char *line, unsigned room) {
    static char text[1 << 16];
    ssize_t size = pread(log, text, sizeof text - 1, 0);
    text[size < 0 ? 0 : size] = 0;
    line[0] = 0;
    for (char *at = strtok(text, "\n"); at; at = strtok(0, "\n"))
        if (same(at, "runtime error: ") || same(at, "ERROR: AddressSanitizer: ")) {
            snprintf(line, room, "%s", at);
            return;
        }
}

__attribute__((constructor(101), no_sanitize("address", "undefined"))) static void oracle_drive(void) {
    int log = memfd_create("log", 0);
    shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (unsigned runs = 0; runs < RUNS; runs++) {
        shared->finished = shared->said[0] = 0;
        ftruncate(log, 0);
        lseek(log, 0, SEEK_SET);
        pid_t child = fork();
        if (child == 0) {
            int nothing = open("/dev/null", O_RDWR);
            dup2(nothing, 1);
            dup2(log, 2);
            alarm(5);
            return;
        }
        int status;
        char line[300];
        waitpid(child, &status, 0);
        first_report(log, line, sizeof line);
        dprintf(1, "%d\t%u\t%u\t%s\t%s\n", status, shared->finished, shared->result, shared->said, line);
        while (shared->count && shared->value[shared->count - 1] + 1 >= shared->limit[shared->count - 1])
            shared->count--;
        if (!shared->count) {
            dprintf(1, "all\n");
            break;
        }
        shared->value[shared->count - 1]++;
    }
    _exit(0);
}

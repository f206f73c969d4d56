// Writing.
#include <log.h>

int log_entries[ROOM];
unsigned log_count;

void log_put(int what) {
    log_entries[log_count % ROOM] = what;
    log_count++;
}

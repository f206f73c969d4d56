// Reading.
#include <log.h>

int log_last(void) { return log_count ? log_entries[(log_count - 1) % ROOM] : -1; }

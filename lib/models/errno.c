/* errno.c: where errno lives. */
#include <selkie/model.h>

static int errno_value;

MODEL int *__errno_location(void) {
    return &errno_value;
}

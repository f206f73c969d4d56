/* errno.c: where errno lives. Unknown code sets it as well. */
#include <selkie/model.h>

MODEL int __selkie_errno;

MODEL int *__errno_location(void) {
    return &__selkie_errno;
}

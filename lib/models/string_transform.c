/* string_transform.c: strxfrm. Strings of the C locale compare as their bytes do. */
#include "text.h"

/* What does not fit is left out, and then nobody may rely on the rest. */
MODEL size_t strxfrm(char *to, const char *from, size_t n) {
    size_t length = text_length(from);
    size_t copied = length < n ? length + 1 : n;
    if (copied > 0) {
        check_write(to, copied, "strxfrm: the destination is writable");
        __selkie_check(__selkie_is_disjoint(to, from, copied), "overlap", "string copied onto itself");
        __selkie_memcpy(to, from, copied);
    }
    return length;
}

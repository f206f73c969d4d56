/* format_known.c: what a call of the printf family comes to where the format is known. The front end may
 * replace such a call by these, one for each string that is read. */
#include "format.h"
#include "stream.h"

/* Reads at most `precision` elements of a string; all of it if that is negative. */
MODEL void __selkie_print_string(const char *s, int precision) {
    format_string(s, precision);
}

MODEL void __selkie_print_string_wide(const wchar_t *s, int precision) {
    format_string_wide(s, precision);
}

/* The result, at which nobody looks, for a standard stream, and for a stream that must be open. */
MODEL int __selkie_print_result(void) {
    return system_status();
}

MODEL int __selkie_print_result_to(struct stream *f) {
    return stream_accepts(f) ? 0 : -1;
}

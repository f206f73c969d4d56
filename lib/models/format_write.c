/* format_write.c: text of chars. */
#define FORMAT_CHARACTER char
#define FORMAT_WIDE 0
#define FORMAT(name) format_write_##name
#include "format_write.h"

MODEL int __selkie_format_write(char *to, size_t limit, const char *format, struct arguments *arguments) {
    return format_write_write(to, limit, format, arguments);
}

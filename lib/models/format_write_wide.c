/* format_write_wide.c: text of wide characters. */
#define FORMAT_CHARACTER wchar_t
#define FORMAT_WIDE 1
#define FORMAT(name) format_write_wide_##name
#include "format_write.h"

MODEL int __selkie_format_write_wide(wchar_t *to, size_t limit, const wchar_t *format, struct arguments *arguments) {
    return format_write_wide_write(to, limit, format, arguments);
}

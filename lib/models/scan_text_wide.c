/* scan_text_wide.c: the scanf family over a string of wide characters. */
#define SCAN_CHARACTER wchar_t
#define SCAN_WIDE 1
#define SCAN(name) scan_text_wide_##name
#include "scan_text.h"

MODEL int __selkie_scan_text_wide(const wchar_t *text, const wchar_t *format, struct arguments *arguments) {
    return scan_text_wide_scan(text, format, arguments);
}

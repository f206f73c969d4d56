/* scan_text.c: the scanf family over a string of chars. */
#define SCAN_CHARACTER char
#define SCAN_WIDE 0
#define SCAN(name) scan_text_##name
#include "scan_text.h"

MODEL int __selkie_scan_text(const char *text, const char *format, struct arguments *arguments) {
    return scan_text_scan(text, format, arguments);
}

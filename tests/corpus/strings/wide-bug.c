// A text of wide characters.
#include <stddef.h>
#include <svcomp.h>
#include <wchar.h>

int main(void) {
    wchar_t text[4];
    wcsncpy(text, L"fin", sizeof text);  // The bug: bytes are not characters.
    return wcslen(text) != 3;
}

// A text of wide characters.
#include <stddef.h>
#include <svcomp.h>
#include <wchar.h>

int main(void) {
    wchar_t text[4];
    wcsncpy(text, L"fin", sizeof text / sizeof text[0]);
    return wcslen(text) != 3;
}

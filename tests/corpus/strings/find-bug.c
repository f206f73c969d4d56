// The value of a setting, after the equals sign.
#include <string.h>
#include <svcomp.h>

static const char *value_of(const char *setting) {
    const char *sign = strchr(setting, '=');
    return setting + strcspn(setting, "=") + 1;  // The bug: without a sign this is behind the end.
}

int main(void) {
    char setting[] = "a=7";
    if (__VERIFIER_nondet_bool()) setting[1] = 'b';
    const char *value = value_of(setting);
    if (*value != '7' && setting[1] == '=') reach_error();
    return 0;
}

// Arguments of several types, told apart by letters; and a list handed on.
#include <stdarg.h>
#include <svcomp.h>

struct point {
    short x, y;
};

static double total(const char *types, va_list arguments) {
    double sum = 0;
    for (; *types; types++) {
        switch (*types) {
        case 'i': sum += va_arg(arguments, int); break;
        case 'l': sum += va_arg(arguments, long long); break;
        case 'd': sum += va_arg(arguments, double); break;
        case 'p': {
            struct point p = va_arg(arguments, struct point);
            sum += p.x - p.y;  // The bug: a sign.
            break;
        }
        case 's': sum += *va_arg(arguments, const char *) - '0'; break;
        }
    }
    return sum;
}

static double add(const char *types, ...) {
    va_list arguments;
    va_start(arguments, types);
    double sum = total(types, arguments);
    va_end(arguments);
    return sum;
}

int main(void) {
    struct point p = {10, (short)(__VERIFIER_nondet_uchar() % 4)};
    double sum = add("ildps", 1, 2LL, 0.5, p, "7");
    if (sum != 20.5 + p.y) reach_error();
    return 0;
}
